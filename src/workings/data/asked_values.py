"""Which values the annotated phrases of a question ask for."""

import re
from fractions import Fraction

from workings.data.records import Ask
from workings.values import SECONDS_OF, Date, Timing

_PAIR = re.compile(r"(\d{1,2})[.:](\d{1,2})")
_HALF_DAY = 12 * SECONDS_OF["hours"]


def asks_for(ask: Ask, value: Fraction | Date | Timing) -> bool:
    """Whether a phrase asks for a value.

    The data writes a date as its year, year and month, month or day, whichever differs between two
    dates: ``1641``, ``1641.05``, ``0.05`` or ``12``. It writes a clock time as ``8.15``, and a
    duration as a number of some unit.

    Args:
        ask: The annotated phrase.
        value: A number, a date, a clock time or a duration.
    """
    return ask.role == "value" and any(_is_value(text, value) for text in ask.values)


def _is_value(text: str, value: Fraction | Date | Timing) -> bool:
    if isinstance(value, Timing):
        return _is_timing(text, value)
    return _is_part_of_date(text, value) if isinstance(value, Date) else _is_number(text, value)


def _is_timing(text: str, timing: Timing) -> bool:
    """Whether a text writes a clock time, in either half of the day, or a duration."""
    parts = _PAIR.fullmatch(text)
    if parts and (timing.is_bare or not timing.is_duration):
        seconds = 3600 * int(parts[1]) + 60 * int(parts[2].ljust(2, "0"))
        return (seconds - timing.seconds) % _HALF_DAY == 0
    sizes = SECONDS_OF.values() if timing.is_duration else [SECONDS_OF["hours"]]
    return any(_is_number(text, timing.seconds / size) for size in sizes)


def _is_number(text: str, value: Fraction) -> bool:
    try:
        return Fraction(text.replace(",", "")) == value
    except (ValueError, ZeroDivisionError):
        return False


def _is_part_of_date(text: str, date: Date) -> bool:
    whole, _, month = text.partition(".")
    if not whole.isdecimal() or (month and not month.isdecimal()):
        return False
    if month:
        return date.month == int(month) and int(whole) in (0, date.year)
    return int(whole) in (date.year, date.day)
