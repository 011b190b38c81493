"""Reads evidence: an annotator's note on how an answer follows from the passage."""

import re
from dataclasses import dataclass
from fractions import Fraction

from workings.supervision.expressions import DASHES, Expression, parse_expression, signed_terms
from workings.values import Date, read_values

_ISO_DATE = re.compile(r"(-?\d{3,4})(?:-(\d\d))?(?:-(\d\d))?")
_CLOCK_TIME = re.compile(r"\d[:.h]\s?\d\d\b|\d\s?[ap]\.?m\b|\b(?:noon|midnight|o'clock)\b")
_DATE_SEPARATOR = re.compile(rf"\s*[{DASHES}]\s*|\s+to\s+")
_NONE = frozenset(("none", "no", "nothing", "zero", "0", "n/a"))


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One of the parts of evidence that semicolons separate."""

    text: str
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence, read in every way it can be read.

    Attributes:
        items: The parts that semicolons separate.
        expression: The arithmetic expression that it is, if it is one.
        added: The terms that the expression adds, if it is a sum.
        subtracted: The terms that the expression subtracts, if it is a sum.
        date_pair: The two dates that it names, if it names two.
        is_none: Whether it says that there is none.
        has_clock_time: Whether it names a time of day or a time in minutes and seconds.
    """

    items: tuple[EvidenceItem, ...] = ()
    expression: Expression | None = None
    added: tuple[Fraction, ...] = ()
    subtracted: tuple[Fraction, ...] = ()
    date_pair: tuple[Date, ...] = ()
    is_none: bool = False
    has_clock_time: bool = False

    @property
    def terms(self) -> tuple[Fraction, ...]:
        """All terms of the sum, those added first."""
        return (*self.added, *self.subtracted)

    @property
    def total(self) -> Fraction:
        """The value of the sum."""
        return sum(self.added, Fraction(0)) - sum(self.subtracted, Fraction(0))


def read_evidence(text: str) -> Evidence:
    """Read ``34-21``, ``53;24;40``, ``33-yard;30-yard``, ``1689-1683``, ``none`` or a phrase."""
    expression = parse_expression(text)
    added, subtracted = ((), ()) if expression is None else signed_terms(expression)
    return Evidence(
        items=tuple(_item(part.strip()) for part in text.split(";") if part.strip()),
        expression=expression,
        added=added,
        subtracted=subtracted,
        date_pair=_date_pair(text),
        is_none=text.strip().lower() in _NONE,
        has_clock_time=_CLOCK_TIME.search(text) is not None,
    )


def _item(text: str) -> EvidenceItem:
    values = read_values(text)
    numbers = tuple(dict.fromkeys(number.value for number in values.numbers))
    dates = tuple(mention.date for mention in values.dates)
    return EvidenceItem(text, numbers, _iso_date(text) or dates)


def _iso_date(text: str) -> tuple[Date, ...]:
    """The date of ``1641-05-12``, ``1641-05`` or ``0000-05-12``, of which the last has no year.

    A number alone is no date here: it may be an amount.
    """
    match = _ISO_DATE.fullmatch(text)
    if not match or match.group(2) is None:
        return ()
    year, month, day = (int(part) if part else None for part in match.groups())
    possible = month is not None and 1 <= month <= 12 and (day is None or 1 <= day <= 31)
    return (Date(year or None, month, day),) if possible else ()


def _date_pair(text: str) -> tuple[Date, ...]:
    """The first date of each part, if the text has two parts and both have a date."""
    parts = text.split(";") if ";" in text else _DATE_SEPARATOR.split(text)
    if len(parts) != 2:
        return ()
    dates = [_item(part.strip()).dates for part in parts]
    return tuple(found[0] for found in dates) if all(dates) else ()
