"""What the four comparisons share."""

from jaxtyping import Float, Int
from torch import Tensor

from workings.ops.results import Attention
from workings.ops.uncertain_sets import above


def choose(
    events: tuple[Attention, Attention],
    weights: tuple[Float[Tensor, "b k"], Float[Tensor, "b k"]],
    rank: Int[Tensor, "b k"],
    ties: str,
) -> Attention:
    """The event whose value has the lower rank, each by its probability."""
    first = (weights[0] * above(weights[1], rank)).sum(-1)
    second = (weights[1] * above(weights[0], rank)).sum(-1)
    if ties == "share":  # equal values, and no value at all, speak for both events alike
        rest = (1 - first - second).clamp(min=0) / 2
        first, second = first + rest, second + rest
    return events[0].mix(events[1], first, second)
