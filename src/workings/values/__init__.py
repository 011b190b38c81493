"""Reads every number, date, time and duration of a text, exactly and with its position."""

from dataclasses import replace

from workings.values.calendar import days_between, months_between
from workings.values.clock import read_clock
from workings.values.codes import read_codes
from workings.values.covered_spans import CharSpan, CoveredSpans
from workings.values.dates import read_dates
from workings.values.durations import read_durations
from workings.values.elapsed import (
    SECONDS_OF,
    ClockUnit,
    amount_of,
    are_durations,
    time_apart,
    time_from,
    timing_numbers,
)
from workings.values.numbers import read_numbers
from workings.values.timings import read_timings
from workings.values.types import (
    CONSTANTS,
    Date,
    DateMention,
    Duration,
    Number,
    Time,
    TimeMention,
    Timing,
    TimingMention,
    Values,
    chronology,
    count_decimals,
    earlier,
    format_exact,
    format_number,
    years_between,
)

__all__ = [
    "CONSTANTS",
    "SECONDS_OF",
    "CharSpan",
    "ClockUnit",
    "Date",
    "DateMention",
    "Duration",
    "Number",
    "Time",
    "TimeMention",
    "Timing",
    "TimingMention",
    "Values",
    "amount_of",
    "are_durations",
    "chronology",
    "count_decimals",
    "days_between",
    "earlier",
    "format_exact",
    "format_number",
    "months_between",
    "read_values",
    "time_apart",
    "time_from",
    "timing_numbers",
    "years_between",
]


def read_values(text: str) -> Values:
    """Read all values of a text. Parts of a date that the text does not state stay unknown."""
    codes = read_codes(text)
    dates = read_dates(text, codes)
    clock = read_clock(text, codes)
    hidden = CoveredSpans([*codes, *dates.hidden, *clock.spans])
    numbers = read_numbers(text, dates.years, hidden)
    durations = sorted((*clock.durations, *read_durations(text, numbers)), key=lambda d: d.start)
    values = Values(numbers, dates.mentions, clock.times, tuple(durations))
    return replace(values, timings=read_timings(text, values))
