"""Reads every number, date, time and duration of a text, exactly and with its position."""

from workings.values.calendar import days_between, months_between
from workings.values.clock import read_clock
from workings.values.codes import read_codes
from workings.values.covered_spans import CoveredSpans
from workings.values.dates import read_dates
from workings.values.durations import read_durations
from workings.values.numbers import read_numbers
from workings.values.types import (
    CONSTANTS,
    Date,
    DateMention,
    Duration,
    Number,
    Time,
    TimeMention,
    Values,
    chronology,
    earlier,
    format_exact,
    format_number,
    years_between,
)

__all__ = [
    "CONSTANTS",
    "Date",
    "DateMention",
    "Duration",
    "Number",
    "Time",
    "TimeMention",
    "Values",
    "chronology",
    "days_between",
    "earlier",
    "format_exact",
    "format_number",
    "months_between",
    "read_values",
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
    return Values(numbers, dates.mentions, clock.times, tuple(durations))
