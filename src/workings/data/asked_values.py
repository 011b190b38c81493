"""Which values the annotated phrases of a question ask for."""

from fractions import Fraction

from workings.data.records import Ask
from workings.values import Date


def asks_for(ask: Ask, value: Fraction | Date) -> bool:
    """Whether a phrase asks for a value.

    The data writes a date as its year, year and month, month or day, whichever tells two dates
    apart: ``1641``, ``1641.05``, ``0.05`` or ``12``.

    Args:
        ask: The annotated phrase.
        value: A number or a date.
    """
    return ask.role == "value" and any(_is_value(text, value) for text in ask.values)


def _is_value(text: str, value: Fraction | Date) -> bool:
    return _is_part_of_date(text, value) if isinstance(value, Date) else _is_number(text, value)


def _is_number(text: str, value: Fraction) -> bool:
    try:
        return Fraction(text.replace(",", "")) == value
    except (ValueError, ZeroDivisionError):
        return False


def _is_part_of_date(text: str, date: Date) -> bool:
    whole, _, month = text.partition(".")
    if not whole.isdecimal() or (month and not month.isdecimal()):
        return False
    if month:
        return date.month == int(month) and int(whole) in (0, date.year)
    return int(whole) in (date.year, date.day)
