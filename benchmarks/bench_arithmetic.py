"""Sums and differences as a scatter, against the dense matrices of the paper."""

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import torch
from measure import BenchmarkRow, ratio, repeat, show
from torch import Tensor

from workings.arithmetic.operation import ADDITION, SUBTRACTION
from workings.arithmetic.support import Support
from workings.ops.results import Numbers


def operands(count: int, *, grad: bool = False) -> tuple[Numbers, Numbers]:
    """Two random distributions over the same ``count`` numbers."""
    values = random.Random(count).sample(range(1, 100 * count), count)
    support = Support(tuple(map(Fraction, sorted(values))))
    logits = torch.randn(2, 1, count, generator=torch.Generator().manual_seed(count))
    first, second = (weights.clone().requires_grad_(grad) for weights in torch.softmax(logits, -1))
    return Numbers(first, [support]), Numbers(second, [support])


def three_operands(count: int) -> tuple[Numbers, Numbers]:
    """The sum of two of ``count`` numbers, and a third number to subtract from it."""
    first, second = operands(count)
    return first.combine(second, ADDITION), first


class Matrices:
    """The paper's C₁ and C₂: a row for each result, a column for each pair of operands.

    The pairs of each result are precomputed, as they are for the scatter.
    """

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUBTRACTION)
        results = torch.arange(len(pairs.support))
        self.gives = (pairs.index.flatten() == results[:, None]).to(first.weights)
        self.rows, self.columns = torch.ones_like(pairs.index).nonzero(as_tuple=True)

    def __call__(self) -> Tensor:
        first = self.gives * self.first.weights[0, self.rows]
        second = self.gives * self.second.weights[0, self.columns]
        return (first * second).sum(-1)


class PackedMatrices:
    """The matrices without empty entries: as many columns as the result with most pairs has."""

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUBTRACTION)
        by_result: list[list[tuple[int, int]]] = [[] for _ in range(len(pairs.support) + 1)]
        for row, results in enumerate(pairs.index.tolist()):
            for column, result in enumerate(results):
                by_result[result].append((row, column))
        by_result.pop()  # pairs without a valid result
        width = max(map(len, by_result))
        rows = [entries + [(-1, -1)] * (width - len(entries)) for entries in by_result]
        packed = torch.tensor(rows)
        self.mask = packed[..., 0] >= 0
        self.rows, self.columns = packed.clamp(min=0).unbind(-1)

    def __call__(self) -> Tensor:
        first, second = self.first.weights[0][self.rows], self.second.weights[0][self.columns]
        return (first * second * self.mask).sum(-1)


def rows(two_of: int = 40, three_of: int = 30, rounds: int = 9) -> Iterator[BenchmarkRow]:
    """Both forms of the matrices; for three of 40 numbers they would need 4 GB."""
    for name, (first, second), times, limit in (
        (f"two of {two_of} numbers", operands(two_of), 100, 10),
        (f"three of {three_of} numbers", three_operands(three_of), 1, 20),
    ):
        scatter = repeat(partial(first.combine, second, SUBTRACTION), times)
        dense = ratio(repeat(Matrices(first, second), times), scatter, rounds)
        yield BenchmarkRow.at_least(f"the paper's matrices / scatter, {name}", dense, limit)
        packed = ratio(repeat(PackedMatrices(first, second), times), scatter, rounds)
        yield BenchmarkRow(f"packed matrices / scatter, {name}", str(packed))


if __name__ == "__main__":
    sys.exit(not show(list(rows())))
