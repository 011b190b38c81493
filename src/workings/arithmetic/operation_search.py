"""Exact search for pairs of numbers that an operation turns into a given number."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from workings.arithmetic.exact_array import ExactArray
from workings.arithmetic.operation import Operation


def operand_pairs(
    operation: Operation, values: Sequence[Fraction], target: Fraction
) -> Iterator[tuple[int, int]]:
    """Find every pair of numbers for which an operation gives exactly the target.

    Args:
        operation: The operation.
        values: The numbers to choose from; a number may be both operands.
        target: The result.

    Yields:
        The indices of both operands in lexicographic order; for a commutative operation only the
        ascending pairs.
    """
    operands = ExactArray.of(tuple(values))
    results = operation(operands.reshape(-1, 1), operands.reshape(1, -1))
    # Compares fractions without division; Python integers cannot overflow.
    left = results.numerator.astype(object) * target.denominator
    right = results.denominator.astype(object) * target.numerator
    found = results.is_defined & np.asarray(left == right, dtype=bool)
    for first, second in np.argwhere(found).tolist():
        if first <= second or not operation.commutative:
            yield first, second
