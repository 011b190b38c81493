"""Finds the number mentions of a text, with their units and positions."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from workings.values import lexicon as lex
from workings.values.tokens import Tokens
from workings.values.types import Number
from workings.values.words import ParsedNumber, read_number, scaled

_CURRENCY = re.compile(r"[$\u00a2-\u00a5\u20a0-\u20c0]\s?$")
_PERCENT = re.compile(r"\s?%|[\s-]?per\s?cent\b|[\s-]percentage\b", re.IGNORECASE)
_RANGE = re.compile(r"\s?[-\u2010-\u2015]\s?")


def read_numbers(text: str, years: Collection[int]) -> tuple[Number, ...]:
    """Read the numbers of a text in order; ``years`` are the positions at which a year was read."""
    tokens = Tokens(text)
    numbers: list[Number] = []
    before = -1
    for at, reading in _readings(tokens):
        unit = _unit(tokens, at, reading)
        unit = "year" if tokens[at].start in years and unit == "plain" else unit
        numbers += _mentions(tokens, at, reading, unit)
        first = tokens[before]
        if reading.scale > 1 and first.value is not None and _is_range(tokens, before, at):
            numbers.append(Number(first.value * reading.scale, first.start, first.end, unit))
        before = at if reading.stop == at + 1 else -1
    return tuple(sorted(numbers, key=lambda number: (number.start, number.end)))


def _readings(tokens: Tokens) -> Iterator[tuple[int, ParsedNumber]]:
    """Each number and the index of its first token, left to right."""
    stop = 0
    for at, token in enumerate(tokens):
        if at < stop or (token.value is None and token.word not in lex.STARTERS):
            continue
        reading = None if _is_name(tokens, at) else read_number(tokens, at)
        if reading is not None:
            reading = _with_suffix(tokens, at, reading)
            stop = reading.stop
            yield at, reading


def _is_name(tokens: Tokens, at: int) -> bool:
    """Digits of a name or a code: "B52", "km2", "&#160;", and the team "49ers"."""
    token, before, after = tokens[at], tokens[at - 1], tokens[at + 1]
    if token.value is None:
        return False
    lettered = at > 0 and token.glued and before.value is None
    return lettered or token.gap.endswith("&#") or (after.glued and after.word in ("er", "ers"))


def _with_suffix(tokens: Tokens, at: int, reading: ParsedNumber) -> ParsedNumber:
    """Include the letters that make digits an ordinal ("21st") or scale a price ("$5m")."""
    after = tokens[reading.stop]
    if tokens[reading.stop - 1].value is None:
        return reading
    if after.glued and after.word in lex.SUFFIXES:
        return replace(reading, stop=reading.stop + 1, unit="ordinal")
    if after.linked and after.word in lex.MONEY_SCALES and _is_priced(tokens, at):
        return scaled(reading, lex.MONEY_SCALES[after.word], reading.stop + 1)
    return reading


def _mentions(tokens: Tokens, at: int, reading: ParsedNumber, unit: str) -> Iterator[Number]:
    """The number, and the number before its scale: "3.2 million" is also 3.2."""
    for part in (reading.bare, reading):
        if part is not None and tokens[part.stop - 1].word != "a":
            yield Number(part.value, tokens[at].start, tokens[part.stop - 1].end, unit)


def _unit(tokens: Tokens, at: int, reading: ParsedNumber) -> str:
    if _is_priced(tokens, at) or tokens.follower(reading.stop) in lex.MONEY:
        return "money"
    if _PERCENT.match(tokens.text, tokens[reading.stop - 1].end):
        return "percent"
    return reading.unit


def _is_priced(tokens: Tokens, at: int) -> bool:
    """Whether a currency sign precedes this number, or the range that it ends ("$2-3m")."""
    if tokens[at - 1].value is not None and _RANGE.fullmatch(tokens[at].gap):
        at -= 1
    return _CURRENCY.search(tokens[at].gap[-2:]) is not None


def _is_range(tokens: Tokens, first: int, second: int) -> bool:
    """Whether two numbers share a scale, as in "2-3 million", "2 to 3 million"."""
    if second == first + 1:
        return _RANGE.fullmatch(tokens[second].gap) is not None
    joining = tokens.follower(first + 1)
    between = joining == "and" and tokens[first - 1].word == "between"
    near = second == first + 2 and len(tokens[second].gap) <= len(" $")
    return near and (joining in ("to", "or") or between)
