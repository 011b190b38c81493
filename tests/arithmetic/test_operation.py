"""Operations: expressions evaluated exactly, alone and over arrays."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.arithmetic.exact_array import ExactArray
from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation

AVERAGE = Operation("({0} + {1}) / 2", commutative=True)
CHANGE = Operation("100 * ({0} - {1}) / {1}")
fractions = st.builds(Fraction, st.integers(-(10**12), 10**12), st.integers(1, 10**6))


@pytest.mark.parametrize(
    ("operation", "first", "second", "result"),
    [
        (ADDITION, "0.1", "0.2", "0.3"),
        (SUBTRACTION, 3, 5, -2),
        (DISTANCE, 3, 5, 2),
        (AVERAGE, 24, 31, "27.5"),
        (CHANGE, 60, 48, 25),
        (CHANGE, 36, 48, -25),
        (Operation("{0} / {1}"), 350, 14, 25),
        (Operation("{0} / {1}"), -1, -3, "1/3"),
        (Operation("{0} / ({1} / {0})"), 6, 4, 9),
    ],
)
def test_values_by_hand(
    operation: Operation, first: int | str, second: int | str, result: int | str
) -> None:
    assert operation.exact(Fraction(first), Fraction(second)) == Fraction(result)


@pytest.mark.parametrize(
    "expression", ["{0} / {1}", "{0} / ({0} / {1})", "{1} / {0} / {1}", "({0} / {1}) + {0}"]
)
def test_division_by_zero_is_undefined(expression: str) -> None:
    assert Operation(expression).exact(Fraction(3), Fraction(0)) is None


@given(fractions, fractions)
def test_change_equals_plain_fractions(new: Fraction, old: Fraction) -> None:
    expected = 100 * (new - old) / old if old else None
    assert CHANGE.exact(new, old) == expected


def test_expression_with_operands_filled_in() -> None:
    assert CHANGE.format("60", "48") == "100 * (60 - 48) / 48"


@pytest.mark.parametrize(
    "expression",
    [
        "{0} ** {1}",
        "abs({0} - {1})",
        "{0} + {1} + 0.5",
        "{0} + {1} + x",
        "{0} + {1} + {2}",
        "{0} + {first}",
        "{0} +",
        "",
    ],
)
def test_rejects_other_expressions(expression: str) -> None:
    with pytest.raises(ValueError, match="cannot evaluate"):
        Operation(expression)


@pytest.mark.parametrize("expression", ["{0}", "2 * {1}", "3"])
def test_rejects_expressions_without_both_operands(expression: str) -> None:
    with pytest.raises(ValueError, match="must use both operands"):
        Operation(expression)


def test_arrays_switch_to_python_integers_before_they_overflow() -> None:
    large = ExactArray.of((Fraction(2**40),))
    product = large * large
    assert product.numerator.dtype == object
    assert product.numerator.tolist() == [2**80]
    assert (large + large).numerator.dtype == np.int64
