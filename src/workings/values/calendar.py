"""The days of the calendar, and exact distances between dates."""

import datetime

from workings.values.types import Date

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY, _LEAP_DAY = 2, 29
_GREGORIAN = 1582
# A year for dates without one; it is not a leap year.
_ANY_YEAR = 2001


def is_day(date: Date) -> bool:
    """Whether the calendar has the day of a month; the 29th of February needs a leap year."""
    if date.month is None or date.day is None or not 1 <= date.month <= len(_DAYS):
        return False
    if not 1 <= date.day <= _DAYS[date.month - 1]:
        return False
    if (date.month, date.day) != (_FEBRUARY, _LEAP_DAY) or date.year is None:
        return True
    return _is_leap(date.year)


def _is_leap(year: int) -> bool:
    """Whether a year may be a leap year; the Julian calendar had one every four years."""
    if year <= _GREGORIAN:
        return year < 0 or year % 4 == 0
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_between(first: Date, second: Date) -> int | None:
    """The days between two dates; None if either has no month or day.

    A date without a year lies in the year of the other.
    """
    days = [_as_date(date, other.year) for date, other in ((first, second), (second, first))]
    if days[0] is None or days[1] is None:
        return None
    return abs((days[0] - days[1]).days)


def months_between(first: Date, second: Date) -> int | None:
    """The difference of two calendar months; None if either has no month.

    A date without a year lies in the year of the other.
    """
    if first.month is None or second.month is None:
        return None
    years = [
        date.year if date.year is not None else other.year if other.year is not None else 0
        for date, other in ((first, second), (second, first))
    ]
    return abs(12 * (years[0] - years[1]) + first.month - second.month)


def _as_date(date: Date, other_year: int | None) -> datetime.date | None:
    """A calendar date; None if parts are missing or there is no such day."""
    if date.month is None or date.day is None:
        return None
    year = next((year for year in (date.year, other_year) if year is not None), _ANY_YEAR)
    try:
        return datetime.date(year, date.month, date.day)
    except ValueError:  # 29 February of another year, or a year that Python cannot represent
        return None
