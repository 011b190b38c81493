"""The window loss: with nothing else known, words speak of the values near them."""

import torch
from jaxtyping import Float
from torch import Tensor

from workings.encoder.encoding import Encoding, Mentions
from workings.ops.grounding import Groundings, log_safe


def window_loss(groundings: Groundings, encoding: Encoding, span: int) -> Float[Tensor, ""]:
    """The sum over the groundings of what their tokens' pointing costs."""
    costs = [
        _cost(rows, _near(mentions, encoding, span), mentions.mask[:, None, :])
        for mentions, rows in groundings.rows(encoding)
    ]
    return torch.stack(costs).sum()


def _near(mentions: Mentions, encoding: Encoding, span: int) -> Tensor:
    """(b, m, k): mentions within the window of a token that is there."""
    place = torch.arange(encoding.passage.shape[1], device=encoding.passage.device)
    close = (place[:, None] - mentions.first[:, None, :]).abs() <= span
    return close & mentions.placed[:, None, :] & encoding.passage_mask[..., None]


def _cost(rows: Tensor, near: Tensor, mask: Tensor) -> Tensor:
    """−log of the weight inside the window, and the far weight's negative entropy.

    Both are means over the tokens that have a value near, so that no passage counts for its length.
    """
    has = near.any(-1)
    inside = -log_safe((rows * near).sum(-1))
    far = rows * (mask & ~near)
    spread = (far * log_safe(far)).sum(-1)
    return ((inside + spread) * has).sum() / has.sum().clamp(min=1)
