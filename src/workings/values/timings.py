"""Reads clock times and durations as operands, also where only the context shows what they are."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from workings.values.covered_spans import CoveredSpans
from workings.values.hours import read_hours
from workings.values.types import Duration, Number, TimeMention, Timing, TimingMention, Values

_UNIT = re.compile(
    r"[\s-]?(?P<unit>hours?|hrs?|h|minutes?|mins?|min|seconds?|secs?|s|days?|weeks?)\b",
    re.IGNORECASE,
)
_SECONDS = {"h": 3600, "m": 60, "s": 1, "d": 86400, "w": 604800}
# "three hours fifty": a number without a unit counts the next smaller one.
_SMALLER = {3600: 60, 60: 1}
_LAST_PART = re.compile(r"\s(?:and\s)?")
_LAST_END = re.compile(r"[.,;:!?)\u2010-\u2015](?!\d)|\s(?:and|or|but|to|for|in|on|with|at|by)\b|$")
_ARTICLE = re.compile(
    r"\b(?:(?P<part>half|quarter|three\squarters)\s(?:of\s)?)?an?\s(?P<unit>hour|minute)\b"
    r"(?:\sand\s(?:a\s(?P<more>half|quarter)|(?P<small>\d\d?)\s(?:minutes?|seconds?))\b)?",
    re.IGNORECASE,
)
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "three quarters": Fraction(3, 4)}
_COLON_PAIR = re.compile(r"(?P<first>\d{1,2}):(?P<second>\d\d)")
# "Nunes 1:02.3": by its form alone it may also be a verse of a book.
_COLONS = re.compile(
    r"""(?<! [\w:.,/$-] ) (?P<first> \d{1,2} ) : (?P<second> [0-5]\d ) (?: : (?P<third> [0-5]\d ) )?
        (?P<decimals> \.\d{1,3} )? (?! \d | [:.]\d | \w )""",
    re.VERBOSE,
)
# "half past eleven" does not say which half of the day it is in.
_NAMES_HALF = re.compile(
    r"[ap]\.?\s?m\b|noon|midday|midnight|hours|morning|afternoon|evening|night|\dh", re.IGNORECASE
)
_HOURS, _NOON = 24, 12


def read_timings(text: str, values: Values) -> tuple[TimingMention, ...]:
    """Read every clock time and duration of a text.

    Args:
        text: The text.
        values: Its values. Their times and durations are timings too; so are "35 minutes", and
            the hours of "from 9 to 5", which remain numbers as well.

    Returns:
        The mentions in text order, without overlaps.
    """
    found: list[TimingMention] = []
    for reading in (
        (_clock_time(text, mention) for mention in values.times),
        (_duration(text, mention) for mention in values.durations),
        _colons(text),
        _articles(text),
        _amounts(text, values.numbers),
        read_hours(text),
    ):
        taken, end = CoveredSpans((mention.start, mention.end) for mention in found), 0
        for mention in sorted(reading, key=lambda each: (each.start, -each.end)):
            if mention.start >= end and not taken.overlaps(mention.start, mention.end):
                found.append(mention)
                end = mention.end
    found.sort(key=lambda mention: mention.start)
    return tuple(_without_halves(found) if _has_full_day(found) else found)


def _has_full_day(mentions: list[TimingMention]) -> bool:
    """Whether any clock time has an hour after noon, or the hour 0, in digits."""
    timings = (mention.timing for mention in mentions)
    return any(
        timing.is_bare
        and not timing.is_duration
        and not timing.is_half_day
        and not 3600 <= timing.seconds < (_NOON + 1) * 3600
        for timing in timings
    )


def _without_halves(mentions: list[TimingMention]) -> Iterator[TimingMention]:
    """On a clock of 24 hours, "9:15" is in the morning; an hour in words may still be either."""
    for mention in mentions:
        timing = mention.timing
        if timing.is_bare and timing.is_half_day:
            timing = replace(timing, is_half_day=False)
        yield replace(mention, timing=timing)


def _clock_time(text: str, mention: TimeMention) -> TimingMention:
    written = text[mention.start : mention.end]
    is_plain = _NAMES_HALF.search(written) is None
    is_half_day = is_plain and _is_half_day(mention.time.hour, written)
    pair = _COLON_PAIR.fullmatch(written)
    # The reader of values adds the half of the day to the first time of "2:15-4:30 pm".
    is_bare = pair is not None and int(pair["first"]) == mention.time.hour
    is_half_day = is_half_day and (pair is None or is_bare)
    timing = Timing(Fraction(mention.time.seconds), is_half_day=is_half_day, is_bare=is_bare)
    return TimingMention(timing, mention.start, mention.end)


def _is_half_day(hour: int, written: str) -> bool:
    return 1 <= hour <= _NOON and not written.startswith("0")


def _duration(text: str, mention: Duration) -> TimingMention:
    pair = _COLON_PAIR.fullmatch(text[mention.start : mention.end])
    seconds, is_bare = mention.seconds, False
    if pair and int(pair["first"]) < _HOURS:
        is_bare = True
        seconds = Fraction(3600 * int(pair["first"]) + 60 * int(pair["second"]))
    return TimingMention(
        Timing(seconds, is_duration=True, is_bare=is_bare), mention.start, mention.end
    )


def _colons(text: str) -> Iterator[TimingMention]:
    for match in _COLONS.finditer(text):
        first, second = int(match["first"]), int(match["second"])
        if match["third"]:
            seconds = Fraction(3600 * first + 60 * second + int(match["third"]))
            timing = Timing(seconds + Fraction(match["decimals"] or 0), is_duration=True)
        elif match["decimals"] or first >= _HOURS:
            seconds = 60 * first + second + Fraction(match["decimals"] or 0)
            timing = Timing(seconds, is_duration=True)
        else:
            is_half_day = _is_half_day(first, match[0])
            seconds = Fraction(3600 * first + 60 * second)
            timing = Timing(seconds, is_half_day=is_half_day, is_bare=True)
        yield TimingMention(timing, *match.span())


def _articles(text: str) -> Iterator[TimingMention]:
    """ "half an hour", "a quarter of an hour", "an hour and a half", "an hour and 20 minutes"."""
    for match in _ARTICLE.finditer(text):
        amount = _PARTS[" ".join(match["part"].lower().split())] if match["part"] else Fraction(1)
        amount += _PARTS[match["more"].lower()] if match["more"] else 0
        size = _SECONDS[match["unit"][0].lower()]
        seconds = amount * size + int(match["small"] or 0) * _SMALLER[size]
        yield TimingMention(Timing(seconds, is_duration=True), *match.span())


def _amounts(text: str, numbers: tuple[Number, ...]) -> Iterator[TimingMention]:
    """ "35 minutes", "2.5 h", "three hours fifty"."""
    for index, number in enumerate(numbers):
        unit = _UNIT.match(text, number.end)
        if unit is None or number.value < 0 or number.unit not in ("plain", "fraction"):
            continue
        size, end = _SECONDS[unit["unit"][0].lower()], unit.end()
        seconds = number.value * size
        last = numbers[index + 1] if index + 1 < len(numbers) else None
        if last is not None and size in _SMALLER and _is_last_part(text, end, last):
            seconds, end = seconds + last.value * _SMALLER[size], last.end
        yield TimingMention(Timing(seconds, is_duration=True), number.start, end)


def _is_last_part(text: str, end: int, number: Number) -> bool:
    gap = _LAST_PART.fullmatch(text, end, number.start)
    is_small = number.unit == "plain" and number.value < 60
    return gap is not None and is_small and _LAST_END.match(text, number.end) is not None
