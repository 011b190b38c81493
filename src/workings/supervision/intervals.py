"""The time between two dates, in the unit that a question asks for."""

from fractions import Fraction

from workings.supervision.plans import TimeUnit
from workings.values import Date, days_between, months_between, years_between

_DISTANCES = {"years": years_between, "months": months_between, "days": days_between}


def date_interval(first: Date, second: Date, unit: TimeUnit) -> Fraction | None:
    """The years, months or days between two dates, in either order.

    Args:
        first: A date.
        second: Another date.
        unit: What is counted, as the module of the unit counts it.

    Returns:
        The amount, or None if a date lacks a part that the unit needs.
    """
    amount = _DISTANCES[unit](first, second)
    return None if amount is None else Fraction(abs(amount))


def completes_last_year_later(first: Date, second: Date) -> bool:
    """Whether the later of two dates is earlier in its year than the other, by month and day."""
    parts = sorted((date.year or 0, date.month or 0, date.day or 0) for date in (first, second))
    return parts[1][1:] < parts[0][1:]
