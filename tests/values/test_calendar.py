"""Days and months between dates."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.values import Date, days_between, months_between

days = st.dates(datetime.date(1600, 1, 1), datetime.date(2100, 12, 31))


def date(day: datetime.date) -> Date:
    return Date(day.year, day.month, day.day)


@pytest.mark.parametrize(
    ("first", "second", "between"),
    [
        (Date(2024, 2, 27), Date(2024, 3, 1), 3),  # a leap year
        (Date(2023, 2, 27), Date(2023, 3, 1), 2),
        (Date(1900, 2, 28), Date(1900, 3, 1), 1),  # 1900 was no leap year
        (Date(2023, 12, 31), Date(2024, 1, 1), 1),
        (Date(None, 3, 5), Date(None, 3, 19), 14),
        (Date(2024, 2, 27), Date(None, 3, 1), 3),  # in the year of the other date
        (Date(None, 3, 5), Date(None, 3, 5), 0),
        (Date(None, 2, 29), Date(None, 3, 1), None),  # no such day in a year of 365 days
        (Date(2024, 3), Date(2024, 3, 5), None),
        (Date(2024), Date(2025), None),
        (Date(-44, 3, 15), Date(-43, 3, 15), None),  # a year that Python cannot represent
    ],
)
def test_days(first: Date, second: Date, between: int | None) -> None:
    assert days_between(first, second) == days_between(second, first) == between


@pytest.mark.parametrize(
    ("first", "second", "between"),
    [
        (Date(2023, 11), Date(2024, 2), 3),
        (Date(2023, 11, 30), Date(2023, 12, 1), 1),  # calendar months, whatever the day
        (Date(None, 3), Date(None, 10), 7),
        (Date(2020, 3), Date(None, 10), 7),
        (Date(2020), Date(2020, 3), None),
        (Date(-44, 3), Date(-43, 1), 10),
    ],
)
def test_months(first: Date, second: Date, between: int | None) -> None:
    assert months_between(first, second) == months_between(second, first) == between


@given(first=days, second=days)
def test_equals_a_count_of_steps(first: datetime.date, second: datetime.date) -> None:
    """The later date is as many days and months later as the calendar counts."""
    start, end = sorted((first, second))
    assert days_between(date(first), date(second)) == end.toordinal() - start.toordinal()
    year, month, steps = start.year, start.month, 0
    while (year, month) != (end.year, end.month):
        year, month, steps = (
            (year + 1, 1, steps + 1) if month == 12 else (year, month + 1, steps + 1)
        )
    assert months_between(date(first), date(second)) == steps
