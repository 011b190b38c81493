"""Helpers for tests of number distributions."""

from collections.abc import Callable
from fractions import Fraction

from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation
from workings.ops.results import Numbers

PRODUCT = Operation("{0} * {1}", commutative=True)
# Each operation with an independent reference on plain fractions.
REFERENCE: dict[Operation, Callable[[Fraction, Fraction], Fraction]] = {
    ADDITION: lambda a, b: a + b,
    SUBTRACTION: lambda a, b: a - b,
    DISTANCE: lambda a, b: abs(a - b),
    PRODUCT: lambda a, b: a * b,
}


def fractions(*values: int | str) -> tuple[Fraction, ...]:
    """Exact numbers, written as whole numbers or as strings such as "27.5"."""
    return tuple(map(Fraction, values))


def weight_of(numbers: Numbers) -> dict[Fraction, float]:
    """The probability of each number of the first row."""
    return dict(zip(numbers.supports[0].values, numbers.weights[0].tolist(), strict=True))
