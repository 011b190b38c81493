"""add and sub beside the paper's dense matrices."""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import torch
from measure import Row, often, ratio
from torch import Tensor

from workings.arithmetic.support import DIFFERENCES, Support
from workings.modules.add import ADD
from workings.ops.results import Numbers

SUB = DIFFERENCES["ordered"]


def operands(count: int, *, grad: bool = False) -> tuple[Numbers, Numbers]:
    """Two distributions over so many numbers of one passage."""
    values = random.Random(count).sample(range(1, 100 * count), count)
    support = Support(tuple(map(Fraction, sorted(values))))
    draws = torch.randn(2, 1, count, generator=torch.Generator().manual_seed(count))
    first, second = (weights.clone().requires_grad_(grad) for weights in torch.softmax(draws, -1))
    return Numbers(first, [support]), Numbers(second, [support])


def three(count: int) -> tuple[Numbers, Numbers]:
    """The sum of two numbers, and a third one to be taken from it."""
    first, second = operands(count)
    return first.combine(second, ADD), first


class Matrices:
    """The paper's C₁ and C₂: a row for each result, a column for each pair of operands.

    Which pairs make which result is worked out beforehand, as for the scatter form.
    """

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUB)
        results = torch.arange(len(pairs.support))
        self.makes = (pairs.index.flatten() == results[:, None]).to(first.weights)
        self.one, self.other = torch.ones_like(pairs.index).nonzero(as_tuple=True)

    def __call__(self) -> Tensor:
        first = self.makes * self.first.weights[0, self.one]
        second = self.makes * self.second.weights[0, self.other]
        return (first * second).sum(-1)


class WeightsFile:
    """The same without the empty places: as many columns as any result has pairs."""

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUB)
        lists: list[list[tuple[int, int]]] = [[] for _ in range(len(pairs.support) + 1)]
        for one, row in enumerate(pairs.index.tolist()):
            for other, result in enumerate(row):
                lists[result].append((one, other))
        lists.pop()  # what is left out
        width = max(map(len, lists))
        packed = torch.tensor([made + [(-1, -1)] * (width - len(made)) for made in lists])
        self.real, (self.one, self.other) = packed[..., 0] >= 0, packed.clamp(min=0).unbind(-1)

    def __call__(self) -> Tensor:
        first, second = self.first.weights[0][self.one], self.second.weights[0][self.other]
        return (first * second * self.real).sum(-1)


def rows(two_of: int = 40, three_of: int = 30, rounds: int = 9) -> Iterator[Row]:
    """Three of 40 numbers would take the paper's matrices 4 GB."""
    for what, (first, second), times in (
        (f"two of {two_of} numbers", operands(two_of), 100),
        (f"three of {three_of} numbers", three(three_of), 1),
    ):
        scatter = often(partial(first.combine, second, SUB), times)
        dense = ratio(often(Matrices(first, second), times), scatter, rounds)
        yield Row.at_least(f"the paper's matrices / scatter, {what}", dense, 20)
        packed = ratio(often(WeightsFile(first, second), times), scatter, rounds)
        yield Row(f"the same, packed / scatter, {what}", str(packed))
