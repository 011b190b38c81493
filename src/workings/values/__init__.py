"""Read every number and date of a text, exactly and with its place."""

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
    """All numbers and dates of ``text``; nothing is guessed that the text does not say."""
    dates, years = read_dates(text)
    return Values(read_numbers(text, years), dates)
