"""Distributions of numbers, and plain arithmetic to hold them against."""

from collections.abc import Callable
from fractions import Fraction

from workings.results import Numbers
from workings.support import DIFFERENCES

SUB = DIFFERENCES["ordered"]
DISTANCE = DIFFERENCES["absolute"]
PLAIN: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "distance": lambda a, b: abs(a - b),
}


def weight_of(found: Numbers) -> dict[Fraction, float]:
    return dict(zip(found.supports[0].values, found.weights[0].tolist(), strict=True))
