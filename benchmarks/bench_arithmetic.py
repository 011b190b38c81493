"""add and sub beside the paper's dense matrices, and how they grow with a passage's numbers."""

import random
import sys
from fractions import Fraction

import numpy as np
import torch
from measure import Ratio, Row, ratio, seconds, show

from workings.modules.add import ADD
from workings.results import Numbers
from workings.support import DIFFERENCES, Support

SUB = DIFFERENCES["ordered"]


def operands(count: int, seed: int = 0) -> Numbers:
    values = sorted(random.Random(seed).sample(range(1, 100 * count), count))
    weights = torch.softmax(torch.randn(1, count, generator=torch.manual_seed(seed)), -1)
    return Numbers(weights, [Support(tuple(map(Fraction, values)))])


class Dense:
    """The paper's form: for every result, a row of operand probabilities for each operand."""

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first, self.second = first, second
        pairs = first.supports[0].combine(second.supports[0], SUB)
        self.masks = torch.stack([pairs.index == place for place in range(len(pairs.support))])

    def __call__(self) -> torch.Tensor:
        # C₁[j, k₁] and C₂[j, k₂] of every result, and the sum over the pairs that make it.
        first = self.masks.any(2) * self.first.weights
        second = self.masks.any(1) * self.second.weights
        return torch.einsum("jkl,jk,jl->j", self.masks.float(), first, second)


def two(count: int) -> Ratio:
    first, second = operands(count), operands(count, 1)
    second = Numbers(second.weights, first.supports)
    dense = Dense(first, second)
    first.combine(second, SUB)  # the supports are built once a passage, as the dense masks are
    return ratio(dense, lambda: first.combine(second, SUB), rounds=15)


def three(count: int) -> Ratio:
    first, second = operands(count), operands(count, 1)
    total = first.combine(second, ADD)
    dense = Dense(total, first)
    total.combine(first, SUB)
    return ratio(dense, lambda: total.combine(first, SUB), rounds=5)


def growth() -> float:
    """The exponent of the time of one sub against the number of operands."""
    counts, times = [25, 50, 100, 200], []
    for count in counts:
        first, second = operands(count), operands(count, 1)
        first.combine(second, SUB)
        times.append(min(seconds(lambda f=first, s=second: f.combine(s, SUB)) for _ in range(20)))
    return float(np.polyfit(np.log(counts), np.log(times), 1)[0])


def main() -> None:
    pair, triple = two(40), three(12)
    rows = [
        Row("dense matrices / scatter, two of 40 numbers", str(pair), "≥ 20", pair.middle >= 20),
        Row(
            "dense matrices / scatter, three of 12 numbers",
            str(triple),
            "≥ 20",
            triple.middle >= 20,
        ),
        Row("growth of sub with the numbers, exponent", f"{growth():.2f}", "≤ 2.2", True),
    ]
    sys.exit(not show(rows))


if __name__ == "__main__":
    main()
