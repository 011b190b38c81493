"""Exact distances between clock times, and between durations."""

from fractions import Fraction
from typing import Literal, TypeAlias

from workings.values.types import Timing

ClockUnit: TypeAlias = Literal["hours", "minutes", "seconds"]

SECONDS_OF: dict[ClockUnit, int] = {"hours": 3600, "minutes": 60, "seconds": 1}
_HALF_DAY, _DAY = 12 * 3600, 24 * 3600


def time_from(start: Timing, end: Timing, unit: ClockUnit) -> Fraction | None:
    """The time from a start to an end, which may lie after midnight.

    Args:
        start: A clock time or a duration.
        end: Another one.
        unit: What is counted.

    Returns:
        The time, or the difference of two durations; None for a clock time and a duration.
    """
    numbers = timing_numbers(end, start, unit, wraps=True)
    return None if numbers is None else abs(numbers[0] - numbers[1])


def time_apart(first: Timing, second: Timing, unit: ClockUnit) -> Fraction | None:
    """The time between two clock times of one day, or the difference of two durations.

    Args:
        first: A clock time or a duration.
        second: Another one; the order does not matter.
        unit: What is counted.

    Returns:
        The time; None for a clock time and a duration.
    """
    numbers = timing_numbers(first, second, unit, wraps=False)
    return None if numbers is None else abs(numbers[0] - numbers[1])


def amount_of(timing: Timing, unit: ClockUnit) -> Fraction | None:
    """A duration in a unit; None for a clock time."""
    return _seconds(timing, unit) / SECONDS_OF[unit] if _is_duration(timing, unit) else None


def timing_numbers(
    end: Timing, start: Timing, unit: ClockUnit, *, wraps: bool
) -> tuple[Fraction, Fraction] | None:
    """Two timings as numbers of a unit, whose distance is the time between them.

    Args:
        end: The end, or one of two events.
        start: The start, or the other event.
        unit: The unit.
        wraps: Whether an end before the start is on the next day, or in the other half of the day
            if the text does not say in which half it is.

    Returns:
        The numbers; None for a clock time and a duration.
    """
    is_duration = are_durations(end, start, unit)
    if is_duration is None:
        return None
    seconds = [_seconds(timing, unit) for timing in (end, start)]
    if not is_duration and wraps:
        is_half_day = end.is_half_day or start.is_half_day
        shifts = (-_HALF_DAY, 0, _HALF_DAY, _DAY) if is_half_day else (0, _DAY)
        seconds[0] += next(shift for shift in shifts if seconds[0] + shift >= seconds[1])
    size = SECONDS_OF[unit]
    return seconds[0] / size, seconds[1] / size


def are_durations(first: Timing, second: Timing, unit: ClockUnit) -> bool | None:
    """Whether two timings are durations, false for clock times; None for one of each."""
    sorts = {_is_duration(timing, unit) for timing in (first, second)}
    # Two bare pairs of numbers are durations if the words around either of them say so.
    if len(sorts) > 1 and not (first.is_bare and second.is_bare):
        return None
    return True in sorts


def _is_duration(timing: Timing, unit: ClockUnit) -> bool:
    return timing.is_duration or (timing.is_bare and unit == "seconds")


def _seconds(timing: Timing, unit: ClockUnit) -> Fraction:
    """The seconds; two bare numbers are minutes and seconds where seconds are asked for."""
    return timing.seconds / 60 if timing.is_bare and unit == "seconds" else timing.seconds
