"""The distance between attended tokens and mentions, in buckets with a learned bias."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

from workings.encoder.distance_buckets import DISTANCES, edges
from workings.encoder.encoding import Mentions


def attention_by_distance(
    passage: Float[Tensor, "b m"], mentions: Mentions
) -> Float[Tensor, "b k s"]:
    """The attention in each bucket of distance from each mention."""
    length = passage.shape[1]
    before = functional.pad(passage.cumsum(-1), (1, 0))
    inner = (mentions.first[..., None] + edges(passage.device)).clamp(0, length)
    bounds = functional.pad(functional.pad(inner, (1, 0)), (0, 1), value=length)
    return before.gather(1, bounds.flatten(1)).view(bounds.shape).diff(dim=-1)


def initial_distance_bias() -> Float[Tensor, " s"]:
    """The initial value of a distance bias: it favours short distances."""
    distance = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
    return 3.0 - 0.5 * distance
