"""Sums of uncertain sets of 5 to 200 numbers: `python benchmarks/bench_sums.py [--busy]`."""

import random
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import torch
from measure import BenchmarkRow, Clock, ratio, show

from workings.ops.results import Numbers
from workings.ops.subset_totals import MAX_TOTALS, sum_of_members

# The largest set may take this many times as long as a set of 20 numbers. Each number beyond those
# that give MAX_TOTALS totals takes the same time, so the time grows linearly.
_LIMIT = 15


def totals(count: int, *, grad: bool = True) -> Numbers:
    """The sum of prices of which each may or may not belong to the set."""
    prices = [Fraction(random.Random(n).randint(1, 99_999), 100) for n in range(count)]
    probabilities = torch.rand(1, count, generator=torch.Generator().manual_seed(count))
    probabilities.requires_grad_(grad)
    result = sum_of_members(probabilities, [prices])
    assert result.weights.shape[1] <= MAX_TOTALS
    if grad:
        torch.autograd.backward(result.weights.square().sum())
    return result


def rows(sizes: Sequence[int] = (5, 20, 50, 100, 200), rounds: int = 5) -> Iterator[BenchmarkRow]:
    """Each size against 20 numbers, for which exact enumeration has a million subsets."""
    for size in sizes:
        measured = ratio(partial(totals, size), partial(totals, 20), rounds)
        name = f"sum of {size} numbers / sum of 20 numbers"
        is_largest = size == max(sizes)
        yield (
            BenchmarkRow.at_most(name, measured, _LIMIT)
            if is_largest
            else BenchmarkRow(name, str(measured))
        )


if __name__ == "__main__":
    if "--busy" in sys.argv:
        Clock.use_processor_time()
    sys.exit(not show(list(rows())))
