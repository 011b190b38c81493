"""The likeliest set of numbers with a given total or average."""

from collections.abc import Sequence
from fractions import Fraction
from math import log
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
    states: dict[tuple[int, Fraction], Subset] = {(0, Fraction(0)): Subset((), 0.0)}
    for index in order[:_MAX_MEMBERS]:
        states = _likeliest(_extend(states, index, candidates[index]))
    found = [
        subset
        for (count, total), subset in states.items()
        if count and total == (target * count if average else target)
    ]
    best = max(found, key=lambda subset: subset.score, default=None)
    return best and Subset(tuple(sorted(best.members)), best.score)


def _probability(options: Options) -> float:
    """The probability that a candidate is a member."""
    return sum(probability for _, probability in options)


def _extend(
    states: dict[tuple[int, Fraction], Subset], index: int, options: Options
) -> dict[tuple[int, Fraction], Subset]:
    """Add one candidate to every set with each of its values, or leave it out."""
    absent = _log(1 - _probability(options))
    extended: dict[tuple[int, Fraction], Subset] = {}
    for (count, total), (members, score) in states.items():
        choices = [((count, total), Subset(members, score + absent))] + [
            (
                (count + 1, total + value),
                Subset((*members, Member(index, value)), score + _log(probability)),
            )
            for value, probability in options
        ]
        for key, subset in choices:
            if key not in extended or extended[key].score < subset.score:
                extended[key] = subset
    return extended


def _log(probability: float) -> float:
    return log(min(max(probability, _MIN_PROBABILITY), 1 - _MIN_PROBABILITY))


def _likeliest(
    states: dict[tuple[int, Fraction], Subset],
) -> dict[tuple[int, Fraction], Subset]:
    if len(states) <= _MAX_STATES:
        return states
    ranked = sorted(states.items(), key=lambda item: -item[1].score)
    return dict(ranked[:_MAX_STATES])
