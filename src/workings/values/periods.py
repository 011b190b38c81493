"""Reads decades, quarters and fiscal years: "the '90s", "Q3 2021", "FY2023"."""

import re
from collections.abc import Iterator

from workings.values.years import YearMention

_FULL = r"(?: 1\d | 20 ) \d\d (?!\d)"
_PERIOD = re.compile(
    rf"""(?<! \w )
         (?: ['\u2018\u2019] (?P<decade> \d0 ) s
           | FY \s? ['\u2019]? (?P<fiscal> {_FULL} | \d\d )
           | (?: Q[1-4] | [1-4]Q | H[12] ) (?: \s of \s | [\s/-] )? (?P<quarter> {_FULL} )
           | (?P<year> {_FULL} ) [\s/-]? (?: Q[1-4] | H[12] ) )
         (?! \w | [.,]\d )""",
    re.VERBOSE,
)
_LAST_OF_1900S = 20


def read_periods(text: str) -> Iterator[YearMention]:
    """The year of every period: the first year of a decade, the year that a quarter is part of."""
    for match in _PERIOD.finditer(text):
        group = str(match.lastgroup)
        digits = match[group]
        year = int(digits) + (_century(match) if len(digits) == 2 else 0)
        yield YearMention(year, *match.span(), match.start(group))


def _century(match: re.Match[str]) -> int:
    """The century of two digits: the '20s to the '90s are of the 20th, fiscal years of the 21st."""
    return 1900 if match["decade"] and int(match["decade"]) >= _LAST_OF_1900S else 2000
