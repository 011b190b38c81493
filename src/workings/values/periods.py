"""Reads years, decades, quarters and fiscal years in short: "'98", "the nineties", "Q3 2021"."""

import re
from collections.abc import Iterator

from workings.values import lexicon as lex
from workings.values.years import YearMention, short_year

_FULL = r"(?: 1\d | 20 ) \d\d (?!\d)"
_DECADES = {f"{word[:-1]}ies": value for word, value in lex.TENS.items()}
_COUNTED = "|".join((*lex.COUNTED, "minute", "second", "hour", "day", "year", "point"))
_CUES = (
    "in since between from until till by before after to and or of the early late mid spring "
    "summer autumn fall winter"
).split()
# Lookbehinds have a fixed width, so each word needs its own.
_CUE = "|".join(rf"(?<= \b(?i:{cue})\s )" for cue in _CUES)
_WORD_CUE = "|".join(
    rf"(?<= \b(?i:{cue})\s )" for cue in _CUES if cue not in ("of", "or", "the", "mid")
)
_CENTURY = "fifteen|sixteen|seventeen|eighteen|nineteen|twenty"
_UNITS = "|".join(word for word, value in lex.UNITS.items() if value)
_TEENS = "|".join(word for word, value in lex.SMALL.items() if value >= 10)
_IN_WORDS = rf"""
    (?i: (?:{_CENTURY}) [\s-]
         (?: oh?[\s-](?:{_UNITS}) | (?:{"|".join(lex.TENS)}) (?:[\s-](?:{_UNITS}))? | {_TEENS} ) )
    (?! [\s-](?:{_COUNTED})\b | -\w )"""
_PERIOD = re.compile(
    rf"""(?<! \w )
         (?: ['\u2018\u2019] (?P<decade> \d0 ) s
           | (?: {_CUE} ) ['\u2018\u2019] (?P<short> \d\d ) (?! \s(?:{_COUNTED})\b )
           | (?i: the\s (?: (?:early|late|mid|roaring|swinging) [\s-] )?
                  (?P<spelled> {"|".join(_DECADES)} ) )
           | (?: {_WORD_CUE} | (?<= \byear\s ) ) (?P<words> {_IN_WORDS} )
           | FY \s? ['\u2019]? (?P<fiscal> {_FULL} | \d\d )
           | (?: Q[1-4] | [1-4]Q | H[12] ) (?: \s of \s | [\s/-] )? (?P<quarter> {_FULL} )
           | (?P<year> {_FULL} ) [\s/-]? (?: Q[1-4] | H[12] ) )
         (?! \w | [.,]\d )""",
    re.VERBOSE,
)
_LAST_OF_1900S = 20
_SPOKEN = lex.SMALL | lex.TENS | {"oh": 0, "o": 0}


def read_periods(text: str) -> Iterator[YearMention]:
    """The year of every period: the first year of a decade, the year that a quarter is part of."""
    for match in _PERIOD.finditer(text):
        group = str(match.lastgroup)
        digits = match.start(group)
        # The article of "the nineties" is no part of the mention.
        start = digits if group == "spelled" else match.start()
        yield YearMention(_year(match, group), start, match.end(), digits)


def _year(match: re.Match[str], group: str) -> int:
    written = match[group].lower()
    if group == "words":
        century, *rest = re.split(r"[\s-]", written)
        return 100 * _SPOKEN[century] + sum(_SPOKEN[word] for word in rest)
    if group == "spelled":
        return 1900 + _DECADES[written]
    if group == "short":
        return short_year(written)
    return int(written) + (_century(match) if len(written) == 2 else 0)


def _century(match: re.Match[str]) -> int:
    """The century of two digits: the '20s to the '90s are of the 20th, fiscal years of the 21st."""
    return 1900 if match["decade"] and int(match["decade"]) >= _LAST_OF_1900S else 2000
