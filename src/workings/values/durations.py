"""Reads durations of several units in words: "2 hours and 30 minutes"."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.values.types import Duration, Number

_SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}
_SECONDS |= {"hr": 3600, "min": 60, "sec": 1}
_UNIT = re.compile(rf"\s({'|'.join(_SECONDS)})s?\b", re.IGNORECASE)
_JOINTS = (" ", ", ", " and ", ", and ")


def read_durations(text: str, numbers: Sequence[Number]) -> Iterator[Duration]:
    """Read the durations of two or more units, each smaller than the one before.

    Args:
        text: The text.
        numbers: Its numbers in order; those of a duration remain numbers too.
    """
    start, end, size, units, total = 0, -1, 0, 0, Fraction(0)
    for number in numbers:
        unit = _UNIT.match(text, number.end)
        if unit is None or number.value < 0 or number.unit not in ("plain", "fraction"):
            continue
        seconds = _SECONDS[unit[1].lower()]
        if end >= 0 and seconds < size and text[end : number.start] in _JOINTS:
            total, units = total + number.value * seconds, units + 1
        else:
            if units > 1:
                yield Duration(total, start, end)
            start, total, units = number.start, number.value * seconds, 1
        end, size = unit.end(), seconds
    if units > 1:
        yield Duration(total, start, end)
