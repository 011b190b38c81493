"""Finds the date mentions of a text: months with days and years, and years alone."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from workings.values import lexicon as lex
from workings.values.types import Date, DateMention
from workings.values.years import ERA, YEAR, read_years, signed

_NAMES = "|".join(name.capitalize() for name in lex.MONTH_NAMES)
_SHORT_NAMES = "|".join(name.capitalize() for name in ("sept", *lex.MONTHS))
_MONTH = rf"(?P<month> {_NAMES} | (?:{_SHORT_NAMES})\b\.? ) (?![^\W\d_])"
_DAY = r"(?: 3[01] | [12]\d | 0?[1-9] ) (?: st|nd|rd|th )? (?! [\w%] | ,\d{3} | \.\d )"
_JOIN = r"(?: \s?[-\u2010-\u2015&/]\s? | \s(?:and|to|or|until|through)\s (?:the\s)? )"
_DAYS = rf"{_DAY} (?: {_JOIN} {_DAY} ){{0,4}}"
_EARLY_YEAR = rf"\d{{1,3}} (?= \s?{ERA} ) | \d{{3}} (?= [.;:)] | ,\s | $ )"
_DATE = re.compile(
    rf"""(?<! [\w$.,] ) (?: (?P<before> {_DAYS} ) \s (?:of\s)? )? {_MONTH}
         (?(before) | (?: \s (?:the\s)? (?P<after> {_DAYS} ) )? )
         (?: (?: \s?,\s? | \s (?:of\s)? )
             (?P<year> {YEAR} | {_EARLY_YEAR} ) (?: \s? (?P<era> {ERA} ) )? (?! \w ) )?""",
    re.VERBOSE,
)
_NUMERIC = re.compile(
    r"(?<! [\w/.-] ) (?: (\d{4})-(\d\d)-(\d\d) | (\d\d?)/(\d\d?)/(\d{4}) ) (?! [\w/-] )",
    re.VERBOSE,
)
_BETWEEN = re.compile(rf"{_JOIN} | \s?,\s?(?:and\s)?", re.VERBOSE)
_DAY_NUMBER = re.compile(r"(\d+)(?:st|nd|rd|th)?")
_CUE = re.compile(
    r"\b(?:in|by|of|during|since|until|till|from|to|and|before|after|through|late|early|mid"
    r"|last|next|this|each|every|around)[\s-]$",
    re.IGNORECASE,
)
_CUE_LENGTH = 8
_NO_YEAR: tuple[int | None, int] = (None, -1)


class _Found(NamedTuple):
    """A date mention, and the position of the digits of its year."""

    date: Date
    start: int
    end: int
    year_at: int


def read_dates(text: str) -> tuple[tuple[DateMention, ...], frozenset[int]]:
    """Read the dates of a text in order, and the positions of the numbers that are years."""
    found = [*_month_dates(text), *_numeric_dates(text)]
    years = {date.year_at for date in found}
    for year in read_years(text):
        if year.digits not in years:
            years.add(year.digits)
            found.append(_Found(Date(year.year), year.start, year.end, year.digits))
    found.sort(key=lambda date: date.start)
    return tuple(DateMention(*date[:3]) for date in found), frozenset(years)


def _month_dates(text: str) -> Iterator[_Found]:
    """Dates with a month; a year after the last of several dates belongs to all of them."""
    after: re.Match[str] | None = None
    shared = _NO_YEAR
    for match in reversed(list(_DATE.finditer(text))):
        if match["year"]:
            shared = signed(match["year"], match["era"]), match.start("year")
        elif after is None or not _BETWEEN.fullmatch(text, match.end(), after.start()):
            shared = _NO_YEAR
        if match["before"] or match["after"] or shared[0] is not None or _is_month(match):
            yield from _days(match, *shared)
        after = match


def _days(match: re.Match[str], year: int | None, year_at: int) -> Iterator[_Found]:
    """One date for each day before or after the month."""
    month = lex.MONTHS[match["month"][:3].lower()]
    group = "before" if match["before"] else "after"
    # Without a day the group's span is (-1, -1), in which nothing matches.
    days = list(_DAY_NUMBER.finditer(match.string, *match.span(group)))
    if not days:
        yield _Found(Date(year, month), match.start(), match.end(), year_at)
    for index, day in enumerate(days):
        start = day.start() if index else match.start()
        end = match.end() if index == len(days) - 1 else day.end()
        yield _Found(Date(year, month, int(day[1])), start, end, year_at)


def _is_month(match: re.Match[str]) -> bool:
    """Whether a word alone is a month: abbreviations never, "May" and "March" only after a cue."""
    name = match["month"]
    if name.lower() not in lex.MONTH_NAMES:
        return False
    before = match.string[max(0, match.start() - _CUE_LENGTH) : match.start()]
    return name not in ("May", "March", "August") or _CUE.search(before) is not None


def _numeric_dates(text: str) -> Iterator[_Found]:
    """ "1942-07-05", "7/5/1942" (month first, unless it cannot be)."""
    for match in _NUMERIC.finditer(text):
        year, month, day = (1, 2, 3) if match[1] else (6, 4, 5)
        if match[6] and int(match[4]) > 12:
            month, day = day, month
        date = Date(int(match[year]), int(match[month]), int(match[day]))
        if 1 <= int(match[month]) <= 12 and 1 <= int(match[day]) <= 31:
            yield _Found(date, *match.span(), match.start(year))
