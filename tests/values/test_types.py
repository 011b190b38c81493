"""The order of dates, differences of years, and the formats of numbers and dates."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.values import (
    Date,
    Values,
    earlier,
    format_number,
    read_values,
    years_between,
)

DATES = st.builds(
    Date,
    st.none() | st.integers(-500, 2100),
    st.none() | st.integers(1, 12),
    st.none() | st.integers(1, 31),
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("34", "34"),
        ("-34", "-34"),
        ("0.3", "0.3"),
        ("1234.5", "1234.5"),
        ("0.0001", "0.0001"),
        ("2/3", "0.667"),
        ("-2/3", "-0.667"),
        ("1/3", "0.333"),
        ("1/7000", "0"),
        ("-1/7000", "0"),
        ("29999/30000", "1"),
        ("3200000", "3200000"),
    ],
)
def test_format_number(value: str, written: str) -> None:
    assert format_number(Fraction(value)) == written


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
    )
)
def test_decimals_are_exact(value: object) -> None:
    exact = Fraction(str(value))
    assert Fraction(format_number(exact)) == exact


def test_arithmetic_is_exact() -> None:
    first, second = read_values("0.1 and 0.2").numbers
    assert format_number(first.value + second.value) == "0.3"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Date(1689), Date(1690)),
        (Date(-44), Date(79)),
        (Date(-200), Date(-150)),
        (Date(None, 12), Date(1690)),
        (Date(1690), Date(1690, 1)),
        (Date(1690, 1), Date(1690, 2)),
        (Date(1690, 1), Date(1690, 1, 1)),
        (Date(1690, 1, 1), Date(1690, 1, 2)),
        (Date(None, 1, 31), Date(None, 2, 1)),
    ],
)
def test_earlier(first: Date, second: Date) -> None:
    assert earlier(first, second)
    assert not earlier(second, first)


@given(DATES, DATES, DATES)
def test_earlier_is_a_strict_order(first: Date, second: Date, third: Date) -> None:
    assert not earlier(first, first)
    assert earlier(first, second) or earlier(second, first) or first == second
    if earlier(first, second) and earlier(second, third):
        assert earlier(first, third)


@pytest.mark.parametrize(
    ("later", "first", "years"),
    [
        (Date(1689), Date(1683, 7, 14), 6),
        (Date(1683), Date(1689), -6),
        (Date(5), Date(-5), 10),
        (Date(None, 5), Date(1683), None),
        (Date(1683), Date(None, 5), None),
    ],
)
def test_years_between(later: Date, first: Date, years: int | None) -> None:
    assert years_between(later, first) == years


@pytest.mark.parametrize(
    ("date", "written"),
    [
        (Date(1942, 7, 5), "5 July 1942"),
        (Date(1942, 7), "July 1942"),
        (Date(None, 7, 5), "5 July"),
        (Date(79), "AD 79"),
        (Date(-44, 3, 15), "15 March 44 BC"),
        (Date(), ""),
    ],
)
def test_date_format(date: Date, written: str) -> None:
    assert str(date) == written


def test_distinct_values() -> None:
    values = read_values("In 1950 seven men, in 1940 7 men, and in 1950 3.5 tons.")
    assert list(values.distinct_numbers) == [Fraction("3.5"), 7, 1940, 1950]
    assert values.distinct_dates == (Date(1950), Date(1940))
    assert Values().distinct_numbers == Values().distinct_dates == ()
