"""Reads times of day and durations in the forms of a clock: "7:45 pm", "2:03:59", "2h30"."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from workings.values import lexicon as lex
from workings.values.covered_spans import CharSpan, CoveredSpans
from workings.values.types import Duration, Time, TimeMention

_HALF = r"(?P<half> (?i: [ap]\.\s?m\b\.? | [ap]m\b ) )"
_HALF_DAY = re.compile(
    rf"""(?<! [\w.,:/$€£+-] )
         (?: (?: (?<= [Bb]etween\s ) (?P<between> \d\d? (?: [:.][0-5]\d )? ) \s and \s
               | (?P<from> \d\d? (?: [:.][0-5]\d )? ) (?: \s?[-\u2010-\u2015]\s? | \sto\s ) ) )?
         (?P<time> \d\d? (?: [:.][0-5]\d (?: [:][0-5]\d )? )? ) \s? {_HALF} (?! [\w] )""",
    re.VERBOSE,
)
_COLONS = re.compile(
    r"""(?: (?<! [\w:.,/$€£+] ) | (?<= \dT ) )
        (?P<first> \d{1,3} ) : (?P<second> [0-5]\d ) (?: : (?P<third> [0-5]\d ) )?
        (?P<decimals> \.\d{1,9} )? (?! \d | [:.]\d )""",
    re.VERBOSE,
)
_SYMBOLS = re.compile(
    r"""(?<! [\w.,:/$€£+-] )
        (?: (?P<hours> \d{1,4} ) \s? (?: h | hrs? ) \.? \s? (?P<minutes> [0-5]?\d )
            (?: \s? (?: m | mins? ) \b \.?
                (?: \s? (?P<third> [0-5]?\d ) \s? (?: s | secs? ) \b )?
              | (?<= h\d\d ) | m (?P<glued> [0-5]?\d ) s | (?! \s?[^\W\d_] ) )
          | (?P<only> \d{1,4} ) \s? (?: m | mins? ) \.? \s?
            (?P<seconds> [0-5]?\d (?: \.\d{1,9} )? ) \s? (?: s | secs? ) \b )
        (?! \w | [.,:]\d )""",
    re.VERBOSE,
)
_HOURS = "|".join(word for word, hour in lex.SMALL.items() if 1 <= hour <= 12)
_WORDS = re.compile(
    rf"""(?<! [\w.,:$-] )
         (?: (?P<hour> \d\d? | (?i:{_HOURS}) ) \s o['\u2019]clock
           | (?: 12\s )? (?: (?P<noon> (?i: noon | midday ) ) | (?P<midnight> (?i: midnight ) ) )
           | (?P<military> (?: [01]\d | 2[0-3] ) [0-5]\d ) (?<= at\s\d{{4}} ) \s hours )
         (?! \w )""",
    re.VERBOSE,
)
_HOUR = rf"(?: (?P<hour> 1[0-2] | [1-9] | (?i:{_HOURS}) ) (?! [\w%] | [.,:-]\w ) )"
_MINUTES = "|".join(("twenty-five", "twenty", "ten", "five", "25", "20", "10", "5"))
# Lookbehinds have a fixed width, so each word needs its own.
_CUED = "|".join(
    rf"(?<= \b(?i:{cue})\s )" for cue in "at by until till since around about before after".split()
)
_PLAIN_HOUR = _HOUR.replace("<hour>", "<plain>")
_PART_OF_DAY = r"\s in \s the \s (?P<part> (?i: morning | afternoon | evening ) ) \b"
_SPOKEN = re.compile(
    rf"""(?<! [\w.,:$-] )
         (?: (?: half \s past | (?: a \s )? quarter \s past | a \s quarter \s to
               | (?: {_CUED} )
                 (?: quarter \s to
                   | (?: {_MINUTES} ) (?: \s past | \s minutes \s (?: past | to ) ) ) )
             \s {_HOUR} (?: \s? {_HALF} | {_PART_OF_DAY} )?
           | (?: {_CUED} ) {_PLAIN_HOUR} {_PART_OF_DAY.replace("<part>", "<when>")} )""",
    re.VERBOSE | re.IGNORECASE,
)
_DISTANCES = {"half": 30, "quarter": 15, "twenty-five": 25, "twenty": 20, "ten": 10, "five": 5}
_BEFORE = 24
_AT = re.compile(
    r"\b(?:at|by|until|till|since|around|about|from|before|after|between)\s$", re.IGNORECASE
)
_TOOK = re.compile(
    r"\b(?:in|with|lasted|took|taking|used|consumed|ate\sup|final|last"
    r"|(?:time|record|best|mark|clocking)\sof)\s(?:just\s|only\s)?$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\)?\s(?:left|off|remaining|remained|to\s(?:go|play)|into|mark|minutes?|min|hours?|hrs?|h)\b"
)
_IN_HOURS = re.compile(r"\s(?:hours?|hrs?|h)\b")
# Two numbers with a colon that are neither: ratios, and verses after a name.
_RATIO = re.compile(r"\b(?:ratio|odds|scores?|scale|proportions?)(?:\sof|\swas|\sis)?\s$", re.I)
_NAME = re.compile(r"[^\s.!?:]\s([A-Z][a-z]+)\s$")
_DAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_NAMES = _DAYS | {name.capitalize() for name in lex.MONTH_NAMES}


class ClockReading(NamedTuple):
    """The times of day and the durations of a text, each in order; ``spans`` are those of both."""

    times: tuple[TimeMention, ...]
    durations: tuple[Duration, ...]
    spans: tuple[CharSpan, ...]


def read_clock(text: str, codes: CoveredSpans) -> ClockReading:
    """Read the times and durations of a text; ``codes`` are the spans that hold no values."""
    found = [*_spoken(text)]
    taken = CoveredSpans((mention.start, mention.end) for mention in found)
    halves = _half_days(text)
    found += [mention for mention in halves if not taken.overlaps(mention.start, mention.end)]
    taken = CoveredSpans((mention.start, mention.end) for mention in found)
    others = (*_colons(text), *_symbols(text), *_words(text))
    found += [mention for mention in others if not taken.overlaps(mention.start, mention.end)]
    found = [mention for mention in found if not codes.overlaps(mention.start, mention.end)]
    found.sort(key=lambda mention: mention.start)
    times = tuple(mention for mention in found if isinstance(mention, TimeMention))
    durations = tuple(mention for mention in found if isinstance(mention, Duration))
    return ClockReading(times, durations, tuple((m.start, m.end) for m in found))


def _half_days(text: str) -> Iterator[TimeMention | Duration]:
    """ "7:45 pm", "9am", and both times of "7-9 pm"."""
    for match in _HALF_DAY.finditer(text):
        is_afternoon = match["half"][0] in "pP"
        last = _of_half(match["time"], is_afternoon)
        if last is None:
            continue
        group = "between" if match["between"] else "from"
        first = _of_half(match[group], is_afternoon) if match[group] else None
        if first is not None and first.seconds > last.seconds:
            first = _of_half(match[group], not is_afternoon)
        if first is not None:
            yield TimeMention(first, *match.span(group))
        yield TimeMention(last, match.start("time"), match.end())


def _of_half(digits: str, is_afternoon: bool) -> Time | None:
    """A time on a clock of twelve hours."""
    hour, *rest = (int(part) for part in re.split(r"[:.]", digits))
    return Time(hour % 12 + 12 * is_afternoon, *rest) if 1 <= hour <= 12 else None


def _colons(text: str) -> Iterator[TimeMention | Duration]:
    """ "10:30" and "2:03:59", as a time or a duration by the words around it."""
    for match in _COLONS.finditer(text):
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if _is_other(before):
            continue
        if _is_duration(match, before):
            yield Duration(_elapsed(match), *match.span())
        else:
            parts = match.group("first", "second", "third")
            yield TimeMention(Time(*(int(part) for part in parts if part)), *match.span())


def _is_other(before: str) -> bool:
    name = _NAME.search(before)
    verse = name is not None and name[1] not in _NAMES and not _AT.search(before)
    return verse or _RATIO.search(before) is not None


def _is_duration(match: re.Match[str], before: str) -> bool:
    """Whether a clock measures how long: by its form, what follows, what precedes, then by size."""
    hour, is_full = int(match["first"]), match["third"] is not None
    if match["decimals"] or Time(hour, int(match["second"])).seconds > Time(24).seconds:
        return True
    if _LEFT.match(match.string, match.end()):
        return True
    if _AT.search(before) or match.string[match.start() - 1 : match.start()] == "T":
        return False
    return _TOOK.search(before) is not None or (is_full and len(match["first"]) == 1)


def _elapsed(match: re.Match[str]) -> Fraction:
    """Minutes and seconds, or hours and minutes if "hours" follows; hours if there are three."""
    first, second = int(match["first"]), int(match["second"])
    in_hours = match["third"] is not None or _IN_HOURS.match(match.string, match.end())
    whole = 3600 * first + 60 * second if in_hours else 60 * first + second
    return whole + int(match["third"] or 0) + Fraction(match["decimals"] or 0)


def _symbols(text: str) -> Iterator[TimeMention | Duration]:
    """ "2h30", "1 h 20 min", "3m20s"; "at 19h30" is a time."""
    for match in _SYMBOLS.finditer(text):
        hours, minutes = int(match["hours"] or 0), int(match["minutes"] or match["only"])
        seconds = Fraction(match["third"] or match["glued"] or match["seconds"] or 0)
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if match["hours"] and hours < 24 and not seconds and _AT.search(before):
            yield TimeMention(Time(hours, minutes), *match.span())
        else:
            yield Duration(3600 * hours + 60 * minutes + seconds, *match.span())


def _words(text: str) -> Iterator[TimeMention]:
    """ "five o'clock", "noon", "midnight", "at 0630 hours"."""
    for match in _WORDS.finditer(text):
        digits = match["military"]
        time = Time(int(digits[:2]), int(digits[2:])) if digits else Time(_hour(match))
        if time.hour <= 24:
            yield TimeMention(time, *match.span())


def _hour(match: re.Match[str]) -> int:
    if match["hour"]:
        return _small(match["hour"])
    return 12 if match["noon"] else 0


def _small(written: str) -> int:
    word = written.lower()
    return lex.SMALL[word] if word in lex.SMALL else int(word)


def _spoken(text: str) -> Iterator[TimeMention | Duration]:
    """ "half past ten", "a quarter to five", "at seven in the evening"."""
    for match in _SPOKEN.finditer(text):
        hour = _small(match["hour"] or match["plain"])
        if match["half"] or match["part"] or match["when"]:
            part = (match["half"] or match["part"] or match["when"]).lower()
            hour = hour % 12 + 12 * (part[0] in "pe" or part == "afternoon")
        minutes = 60 * hour + (_minutes(match[0].lower().split()) if match["hour"] else 0)
        yield TimeMention(Time(*divmod(minutes % (24 * 60), 60)), *match.span())


def _minutes(words: list[str]) -> int:
    """The minutes after the full hour, negative before it: "a quarter to" is -15."""
    number = words[1] if words[0] == "a" else words[0]
    distance = _DISTANCES[number] if number in _DISTANCES else int(number)
    return -distance if "to" in words else distance
