"""add and sub beside the paper's dense matrices."""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import torch
from measure import Row, often, ratio
from torch import Tensor

from workings.modules.add import ADD
from workings.results import Numbers
from workings.support import DIFFERENCES, Support

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


class Formula:
    """As the paper prints it: C₁ and C₂, and which pairs of operands make each result.

    Which pairs those are is worked out beforehand, as the supports of the scatter form are.
    """

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUB)
        made = (pairs.index >= 0).nonzero(as_tuple=True)
        self.makes = torch.zeros(len(pairs.support), *pairs.index.shape)
        self.makes[pairs.index[made], *made] = 1
        self.one, self.other = self.makes.amax(2), self.makes.amax(1)

    def __call__(self) -> Tensor:
        first = self.one * self.first.weights  # C₁[j, k₁]
        second = self.other * self.second.weights  # C₂[j, k₂]
        return ((first[:, None, :] @ self.makes)[:, 0] * second).sum(-1)


class Packed:
    """The same matrices packed: a column is a pair, as many as the likeliest result has."""

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUB)
        lists: list[list[tuple[int, int]]] = [[] for _ in pairs.support.values]
        for one, row in enumerate(pairs.index.tolist()):
            for other, result in enumerate(row):
                if result >= 0:
                    lists[result].append((one, other))
        width = max(map(len, lists))
        packed = torch.tensor([made + [(-1, -1)] * (width - len(made)) for made in lists])
        self.real, (self.one, self.other) = packed[..., 0] >= 0, packed.clamp(min=0).unbind(-1)

    def __call__(self) -> Tensor:
        first, second = self.first.weights[0][self.one], self.second.weights[0][self.other]
        return (first * second * self.real).sum(-1)


def rows(count: int = 40, rounds: int = 9) -> Iterator[Row]:
    for what, (first, second), times in (
        ("two", operands(count), 20),
        ("three", three(count), 1),
    ):
        where = f"scatter, {what} of {count} numbers"
        scatter = often(partial(first.combine, second, SUB), times)
        formula = ratio(often(Formula(first, second), times), scatter, rounds)
        yield Row.at_least(f"the paper's matrices / {where}", formula, 20)
        packed = ratio(often(Packed(first, second), times), scatter, rounds)
        yield Row(f"the same, packed / {where}", str(packed))
