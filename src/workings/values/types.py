"""What is read from a text: exact numbers and possibly partial dates, each with its place."""

import math
from dataclasses import dataclass
from fractions import Fraction

from workings.values.lexicon import MONTH_NAMES

# Numbers that may be operands though no text states them: a share of the whole, one more, none.
CONSTANTS = (Fraction(0), Fraction(1), Fraction(100))


@dataclass(frozen=True, slots=True)
class Number:
    """One mention of a number; ``start`` and ``end`` span the words that make its value."""

    value: Fraction
    start: int
    end: int
    unit: str = "plain"


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar date of which any part may be unknown; years BC are negative."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        """As people write it: "5 July 1942", "July 1942", "AD 79", "44 BC"."""
        day = "" if self.day is None else str(self.day)
        month = "" if self.month is None else MONTH_NAMES[self.month - 1].capitalize()
        return " ".join(filter(None, (day, month, _written_year(self.year))))


@dataclass(frozen=True, slots=True)
class DateMention:
    """One mention of a date."""

    date: Date
    start: int
    end: int


@dataclass(frozen=True)
class Values:
    """All mentions of numbers and dates, each in text order."""

    numbers: tuple[Number, ...] = ()
    dates: tuple[DateMention, ...] = ()

    @property
    def distinct_numbers(self) -> tuple[Fraction, ...]:
        """The different values, ascending."""
        return tuple(sorted({number.value for number in self.numbers}))

    @property
    def distinct_dates(self) -> tuple[Date, ...]:
        """The different dates, in the order of their first mention."""
        return tuple(dict.fromkeys(mention.date for mention in self.dates))


def earlier(first: Date, second: Date) -> bool:
    """Whether ``first`` comes strictly before ``second``."""
    return chronology(first) < chronology(second)


def chronology(date: Date) -> tuple[float, float, float]:
    """What dates are sorted by; unknown parts come before known ones."""

    def known(part: int | None) -> float:
        return -math.inf if part is None else part

    return known(date.year), known(date.month), known(date.day)


def years_between(later: Date, earlier: Date) -> int | None:
    """The plain difference of the two years, where both are known.

    As DROP's answers do, years are subtracted as written: 5 BC to AD 5 is 10, though no year 0 was.
    """
    if later.year is None or earlier.year is None:
        return None
    return later.year - earlier.year


def format_number(value: Fraction) -> str:
    """Plain decimals without commas or trailing zeros, to three places where they do not end."""
    if value.denominator == 1:
        return str(value.numerator)
    places = _places(value.denominator)
    scaled = round(abs(value) * 10**places)
    whole, part = divmod(scaled, 10**places)
    digits = f"{whole}.{part:0{places}d}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 and scaled else digits


def format_exact(value: Fraction) -> str:
    """Decimals where they end, else a fraction: "3.2", "2/3"."""
    decimal = format_number(value)
    return decimal if Fraction(decimal) == value else str(value)


def _places(denominator: int) -> int:
    """How many decimals write a value of this denominator exactly, or 3 if none do."""
    places = 0
    for factor in (2, 5):
        count = 0
        while denominator % factor == 0:
            denominator //= factor
            count += 1
        places = max(places, count)
    return places if denominator == 1 else 3


def _written_year(year: int | None) -> str:
    if year is None:
        return ""
    if year < 0:
        return f"{-year} BC"
    return str(year) if year >= 1000 else f"AD {year}"
