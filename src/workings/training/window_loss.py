"""The paper's window loss, which trains tokens to ground to values near them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from workings.encoder.encoding import Encoding, Mentions
from workings.ops.grounding import Groundings, log_safe


def window_loss(groundings: Groundings, encoding: Encoding, window_size: int) -> Float[Tensor, ""]:
    """The sum of the losses of all groundings.

    Args:
        groundings: The groundings of numbers and dates.
        encoding: The encoded texts.
        window_size: The largest distance, in tokens, of a value that counts as near.
    """
    losses = [
        _loss(rows, _near(mentions, encoding, window_size), mentions.mask[:, None, :])
        for mentions, rows in groundings.rows(encoding)
    ]
    return torch.stack(losses).sum()


def _near(mentions: Mentions, encoding: Encoding, window_size: int) -> Bool[Tensor, "b m k"]:
    """Which mentions are within the window of which token."""
    tokens = torch.arange(encoding.passage.shape[1], device=encoding.passage.device)
    close = (tokens[:, None] - mentions.first[:, None, :]).abs() <= window_size
    return close & mentions.placed[:, None, :] & encoding.passage_mask[..., None]


def _loss(
    rows: Float[Tensor, "b m k"], near: Bool[Tensor, "b m k"], mask: Bool[Tensor, "b #m k"]
) -> Float[Tensor, ""]:
    """Negative log of the weight inside the window, plus negative entropy of the weight outside.

    Both are means over the tokens that have a value near, so that long passages do not dominate.
    """
    has_near = near.any(-1)
    inside = -log_safe((rows * near).sum(-1))
    outside_weights = rows * (mask & ~near)
    outside = (outside_weights * log_safe(outside_weights)).sum(-1)
    return ((inside + outside) * has_near).sum() / has_near.sum().clamp(min=1)
