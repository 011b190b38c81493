"""Distributions of numbers, and plain arithmetic to hold them against."""

from collections.abc import Callable
from fractions import Fraction

from workings.arithmetic.support import DIFFERENCES
from workings.ops.results import Numbers

SUB = DIFFERENCES["ordered"]
DISTANCE = DIFFERENCES["absolute"]
PLAIN: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "distance": lambda a, b: abs(a - b),
}


def weight_of(found: Numbers) -> dict[Fraction, float]:
    return dict(zip(found.supports[0].values, found.weights[0].tolist(), strict=True))
