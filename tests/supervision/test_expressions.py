"""Parsing arithmetic expressions, and matching them with formulas."""

import ast
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.arithmetic.operation import Operation
from workings.supervision.expressions import (
    BinaryExpression,
    match_operands,
    parse_expression,
    signed_terms,
    value_of,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12*350", 4200),
        ("(24+31)/2", Fraction(55, 2)),
        ("24+31/2", Fraction(79, 2)),
        ("100*9,870/14,320", Fraction(98700, 1432)),
        ("2-3-4", -5),
        ("2-(3-4)", 3),
        ("$40 × 1.5", 60),
        ("3 million ÷ 2", 1_500_000),
        ("60%+15 %", 75),
        ("26-yard+15 yards", 41),
        ("34–21=13", 13),
        ("21-(-3)", 24),
        ("5/(3-3)", None),
        ("7", 7),
    ],
)
def test_value(text: str, value: Fraction | int | None) -> None:
    expression = parse_expression(text)
    assert expression is not None
    assert value_of(expression) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "()", "+", "3**4", "7//2", "3 4", "(3", "3)", "2(3)", "--3", "3;4", "a*b", "1,2*+3"),
        *("abs(3)", "3*4 goats", "trailed 14-3 at the break", "4 hours 12 minutes"),
    ],
)
def test_other_texts_are_no_expressions(text: str) -> None:
    assert parse_expression(text) is None


def test_long_and_deep_texts_are_no_expressions() -> None:
    assert parse_expression("1+" * 31 + "1") is not None
    assert parse_expression("1+" * 32 + "1") is None
    assert parse_expression("(" * 99 + "1" + ")" * 99) is None
    assert parse_expression("1" * 201) is None


@given(st.text(max_size=60) | st.text(alphabet="0123456789.,+-*/×÷()= $%", max_size=30))
def test_never_raises(text: str) -> None:
    expression = parse_expression(text)
    if expression is not None:
        value_of(expression)


def test_tree() -> None:
    assert parse_expression("(24+31)/2") == BinaryExpression(
        ast.Div, BinaryExpression(ast.Add, Fraction(24), Fraction(31)), Fraction(2)
    )


@pytest.mark.parametrize(
    ("text", "added", "subtracted"),
    [
        ("9+8-(4-1)", [9, 8, 1], [4]),
        ("7", [7], []),
        ("3*7", [], []),
        ("3*7-2", [], []),
    ],
)
def test_signed_terms(text: str, added: list[int], subtracted: list[int]) -> None:
    expression = parse_expression(text)
    assert expression is not None
    assert signed_terms(expression) == (
        tuple(map(Fraction, added)),
        tuple(map(Fraction, subtracted)),
    )


@pytest.mark.parametrize(
    ("formula", "text", "operands"),
    [
        ("{0} * {1}", "12*350", (12, 350)),
        ("({0} + {1}) / 2", "(24+31)/2", (24, 31)),
        ("({0} + {1}) / 2", "24+31/2", None),
        ("({0} + {1}) / 2", "(24+31)/3", None),
        ("100 * {0} / {1}", "100*3/8", (3, 8)),
        ("({1} - {0}) / {0}", "(8-5)/5", (5, 8)),
        ("({1} - {0}) / {0}", "(8-5)/6", None),
        ("{0} * {1}", "12*(3+4)", None),
        ("{0} * {1}", "12", None),
    ],
)
def test_match_operands(formula: str, text: str, operands: tuple[int, int] | None) -> None:
    expression = parse_expression(text)
    assert expression is not None
    expected = operands and tuple(map(Fraction, operands))
    assert match_operands(Operation(formula).tree, expression) == expected
