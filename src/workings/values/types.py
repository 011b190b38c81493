"""The values of a text: exact numbers, partial dates, times, durations, with their positions."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workings.values.lexicon import MONTH_NAMES

# Operands that a text need not state: none, one more, and the whole of a percentage.
CONSTANTS = (Fraction(0), Fraction(1), Fraction(100))
# Decimals that are written of a number whose decimals do not terminate.
_ENDLESS_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Number:
    """One mention of a number.

    Attributes:
        value: The exact value.
        start: The position of its first character; signs and currency signs come before it.
        end: The position after its last character.
        unit: ``plain``, ``percent``, ``money``, ``ordinal``, ``fraction``, ``year``, or
            ``multiple`` for words such as "twice" and "both".
    """

    value: Fraction
    start: int
    end: int
    unit: str = "plain"


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar date. Any part may be unknown; years BC are negative."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        """The date in English: "5 July 1942", "July 1942", "AD 79", "44 BC"."""
        day = "" if self.day is None else str(self.day)
        month = "" if self.month is None else MONTH_NAMES[self.month - 1].capitalize()
        return " ".join(filter(None, (day, month, _written_year(self.year))))


@dataclass(frozen=True, slots=True)
class DateMention:
    """One mention of a date."""

    date: Date
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day from 0:00 to 24:00."""

    hour: int
    minute: int = 0
    second: int = 0

    @property
    def seconds(self) -> int:
        """The seconds since midnight."""
        return 3600 * self.hour + 60 * self.minute + self.second

    def __str__(self) -> str:
        """The time on a clock of 24 hours: "9:05", "19:45", "14:03:59"."""
        second = f":{self.second:02d}" if self.second else ""
        return f"{self.hour}:{self.minute:02d}{second}"


@dataclass(frozen=True, slots=True)
class TimeMention:
    """One mention of a time of day."""

    time: Time
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Duration:
    """One mention of a duration that is written in several units, as "2h30"; exact in seconds."""

    seconds: Fraction
    start: int
    end: int

    def __str__(self) -> str:
        """The duration in hours, minutes and seconds: "2:30:00", "0:01:23.45"."""
        minutes, seconds = divmod(self.seconds, 60)
        whole, part = divmod(seconds, 1)
        decimals = format_number(part)[1:] if part else ""
        return f"{minutes // 60}:{minutes % 60:02d}:{int(whole):02d}{decimals}"


@dataclass(frozen=True, slots=True)
class Timing:
    """A clock time or a duration, as an operand of questions that ask for hours or minutes.

    Attributes:
        seconds: The seconds since midnight, or the seconds of the duration.
        is_duration: Whether it is a duration.
        is_half_day: Whether a clock time may be of either half of the day: "8:15", but not "8:15
            pm" and not "20:15".
        is_bare: Whether it is written as two numbers, "3:12", which are minutes and seconds where
            a question asks for seconds. ``seconds`` takes them for hours and minutes.
    """

    seconds: Fraction
    is_duration: bool = False
    is_half_day: bool = False
    is_bare: bool = False

    def __str__(self) -> str:
        """The clock time, or the duration in its units: "9:05", "2 h 26 min", "3 min 33.6 s"."""
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        if self.is_bare or not self.is_duration:
            end = f":{int(seconds):02d}" if seconds else ""
            return f"{hours}:{minutes:02d}{end}"
        parts = ((Fraction(hours), "h"), (Fraction(minutes), "min"), (seconds, "s"))
        named = [f"{format_number(amount)} {unit}" for amount, unit in parts if amount]
        return " ".join(named) or "0 s"


@dataclass(frozen=True, slots=True)
class TimingMention:
    """One mention of a clock time or a duration."""

    timing: Timing
    start: int
    end: int


@dataclass(frozen=True)
class Values:
    """All mentions of numbers, dates, times of day and durations, each in text order.

    ``timings`` are the operands of questions about time: the times and durations, and also "35
    minutes" and the hours of "from 9 to 5", which are numbers as well.
    """

    numbers: tuple[Number, ...] = ()
    dates: tuple[DateMention, ...] = ()
    times: tuple[TimeMention, ...] = ()
    durations: tuple[Duration, ...] = ()
    timings: tuple[TimingMention, ...] = ()

    @cached_property
    def distinct_numbers(self) -> tuple[Fraction, ...]:
        """The distinct values, ascending."""
        return tuple(sorted({number.value for number in self.numbers}))

    @cached_property
    def distinct_dates(self) -> tuple[Date, ...]:
        """The distinct dates, in the order of their first mention."""
        return tuple(dict.fromkeys(mention.date for mention in self.dates))

    @cached_property
    def distinct_timings(self) -> tuple[Timing, ...]:
        """The distinct clock times and durations, in the order of their first mention."""
        return tuple(dict.fromkeys(mention.timing for mention in self.timings))


def earlier(first: Date, second: Date) -> bool:
    """Whether ``first`` is strictly before ``second``."""
    return chronology(first) < chronology(second)


def chronology(date: Date) -> tuple[float, float, float]:
    """The sort key of a date; unknown parts sort before known ones."""

    def key(part: int | None) -> float:
        return -math.inf if part is None else part

    return key(date.year), key(date.month), key(date.day)


def years_between(later: Date, earlier: Date) -> int | None:
    """The difference of two years; None if either is unknown.

    As in DROP's answers, years are subtracted as written: 5 BC to AD 5 is 10, although there was
    no year 0.
    """
    if later.year is None or earlier.year is None:
        return None
    return later.year - earlier.year


def format_number(value: Fraction) -> str:
    """Decimals without commas or trailing zeros; three decimals if they do not terminate."""
    if value.denominator == 1:
        return str(value.numerator)
    decimals = count_decimals(value)
    decimals = _ENDLESS_DECIMALS if decimals is None else decimals
    scaled = round(abs(value) * 10**decimals)
    whole, part = divmod(scaled, 10**decimals)
    digits = f"{whole}.{part:0{decimals}d}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 and scaled else digits


def format_exact(value: Fraction) -> str:
    """Decimals if they terminate, else a fraction: "3.2", "2/3"."""
    decimal = format_number(value)
    return decimal if Fraction(decimal) == value else str(value)


def count_decimals(value: Fraction) -> int | None:
    """The number of decimals that write a value exactly; None if its decimals do not terminate."""
    denominator, decimals = value.denominator, 0
    for factor in (2, 5):
        count = 0
        while denominator % factor == 0:
            denominator //= factor
            count += 1
        decimals = max(decimals, count)
    return decimals if denominator == 1 else None


def _written_year(year: int | None) -> str:
    if year is None:
        return ""
    if year < 0:
        return f"{-year} BC"
    return str(year) if year >= 1000 else f"AD {year}"
