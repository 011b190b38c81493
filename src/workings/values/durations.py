"""Reads durations of several units in words: "2 hours and 30 minutes", "an hour and a half"."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import merge
from typing import NamedTuple

from workings.values.types import Duration, Number

_SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}
_SECONDS |= {"hr": 3600, "min": 60, "sec": 1}
_UNIT = re.compile(rf"\s({'|'.join(_SECONDS)})s?\b", re.IGNORECASE)
_ONE = re.compile(r"\b(an?)\s(week|day|hour|minute)\b", re.IGNORECASE)
_AND_PART = re.compile(r"\sand\sa\s(half|quarter)\b", re.IGNORECASE)
_JOINTS = (" ", ", ", " and ", ", and ")
# "One and a half hours" is a number of hours.
_PART = re.compile(
    r"""(?<! \w | -) (?<! and[\s-]a[\s-] ) (?<! and[\s-]one[\s-] )
        (?: (?P<half> half ) [\s-] (?: an? [\s-] )?
          | (?: a \s )? (?P<quarter> quarter ) \s of \s an? \s
          | three [\s-] (?P<quarters> quarters ) \s of \s an? \s )
        (?P<unit> hour | minute ) \b""",
    re.VERBOSE | re.IGNORECASE,
)
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "quarters": Fraction(3, 4)}


class _Amount(NamedTuple):
    """A number with its unit, and "and a half" if that follows."""

    start: int
    end: int
    size: int
    seconds: Fraction
    units: int


def read_durations(text: str, numbers: Sequence[Number]) -> Iterator[Duration]:
    """Read the durations of two or more units, each smaller than the one before, and half hours.

    Args:
        text: The text.
        numbers: Its numbers in order; those of a duration remain numbers too.
    """
    yield from _parts(text)
    total: _Amount | None = None
    for amount in merge(_counted(text, numbers), _ones(text)):
        joined = total is not None and text[total.end : amount.start] in _JOINTS
        if total is not None and joined and amount.size < total.size:
            seconds, units = total.seconds + amount.seconds, total.units + amount.units
            total = _Amount(total.start, amount.end, amount.size, seconds, units)
            continue
        if total is not None and total.units > 1:
            yield Duration(total.seconds, total.start, total.end)
        total = amount
    if total is not None and total.units > 1:
        yield Duration(total.seconds, total.start, total.end)


def _counted(text: str, numbers: Sequence[Number]) -> Iterator[_Amount]:
    """ "2 hours"."""
    for number in numbers:
        unit = _UNIT.match(text, number.end)
        if unit is not None and number.value >= 0 and number.unit in ("plain", "fraction"):
            yield _amount(text, number.start, unit, unit[1], number.value)


def _ones(text: str) -> Iterator[_Amount]:
    """ "an hour"."""
    for match in _ONE.finditer(text):
        yield _amount(text, match.start(), match, match[2], Fraction(1))


def _amount(text: str, start: int, unit: re.Match[str], name: str, value: Fraction) -> _Amount:
    size = _SECONDS[name.lower()]
    part = _AND_PART.match(text, unit.end())
    if part is None or value.denominator > 1:
        return _Amount(start, unit.end(), size, value * size, 1)
    return _Amount(start, part.end(), size, (value + _PARTS[part[1].lower()]) * size, 2)


def _parts(text: str) -> Iterator[Duration]:
    """ "half an hour", "a quarter of an hour"."""
    for match in _PART.finditer(text):
        part = next(value for name, value in _PARTS.items() if match[name])
        yield Duration(part * _SECONDS[match["unit"].lower()], *match.span())
