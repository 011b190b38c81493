"""Reads dates in digits alone: "1942-07-05", "7/5/1942", "05.07.1942"."""

import re

from workings.values.calendar import is_day
from workings.values.types import Date
from workings.values.years import short_year

_CUES = "on since from until till by before after dated".split()
# Lookbehinds have a fixed width, so each word needs its own.
_CUE = "|".join(rf"(?<= \b(?i:{cue})\s )" for cue in _CUES)
NUMERIC_DATE = re.compile(
    rf"""(?<! [\w/.-] )
        (?: (?P<year_first> \d{{4}} ) (?P<between> [-/.] ) (?P<month> \d\d ) (?P=between)
            (?P<day> \d\d )
          | (?P<first> \d\d? )
            (?: (?P<sign> [/.] ) (?P<second> \d\d? ) (?P=sign) (?P<year_last> \d{{4}} )
              | - (?P<dashed> \d\d? ) - (?P<year_dashed> (?: 1[5-9] | 20 ) \d\d ) )
          | (?: {_CUE} ) (?P<first_short> \d\d? ) / (?P<second_short> \d\d? ) /
            (?P<year_short> \d\d ) )
        (?! [/-] | \.\d | (?! T\d\d: ) \w )""",
    re.VERBOSE,
)
_YEARS = ("year_first", "year_last", "year_dashed", "year_short")


def numeric_date(match: re.Match[str]) -> Date | None:
    """The date of a match of ``NUMERIC_DATE``; None if the calendar has no such day.

    With slashes the month comes first unless that is impossible, with dots and hyphens the day.
    """
    if match["year_first"]:
        return _date(int(match["year_first"]), match["month"], match["day"])
    if match["dashed"]:
        return _either(int(match["year_dashed"]), match["dashed"], match["first"])
    if match["year_short"]:
        year = short_year(match["year_short"])
        return _either(year, match["first_short"], match["second_short"])
    year = int(match["year_last"])
    if match["sign"] == ".":
        return _date(year, match["second"], match["first"])
    return _either(year, match["first"], match["second"])


def year_group(match: re.Match[str]) -> str:
    """The name of the group that holds the year."""
    return next(name for name in _YEARS if match[name])


def _either(year: int, month: str, day: str) -> Date | None:
    """The date with month and day as given, or exchanged if there is no such day."""
    return _date(year, month, day) or _date(year, day, month)


def _date(year: int, month: str, day: str) -> Date | None:
    date = Date(year, int(month), int(day))
    return date if is_day(date) else None
