"""The distribution of the distance between two uncertain dates, or two uncertain times."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor

from workings.arithmetic.support import PairResults, Support
from workings.encoder.encoding import Encoding
from workings.ops.distinct import PairJoint
from workings.ops.results import Dates, Numbers, TimingCount, Timings
from workings.values import ClockUnit, Date, Timing, amount_of, time_apart, time_from

# The distance between two values; None if it is not defined.
Distance: TypeAlias = Callable[[Date, Date], int | None]

_T = TypeVar("_T")


def date_distance(
    first: Dates, second: Dates, encoding: Encoding, distance: Distance, *, distinct: bool
) -> Numbers:
    """The distribution of the distance; pairs of dates without one are undefined.

    Args:
        first: The first date.
        second: The second date, independent of the first.
        encoding: The encoded batch.
        distance: The distance of two dates.
        distinct: Exclude pairs that use one mention twice, and renormalise.
    """
    pairs = [_pair_results(passage.dates, distance) for passage in encoding.inputs]
    return _distribution(first, second, pairs, distinct=distinct)


def timing_distance(
    first: Timings, second: Timings, encoding: Encoding, count: TimingCount, *, distinct: bool
) -> Numbers:
    """The distribution of the time between two clock times or durations.

    A clock time and a duration have none: their weight is undefined.

    Args:
        first: The end, or one of two events.
        second: The start, or the other event, independent of the first.
        encoding: The encoded batch.
        count: How to count.
        distinct: Exclude pairs that use one mention twice, and renormalise.
    """
    pairs = [_timing_pairs(passage.timings, count) for passage in encoding.inputs]
    return _distribution(first, second, pairs, distinct=distinct)


@lru_cache(maxsize=256)
def _timing_pairs(timings: tuple[Timing, ...], count: TimingCount) -> PairResults:
    def distance(end: Timing, start: Timing) -> Fraction | None:
        if count.wraps:
            return time_from(start, end, count.unit)
        return time_apart(end, start, count.unit)

    return _pair_results(timings, distance)


def timing_amounts(timings: Timings, encoding: Encoding, unit: ClockUnit) -> Numbers:
    """The distribution of durations in a unit; clock times are undefined."""
    amounts = [
        [amount_of(timing, unit) for timing in passage.timings] for passage in encoding.inputs
    ]
    supports = [Support(tuple(sorted({n for n in row if n is not None}))) for row in amounts]
    size = max(1, *map(len, supports))
    index = torch.full_like(timings.weights, size, dtype=torch.long)
    for row, support, entries in zip(index, supports, amounts, strict=True):
        positions = [size if n is None else support.positions[n] for n in entries]
        row[: len(positions)] = torch.tensor(positions, dtype=torch.long)
    weights = timings.weights.new_zeros(len(supports), size + 1)
    weights = weights.scatter_add(1, index, timings.weights)
    return Numbers(weights[:, :size], supports)


def _distribution(
    first: Dates | Timings, second: Dates | Timings, pairs: list[PairResults], *, distinct: bool
) -> Numbers:
    size = max(1, *(len(pair.support) for pair in pairs))
    joint = first.weights.unsqueeze(2) * second.weights.unsqueeze(1)
    index = torch.full_like(joint, size, dtype=torch.long)
    for row, pair in zip(index, pairs, strict=True):
        values = len(pair.index)
        row[:values, :values] = pair.index.masked_fill(pair.index == len(pair.support), size)
    results: Float[Tensor, "b s"] = joint.new_zeros(len(pairs), size + 1)
    results = results.scatter_add(1, index.flatten(1), joint.flatten(1))
    if distinct and joint.numel() and first.mention_weights and second.mention_weights:
        pair_joint = PairJoint.of(results, index, first.mention_weights, second.mention_weights)
        results = pair_joint.renormalised.weights
    return Numbers(results[:, :size], [pair.support for pair in pairs])


def _pair_results(
    values: Sequence[_T], distance: Callable[[_T, _T], int | Fraction | None]
) -> PairResults:
    table = [[distance(first, second) for second in values] for first in values]
    found = {Fraction(value) for row in table for value in row if value is not None}
    support = Support(tuple(sorted(found)))
    index = [
        [len(support) if value is None else support.positions[Fraction(value)] for value in row]
        for row in table
    ]
    return PairResults(
        support, torch.tensor(index, dtype=torch.long).reshape(len(values), len(values))
    )
