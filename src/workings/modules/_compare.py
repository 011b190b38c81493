"""The choice that all four comparisons share."""

from jaxtyping import Float, Int
from torch import Tensor

from workings.ops.results import Attention
from workings.ops.uncertain_sets import weight_above


def choose(
    events: tuple[Attention, Attention],
    weights: tuple[Float[Tensor, "b k"], Float[Tensor, "b k"]],
    rank: Int[Tensor, "b k"],
    ties: str,
) -> Attention:
    """Mix two events by the probability that each has the value of lower rank.

    Args:
        events: The attention on the two events.
        weights: The distribution of each event over the same values.
        rank: The rank of each value.
        ties: "share" splits the probability of equal or missing values evenly, "drop" drops it.
    """
    first = (weights[0] * weight_above(weights[1], rank)).sum(-1)
    second = (weights[1] * weight_above(weights[0], rank)).sum(-1)
    if ties == "share":
        rest = (1 - first - second).clamp(min=0) / 2
        first, second = first + rest, second + rest
    return events[0].mix(events[1], first, second)
