"""Reads hours of the day that only the words around them show: "9 to 5", "half past eleven"."""

import re
from collections.abc import Iterator
from fractions import Fraction

from workings.values import lexicon as lex
from workings.values.types import Timing, TimingMention

_WORDS = {word: hour for word, hour in lex.SMALL.items() if 1 <= hour <= 12}
_FREE = r"(?<! [\w.,:/$€£+%-] )"
_HOUR = rf"""(?: (?: [01]?\d | 2[0-4] ) (?: [.:h][0-5]\d )? (?! \d | [.,:]\d )
               | (?: {"|".join(_WORDS)} ) \b )"""
# What may follow an hour; another noun would make it an amount.
_END = re.compile(
    r"""\s? h \b | \s* (?: [.,;:!?)\]] | $ ) | \s? [\u2010-\u2015-] (?! \w )
        | \s (?: and | or | but | to | until | till | on | in | at | the | for | with | when | as
              | by | from | every | each | sharp | tonight | this | we | he | she | it | they | i
              | a | an | after | before | if | while | because | so | daily | is | was ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
_DAY_PART = re.compile(
    r"\s(?:in\sthe\s(?P<part>morning|afternoon|evening)|at\s(?P<night>night))\b", re.IGNORECASE
)
_RANGE = re.compile(
    rf"""{_FREE} (?P<first> {_HOUR} )
         (?= (?: \s? [\u2010-\u2015-] \s? | \s (?: to | till? | until | and ) \s )
             (?P<second> {_HOUR} ) )""",
    re.IGNORECASE | re.VERBOSE,
)
_ALONE = re.compile(
    rf"""\b (?: (?: (?<= [ap]m\s ) | (?<= [ap]\.m\.\s ) | (?<= noon\s ) | (?<= :\d\d\s ) ) to
              | at | by | until | till? | since | from | before | after | around | about
              | between | open(?:s|ed)? | close[sd]? | start(?:s|ed)? | end(?:s|ed)? ) \s
         (?P<hour> {_HOUR} )""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = re.compile(
    rf"{_FREE} (?P<hour> {_HOUR} ) (?= {_DAY_PART.pattern} )", re.IGNORECASE | re.VERBOSE
)
_PAST = re.compile(
    rf"""\b (?: (?P<minutes> half | (?:a\s)? quarter | five | ten | twenty (?: [\s-] five )?
                         | \d\d? (?= \s (?: past | minutes ) ) )
               \s (?: minutes\s )? (?P<way> past | to | before ) \s
             (?P<hour> {"|".join(_WORDS)} | noon | midnight | 1[0-2]\b | [1-9]\b )
           | half \s (?P<half> {"|".join(_WORDS)} ) ) \b (?! [.:]\d )""",
    re.IGNORECASE | re.VERBOSE,
)
# "Wednesdays 4-7", "open 10-6"; "a 21-14 lead" is a score.
_TIME_BEFORE = re.compile(
    r"(?:days?|week(?:day|end)s?|daily|open(?:ing)?|hours|from|between|mornings?|afternoons?"
    r"|evenings?|nights?|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|noon)\.?:?\s$",
    re.IGNORECASE,
)
_BEFORE = 16
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_MINUTES |= {"twenty five": 25, "twenty-five": 25}
_NAMED_HOURS = {"noon": 12, "midnight": 24}
_NOON, _HOURS = 12, 24


def read_hours(text: str) -> Iterator[TimingMention]:
    """Every hour that the context shows, in no order; mentions may overlap earlier ones."""
    for match in _PAST.finditer(text):
        yield _past(match)
    for match in _NAMED.finditer(text):
        yield from _hour(match, "hour", needs_end=False)
    for match in _RANGE.finditer(text):
        second = _hour(match, "second", needs_end=True)
        if second and not _may_be_score(match):
            yield from _hour(match, "first", needs_end=False)
            yield from second
    for match in _ALONE.finditer(text):
        yield from _hour(match, "hour", needs_end=True)


def _may_be_score(match: re.Match[str]) -> bool:
    """Whether two whole numbers with a dash between them have no word before them for a time."""
    is_dashed = (
        not match.string[match.end("first") : match.start("second")].strip(" \t\n").isalpha()
    )
    is_whole = match["first"].isdecimal() and match["second"].isdecimal()
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    return is_dashed and is_whole and _TIME_BEFORE.search(before) is None


def _hour(match: re.Match[str], group: str, *, needs_end: bool) -> list[TimingMention]:
    """The hour of a group, with the part of the day after it."""
    text, (start, end) = match.string, match.span(group)
    part = _DAY_PART.match(text, end)
    if needs_end and not part and not _END.match(text, end):
        return []
    digits = re.split(r"[.:hH]", match[group]) if match[group][0].isdigit() else []
    hour = int(digits[0]) if digits else _WORDS[match[group].lower()]
    minute = int(digits[1]) if len(digits) > 1 else 0
    if hour > _HOURS:
        return []
    is_zero_padded = bool(digits) and digits[0].startswith("0")
    return [_mention(hour, minute, (start, end), part, is_full_day=is_zero_padded)]


def _past(match: re.Match[str]) -> TimingMention:
    """ "half past eleven", "ten to three", "half eleven"."""
    word = (match["hour"] or match["half"]).lower()
    hour = _NAMED_HOURS.get(word) or _WORDS.get(word) or int(word)
    minutes = 30 if match["half"] else _minutes(match["minutes"].lower())
    if not match["half"] and match["way"].lower() != "past":
        hour, minutes = (hour - 1) or _NOON, 60 - minutes
    part = _DAY_PART.match(match.string, match.end())
    return _mention(hour, minutes, match.span(), part, is_full_day=word in _NAMED_HOURS)


def _minutes(written: str) -> int:
    return _MINUTES[written] if written in _MINUTES else int(written)


def _mention(
    hour: int,
    minute: int,
    span: tuple[int, int],
    part: re.Match[str] | None,
    *,
    is_full_day: bool,
) -> TimingMention:
    if part and 1 <= hour <= _NOON:
        is_late = part["part"] is None or part["part"].lower() != "morning"
        at_night = part["night"] is not None and hour in (12, 1, 2, 3, 4)
        hour = hour % _NOON + _NOON * (is_late and not at_night)
    is_half_day = part is None and not is_full_day and 1 <= hour <= _NOON
    seconds = Fraction(3600 * hour + 60 * minute)
    return TimingMention(
        Timing(seconds, is_half_day=is_half_day), span[0], part.end() if part else span[1]
    )
