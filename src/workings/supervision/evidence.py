"""Reading an annotator's few words on where an answer comes from, leniently."""

import re
from dataclasses import dataclass
from fractions import Fraction

from workings.values import Date, read_values

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212-"
_NUMBER = re.compile(r"[$£€]?\s*(\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?")
_UNIT = re.compile(rf"(?<=\d)[\s{_DASHES}]*(?:yards?|yds?|points?|percent|years?)\b", re.IGNORECASE)
_PIECE = re.compile(rf"[()+{_DASHES}]|[^()+{_DASHES}]+")
_SIDES = re.compile(rf"\s*[{_DASHES}]\s*|\s+to\s+")
_NOTHING = frozenset(("none", "no", "nothing", "zero", "0", "n/a"))


@dataclass(frozen=True, slots=True)
class Item:
    """One of the parts an annotator divided by semicolons."""

    text: str
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence, read in every way it can be read.

    ``gains`` and ``losses`` are the terms added and taken away where it is a sum, ``sides`` the
    two dates where it names two, ``nothing`` whether it says that there is none.
    """

    items: tuple[Item, ...] = ()
    gains: tuple[Fraction, ...] = ()
    losses: tuple[Fraction, ...] = ()
    sides: tuple[Date, ...] = ()
    nothing: bool = False

    @property
    def total(self) -> Fraction:
        """What the sum comes to."""
        return sum(self.gains, Fraction(0)) - sum(self.losses, Fraction(0))


def read_evidence(text: str) -> Evidence:
    """Read ``34-21``, ``53;24;40``, ``33-yard;30-yard``, ``1689-1683``, ``none`` or a phrase."""
    gains, losses = _sum(text)
    return Evidence(
        items=tuple(_item(part.strip()) for part in text.split(";") if part.strip()),
        gains=gains,
        losses=losses,
        sides=_sides(text),
        nothing=text.strip().lower() in _NOTHING,
    )


def _sum(text: str) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The terms of a sum with and without a minus; none at all unless every term is a number."""
    terms: dict[int, list[Fraction]] = {1: [], -1: []}
    sign, outer = 1, [1]
    for piece in _PIECE.findall(_UNIT.sub("", text.split("=")[0])):
        if piece == "(":
            outer.append(outer[-1] * sign)
            sign = 1
        elif piece == ")":
            outer = outer[:-1] or [1]
        elif piece == "+" or piece in _DASHES:
            sign = 1 if piece == "+" else -1
        elif piece.strip():
            value = _number(piece.strip())
            if value is None:
                return (), ()
            terms[outer[-1] * sign].append(value)
    return (tuple(terms[1]), tuple(terms[-1])) if terms[1] else ((), ())


def _number(text: str) -> Fraction | None:
    """The value of a text that is a number and nothing else."""
    match = _NUMBER.fullmatch(text)
    if match:
        return Fraction(match.group(1).replace(",", ""))
    numbers = read_values(text).numbers
    whole = [number.value for number in numbers if text[: number.start] + text[number.end :] == ""]
    return whole[0] if whole else None


def _item(text: str) -> Item:
    values = read_values(text)
    numbers = tuple(dict.fromkeys(number.value for number in values.numbers))
    return Item(text, numbers, tuple(mention.date for mention in values.dates))


def _sides(text: str) -> tuple[Date, ...]:
    """The first date of each part where the text falls into two dated parts."""
    parts = text.split(";") if ";" in text else _SIDES.split(text)
    if len(parts) != 2:
        return ()
    dates = [read_values(part).dates for part in parts]
    return tuple(found[0].date for found in dates) if all(dates) else ()
