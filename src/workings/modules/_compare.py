"""What the four comparisons share."""

from jaxtyping import Bool, Float
from torch import Tensor

from workings.results import Attention


def choose(
    events: tuple[Attention, Attention],
    weights: tuple[Float[Tensor, "b k"], Float[Tensor, "b k"]],
    before: Bool[Tensor, "b k k"],
    ties: str,
) -> Attention:
    """The event whose value comes first in the order ``before`` gives, each by its probability."""
    joint = weights[0][:, :, None] * weights[1][:, None, :]
    first = (joint * before).sum((1, 2))
    second = (joint * before.transpose(1, 2)).sum((1, 2))
    if ties == "share":  # equal values, and no value at all, speak for both events alike
        rest = (1 - first - second).clamp(min=0) / 2
        first, second = first + rest, second + rest
    return events[0].mix(events[1], first, second)
