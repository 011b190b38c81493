"""Reads years without a month: plain, in ranges, in decades, and with BC or AD."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from workings.values import lexicon as lex

YEAR = r"(?: 1\d{3} | 20\d\d | 2100 ) (?! \d | \.\d | ,\d{3}(?!\d) | \s?% )"
ERA = r"(?: (?:BCE?|AD|CE)\b | B\.\s?C\.(?:\s?E\.)? | A\.\s?D\. | C\.\s?E\. )"
_FREE = r"(?<! [\w$\u00a3-\u00a5\u20ac#] ) (?<! \d\. )"
_TO = r"(?: \s?[-\u2010-\u2015]\s? | \s(?:to|until|or|and)\s )"
_COUNTED = "|".join(lex.COUNTED)
_NUMERAL = r"(?: \d{1,3},\d{3} | \d{1,4} ) (?! \d )"

_ERA_YEARS = re.compile(
    rf"""{_FREE} (?: (?P<ad> AD|A\.\s?D\. ) \s?)? (?P<first> {_NUMERAL} )
         (?: {_TO} (?P<second> {_NUMERAL} ) )? (?: \s? (?P<era> {ERA} ) )?""",
    re.VERBOSE,
)
_PLAIN_YEARS = re.compile(
    rf"""{_FREE} (?P<first> {YEAR} ) (?: (?<= \bIn\s\d{{4}} ) | (?! [\s-](?:{_COUNTED})\b ) )
         (?P<decade> ['\u2019]?s\b )? (?! [^\W\d_] )
         (?: [-\u2010-\u2015/] (?P<tail> \d\d ) (?! [\w%] | [.,/-]\d ) )?""",
    re.VERBOSE,
)
_AFTER = (
    r"(?= [,;:)](?!\d) | \.(?!\d)"
    r" | \s(?:the|s?he|it|they|when|by|after|before|was|as|and|to)\b )"
)
# Three digits are a year only in certain contexts: "in 476,", "(661-702)".
_CUED_YEAR = re.compile(
    rf"""\b (?: [Ii]n | [Ss]ince | [Uu]ntil | [Yy]ear | [Cc]irca | ca?\. ) \s
        (?P<cued> [1-9]\d\d ) {_AFTER}
      | \( (?:(?:r|c|ca)\.\s?)? (?P<first> [1-9]\d\d ) \s?[-\u2010-\u2015]\s?
        (?P<second> \d{{3,4}} ) [);,]""",
    re.VERBOSE,
)
# Years after 2100 need a cue, and no counted noun after them.
_FUTURE_YEAR = re.compile(
    rf"""(?: \b [Yy]ear \s (?P<named> 2[1-9]\d\d | [3-9]\d{{3}} )
           | \b (?: [Ii]n | [Ss]ince | [Uu]ntil | [Ee]nd\sof ) \s (?P<cued> 2[1-9]\d\d )
             (?: {_AFTER} | $ )
           | \b [Bb]y \s (?P<by> 21\d\d | 2[23]00 ) (?: {_AFTER} | $ )
           | {_FREE} 20[3-9]\d {_TO} (?P<last> 2[12]\d\d ) )
         (?! \d | [.,]\d | \s?% | [\s-](?:{_COUNTED})\b )""",
    re.VERBOSE,
)

# Ranges of years that begin in the last ten years of a century may end in the next one.
_LATE_YEARS = 90
# Two digits from here on are a year of the 20th century, those below of the 21st.
_FIRST_OF_1900S = 30


class YearMention(NamedTuple):
    """A year, the characters of its mention, and the position of its digits."""

    year: int
    start: int
    end: int
    digits: int


def read_years(text: str) -> Iterator[YearMention]:
    """Every year of a text that has no month; years with an era come first."""
    for match in _ERA_YEARS.finditer(text):
        if match["era"] or match["ad"]:
            yield from _era_years(match)
    for match in _PLAIN_YEARS.finditer(text):
        yield from _plain_years(match)
    for match in _CUED_YEAR.finditer(text):
        yield from _cued_years(match)
    for match in _FUTURE_YEAR.finditer(text):
        yield _mention(match, str(match.lastgroup), int(match[str(match.lastgroup)]))


def signed(year: str, era: str | None) -> int:
    """The year as a number, negative for BC."""
    value = int(year.replace(",", ""))
    return -value if era and era.startswith("B") else value


def short_year(digits: str) -> int:
    """The year of two digits: '98 is 1998, '07 is 2007."""
    return int(digits) + (1900 if int(digits) >= _FIRST_OF_1900S else 2000)


def _mention(match: re.Match[str], group: str, year: int) -> YearMention:
    return YearMention(year, *match.span(group), match.start(group))


def _era_years(match: re.Match[str]) -> Iterator[YearMention]:
    era = match["era"] or match["ad"]
    groups = [group for group in ("first", "second") if match[group]]
    mentions = [_mention(match, group, signed(match[group], era)) for group in groups]
    mentions[0] = mentions[0]._replace(start=match.start())
    mentions[-1] = mentions[-1]._replace(end=match.end())
    yield from mentions


def _plain_years(match: re.Match[str]) -> Iterator[YearMention]:
    year = int(match["first"])
    end = match.end("decade") if match["decade"] else match.end("first")
    yield _mention(match, "first", year)._replace(end=end)
    last = _last_year(year, int(match["tail"])) if match["tail"] else None
    if last is not None:
        yield _mention(match, "tail", last)


def _last_year(first: int, tail: int) -> int | None:
    """The last year of "1963-74" and of "1998-03"; None for "1950-12"."""
    years = first % 100
    if tail > years:
        return first - years + tail
    turns = years >= _LATE_YEARS and tail < 100 - _LATE_YEARS
    return first - years + 100 + tail if turns else None


def _cued_years(match: re.Match[str]) -> Iterator[YearMention]:
    groups = ("cued",) if match["cued"] else ("first", "second")
    years = [_mention(match, group, int(match[group])) for group in groups]
    if years[0].year <= years[-1].year:
        yield from years
