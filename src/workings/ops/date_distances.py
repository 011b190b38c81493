"""The distribution of the distance between two uncertain dates."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import torch

from workings.arithmetic.support import PairResults, Support
from workings.encoder.encoding import Encoding
from workings.ops.distinct import PairJoint
from workings.ops.results import Dates, Numbers
from workings.values import Date

# The distance between two dates in whole units; None if it is not defined.
Distance: TypeAlias = Callable[[Date, Date], int | None]


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
    size = max(1, *(len(pair.support) for pair in pairs))
    joint = first.weights.unsqueeze(2) * second.weights.unsqueeze(1)
    index = torch.full_like(joint, size, dtype=torch.long)
    for row, pair in zip(index, pairs, strict=True):
        dates = len(pair.index)
        row[:dates, :dates] = pair.index.masked_fill(pair.index == len(pair.support), size)
    results = joint.new_zeros(len(pairs), size + 1)
    results = results.scatter_add(1, index.flatten(1), joint.flatten(1))
    if distinct and joint.numel() and first.mention_weights and second.mention_weights:
        pair_joint = PairJoint.of(results, index, first.mention_weights, second.mention_weights)
        results = pair_joint.renormalised.weights
    return Numbers(results[:, :size], [pair.support for pair in pairs])


def _pair_results(dates: Sequence[Date], distance: Distance) -> PairResults:
    table = [[distance(first, second) for second in dates] for first in dates]
    found = {Fraction(value) for row in table for value in row if value is not None}
    support = Support(tuple(sorted(found)))
    index = [
        [len(support) if value is None else support.positions[Fraction(value)] for value in row]
        for row in table
    ]
    return PairResults(
        support, torch.tensor(index, dtype=torch.long).reshape(len(dates), len(dates))
    )
