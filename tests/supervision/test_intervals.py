"""The time between two dates."""

import pytest

from workings.supervision.intervals import completes_last_year_later, date_interval
from workings.supervision.plans import TimeUnit
from workings.values import Date


@pytest.mark.parametrize(
    ("first", "second", "unit", "amount"),
    [
        ((1640,), (1652,), "years", 12),
        ((1652, 1, 1), (1640, 12, 31), "years", 12),
        ((-5,), (5,), "years", 10),
        ((None, 5), (1640,), "years", None),
        ((1641, 5), (1644, 3), "months", 34),
        ((None, 5), (None, 3), "months", 2),
        ((1641,), (1644, 3), "months", None),
        ((2020, 2, 28), (2020, 3, 1), "days", 2),
        ((2021, 2, 28), (2021, 3, 1), "days", 1),
        ((None, 2, 28), (None, 3, 1), "days", 1),
        ((None, 2, 28), (2020, 3, 1), "days", 2),
        ((2018, 8, 14), (2018, 10, 1), "days", 48),
        ((1478, 12, 12), (1479, 1, 8), "days", 27),
        ((2021, 2, 30), (2021, 3, 1), "days", None),
        ((2021, 2), (2021, 3, 1), "days", None),
    ],
)
def test_time_between(
    first: tuple[int, ...], second: tuple[int, ...], unit: TimeUnit, amount: int | None
) -> None:
    assert date_interval(Date(*first), Date(*second), unit) == amount
    assert date_interval(Date(*second), Date(*first), unit) == amount


def test_incomplete_last_year() -> None:
    assert completes_last_year_later(Date(1815, 12, 10), Date(1833, 6, 5))
    assert completes_last_year_later(Date(1833, 6, 5), Date(1815, 12, 10))
    assert not completes_last_year_later(Date(1815, 3, 10), Date(1833, 6, 5))
    assert not completes_last_year_later(Date(1815), Date(1833))
