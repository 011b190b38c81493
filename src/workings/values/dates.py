"""Finds the date mentions of a text: months with days and years, and years alone."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from workings.values import lexicon as lex
from workings.values.calendar import is_day
from workings.values.covered_spans import NO_SPANS, CharSpan, CoveredSpans
from workings.values.numeric_dates import NUMERIC_DATE, numeric_date, year_group
from workings.values.periods import read_periods
from workings.values.types import Date, DateMention
from workings.values.years import ERA, YEAR, read_years, signed

_NAMES = "|".join(lex.MONTH_NAMES)
_SHORT_NAMES = "|".join(("sept", *lex.MONTHS))
_MONTH = rf"(?P<month> (?i: {_NAMES} | (?:{_SHORT_NAMES})\b\.? ) ) (?![^\W\d_])"
_DAY = r"(?: 3[01] | [12]\d | 0?[1-9] ) (?: st|nd|rd|th )? (?! [\w%] | ,\d{3} | \.\d )"
_JOIN = r"(?: \s?[-\u2010-\u2015&/]\s? | \s(?:and|to|or|until|through)\s (?:the\s)? )"
_DAYS = rf"{_DAY} (?: {_JOIN} {_DAY} ){{0,4}}"
_EARLY_YEAR = rf"\d{{1,3}} (?= \s?{ERA} ) | \d{{3}} (?= [.;:)] | ,\s | $ )"
_DAY_WORDS = {word: day for word, day in lex.ORDINALS.items() if day <= 20 or day == 30}
_DAY_WORDS |= {
    f"{tens}-{word}": lex.TENS[tens] + lex.UNIT_ORDINALS[word]
    for tens, word in (*(("twenty", word) for word in lex.UNIT_ORDINALS), ("thirty", "first"))
}
_DAY_WORD = rf"(?i: {'|'.join(_DAY_WORDS)} )"
_DATE = re.compile(
    rf"""(?<! [\w$.,] )
         (?: (?P<before> {_DAYS} ) \s (?:of\s)? | (?<! - ) (?P<word> {_DAY_WORD} ) \s of \s )?
         {_MONTH}
         (?(before) | (?(word) | (?: \s (?:the\s)? (?P<after> {_DAYS} )
                                   | \s the \s (?P<last> {_DAY_WORD} ) (?= [.,;:)] | $ ) )? ) )
         (?: (?: \s?,\s? | \s (?:of\s)? )
             (?P<year> {YEAR} | {_EARLY_YEAR} ) (?: \s? (?P<era> {ERA} ) )? (?! \w ) )?""",
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
# Words that are months only in context, and what must precede them in lower case.
_AMBIGUOUS = frozenset({"may", "march", "mar", "august"})
_PLAIN_CUE = re.compile(r"\b(?:in|during|since|until|till|early|late|mid)[\s-]$", re.IGNORECASE)
_DAY_CUE = re.compile(r"\b(?:on|by|since|until|till|before|after|from)[\s]$", re.IGNORECASE)
_DAY_GROUPS = ("before", "after", "word", "last")
_NO_YEAR: tuple[int | None, int] = (None, -1)


class _Found(NamedTuple):
    """A date mention, and the position of the digits of its year."""

    date: Date
    start: int
    end: int
    year_at: int


class ReadDates(NamedTuple):
    """The dates of a text in order.

    Attributes:
        mentions: The dates.
        years: The positions of the numbers that are years.
        hidden: The spans of days and months in digits, which are no numbers by themselves.
    """

    mentions: tuple[DateMention, ...]
    years: frozenset[int]
    hidden: tuple[CharSpan, ...]


def read_dates(text: str, codes: CoveredSpans = NO_SPANS) -> ReadDates:
    """Read the dates of a text; ``codes`` are the spans that hold no values."""
    hidden: list[CharSpan] = []
    found = [*_month_dates(text), *_numeric_dates(text, hidden)]
    years = {date.year_at for date in found}
    for year in (*read_periods(text), *read_years(text)):
        if year.digits not in years:
            years.add(year.digits)
            found.append(_Found(Date(year.year), year.start, year.end, year.digits))
    found = sorted(
        (date for date in found if not codes.overlaps(date.start, date.end)),
        key=lambda date: date.start,
    )
    mentions = tuple(DateMention(*date[:3]) for date in found)
    return ReadDates(mentions, frozenset(date.year_at for date in found), tuple(hidden))


def _month_dates(text: str) -> Iterator[_Found]:
    """Dates with a month; a year after the last of several dates belongs to all of them."""
    after: re.Match[str] | None = None
    shared = _NO_YEAR
    for match in reversed(list(_DATE.finditer(text))):
        if match["year"]:
            shared = signed(match["year"], match["era"]), match.start("year")
        elif after is None or not _BETWEEN.fullmatch(text, match.end(), after.start()):
            shared = _NO_YEAR
        if shared[0] is not None or _is_month(match):
            yield from _days(match, *shared)
        after = match


def _days(match: re.Match[str], year: int | None, year_at: int) -> Iterator[_Found]:
    """One date for each day before or after the month."""
    month = lex.MONTHS[match["month"][:3].lower()]
    group = next((name for name in _DAY_GROUPS if match[name]), None)
    if group in ("word", "last"):
        date = Date(year, month, _DAY_WORDS[match[group].lower()])
        if is_day(date):
            yield _Found(date, *match.span(), year_at)
        return
    days = list(_DAY_NUMBER.finditer(match.string, *match.span(group))) if group else []
    if not days:
        yield _Found(Date(year, month), match.start(), match.end(), year_at)
    for index, day in enumerate(days):
        start = day.start() if index else match.start()
        end = match.end() if index == len(days) - 1 else day.end()
        date = Date(year, month, int(day[1]))
        if is_day(date):
            yield _Found(date, start, end, year_at)


def _is_month(match: re.Match[str]) -> bool:
    """Whether a word without a year is a month.

    With a day it is one, unless it is "may" or "march" in lower case without a cue ("on may 5").
    Alone, abbreviations are never months; "May", "March" and "August" are after a cue.
    """
    name = match["month"]
    before = match.string[max(0, match.start() - _CUE_LENGTH) : match.start()]
    ambiguous = name.lower().rstrip(".") in _AMBIGUOUS
    if any(match[name] for name in _DAY_GROUPS):
        return not (ambiguous and name.islower()) or _DAY_CUE.search(before) is not None
    if name.lower() not in lex.MONTH_NAMES:
        return False
    cue = _CUE if name.istitle() else _PLAIN_CUE
    return not ambiguous or cue.search(before) is not None


def _numeric_dates(text: str, hidden: list[CharSpan]) -> Iterator[_Found]:
    """Dates in digits; adds the spans of their days and months to ``hidden``."""
    for match in NUMERIC_DATE.finditer(text):
        date = numeric_date(match)
        if date is not None:
            start, end = match.span(year_group(match))
            hidden += (match.start(), start), (end, match.end())
            yield _Found(date, *match.span(), start)
