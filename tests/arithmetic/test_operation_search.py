"""The search for operands against brute force."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.arithmetic.operation import Operation
from workings.arithmetic.operation_search import operand_pairs

OPERATIONS = (
    Operation("{0} * {1}", commutative=True),
    Operation("{0} / {1}"),
    Operation("({0} + {1}) / 2", commutative=True),
    Operation("({1} - {0}) / {0} * 100"),
    Operation("{0} - {1}", commutative=True, absolute=True),
)


@given(
    st.sampled_from(OPERATIONS),
    st.lists(st.fractions(min_value=0, max_value=12, max_denominator=3), max_size=6),
    st.fractions(min_value=0, max_value=20, max_denominator=6),
)
def test_agrees_with_brute_force(
    operation: Operation, values: list[Fraction], target: Fraction
) -> None:
    expected = [
        (first, second)
        for first, second in product(range(len(values)), repeat=2)
        if operation.exact(values[first], values[second]) == target
        and (first <= second or not operation.commutative)
    ]
    assert list(operand_pairs(operation, values, target)) == expected


@pytest.mark.parametrize(
    ("operation", "target", "pairs"),
    [
        (OPERATIONS[0], "24", [(1, 3)]),
        (OPERATIONS[1], "6", [(3, 1)]),
        (OPERATIONS[2], "5", [(0, 4), (2, 2)]),
    ],
)
def test_pairs(operation: Operation, target: str, pairs: list[tuple[int, int]]) -> None:
    values = [Fraction(n) for n in (1, 2, 5, 12, 9)]
    assert list(operand_pairs(operation, values, Fraction(target))) == pairs


def test_undefined_results_and_large_numbers() -> None:
    values = [Fraction(0), Fraction(10**20)]
    assert list(operand_pairs(OPERATIONS[1], values, Fraction(0))) == [(0, 1)]
    assert list(operand_pairs(OPERATIONS[0], values, Fraction(10**40))) == [(1, 1)]
