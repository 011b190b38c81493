"""The golden table: every text gives exactly the listed values."""

from fractions import Fraction

import golden
import pytest

from workings.values import read_values


def cases(table: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str]]:
    return [case for group in table.values() for case in group]


@pytest.mark.parametrize(("text", "expected"), cases(golden.NUMBERS))
def test_numbers(text: str, expected: str) -> None:
    assert [number.value for number in read_values(text).numbers] == [
        Fraction(value) for value in expected.split()
    ]


@pytest.mark.parametrize(("text", "expected"), cases(golden.DATES))
def test_dates(text: str, expected: str) -> None:
    assert "; ".join(str(mention.date) for mention in read_values(text).dates) == expected


@pytest.mark.parametrize(("text", "expected"), golden.UNITS)
def test_units(text: str, expected: str) -> None:
    assert [number.unit for number in read_values(text).numbers] == expected.split()


def test_golden_table_is_large() -> None:
    assert len(cases(golden.NUMBERS)) + len(cases(golden.DATES)) >= 300
