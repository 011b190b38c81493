"""Reads dates in digits alone: "1942-07-05", "7/5/1942", "05.07.1942"."""

import re

from workings.values.calendar import is_day
from workings.values.types import Date

NUMERIC_DATE = re.compile(
    r"""(?<! [\w/.-] )
        (?: (?P<year_first> \d{4} ) (?P<between> [-/.] ) (?P<month> \d\d ) (?P=between)
            (?P<day> \d\d )
          | (?P<first> \d\d? ) (?: / (?P<second> \d\d? ) / | \. (?P<dotted> \d\d? ) \. )
            (?P<year_last> \d{4} ) )
        (?! [/-] | \.\d | (?! T\d\d: ) \w )""",
    re.VERBOSE,
)


def numeric_date(match: re.Match[str]) -> Date | None:
    """The date of a match of ``NUMERIC_DATE``; None if the calendar has no such day.

    With slashes the month comes first unless that is impossible, with dots the day.
    """
    if match["year_first"]:
        return _date(match["year_first"], match["month"], match["day"])
    if match["dotted"]:
        return _date(match["year_last"], match["dotted"], match["first"])
    month_first = _date(match["year_last"], match["first"], match["second"])
    return month_first or _date(match["year_last"], match["second"], match["first"])


def year_group(match: re.Match[str]) -> str:
    """The name of the group that holds the year."""
    return "year_first" if match["year_first"] else "year_last"


def _date(year: str, month: str, day: str) -> Date | None:
    date = Date(int(year), int(month), int(day))
    return date if is_day(date) else None
