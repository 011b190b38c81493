"""The likeliest set of numbers with a given total or average."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, log
from operator import itemgetter
from typing import NamedTuple, TypeAlias

# Members and states of the search, the likeliest first. They bound the work on long passages.
_MAX_MEMBERS = 32
_MAX_STATES = 4096
_MIN_PROBABILITY = 1e-6


# The values that a candidate may have as a member, each with its probability.
Options: TypeAlias = Sequence[tuple[Fraction, float]]


class Member(NamedTuple):
    """A member of a set: the position of the candidate, and its value."""

    position: int
    value: Fraction


class Subset(NamedTuple):
    """A set with the logarithm of its probability."""

    members: tuple[Member, ...]
    score: float


# The likeliest set of each count and total, with the logarithm of its probability. Totals are in
# units: whole numbers add up faster than fractions.
_Key: TypeAlias = tuple[int, int]
_States: TypeAlias = dict[_Key, tuple[float, tuple[Member, ...]]]


def likeliest_subset(
    candidates: Sequence[Options], target: Fraction, *, average: bool = False
) -> Subset | None:
    """Find the likeliest set whose total or average is the target.

    Candidates are members independently of each other. Very many are searched approximately: only
    the likeliest members and states are kept.

    Args:
        candidates: The values that each candidate may have as a member. The rest of the probability
            is that it is no member.
        target: The total or average.
        average: Whether the target is an average.

    Returns:
        The set, which is not empty; None if no set has the target.
    """
    order = sorted(range(len(candidates)), key=lambda index: -_probability(candidates[index]))
    unit = lcm(1, *(value.denominator for options in candidates for value, _ in options))
    states: _States = {(0, 0): (0.0, ())}
    for index in order[:_MAX_MEMBERS]:
        states = _likeliest(_extend(states, index, candidates[index], unit))
    found = [
        subset
        for (count, total), subset in states.items()
        if count and total == target * unit * (count if average else 1)
    ]
    best = max(found, key=itemgetter(0), default=None)
    return best and Subset(tuple(sorted(best[1])), best[0])


def _probability(options: Options) -> float:
    """The probability that a candidate is a member."""
    return sum(probability for _, probability in options)


def _extend(states: _States, index: int, options: Options, unit: int) -> _States:
    """Add one candidate to every set with each of its values, or leave it out."""
    absent = _log(1 - _probability(options))
    present = [
        (int(value * unit), Member(index, value), _log(probability))
        for value, probability in options
    ]
    extended: _States = {}

    def keep(key: _Key, score: float, members: tuple[Member, ...]) -> None:
        if key not in extended or extended[key][0] < score:
            extended[key] = score, members

    for (count, total), (score, members) in states.items():
        keep((count, total), score + absent, members)
        for units, member, gain in present:
            keep((count + 1, total + units), score + gain, (*members, member))
    return extended


def _log(probability: float) -> float:
    return log(min(max(probability, _MIN_PROBABILITY), 1 - _MIN_PROBABILITY))


def _likeliest(states: _States) -> _States:
    if len(states) <= _MAX_STATES:
        return states
    ranked = sorted(states.items(), key=lambda item: -item[1][0])
    return dict(ranked[:_MAX_STATES])
