"""Reads every number and date of a text, exactly and with its position."""

from workings.values.dates import read_dates
from workings.values.numbers import read_numbers
from workings.values.types import (
    CONSTANTS,
    Date,
    DateMention,
    Number,
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
    "Number",
    "Values",
    "chronology",
    "earlier",
    "format_exact",
    "format_number",
    "read_values",
    "years_between",
]


def read_values(text: str) -> Values:
    """Read all numbers and dates of a text. Parts that the text does not state stay unknown."""
    dates, years = read_dates(text)
    return Values(read_numbers(text, years), dates)
