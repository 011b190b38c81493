"""Finds the number mentions of a text, with their units and positions."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from workings.values import lexicon as lex
from workings.values.covered_spans import CharSpan
from workings.values.minus_signs import is_negative
from workings.values.shares import is_share
from workings.values.tokens import Tokens
from workings.values.types import Number
from workings.values.words import ParsedNumber, read_number, read_year, scaled

_CURRENCY = re.compile(r"[$\u00a2-\u00a5\u20a0-\u20c0][\s\u2212-]?$")
_CURRENCY_AFTER = re.compile(r"\s?[$\u00a2-\u00a5\u20a0-\u20c0](?!\s?\d)")
_PERCENT = re.compile(r"\s?%|[\s-]?per\s?cent\b|[\s-]percentage\b", re.IGNORECASE)
_RANGE = re.compile(r"\s?[-\u2010-\u2015]\s?")


def read_numbers(
    text: str, years: Collection[int], skipped: Iterable[CharSpan] = ()
) -> tuple[Number, ...]:
    """Read the numbers of a text in order.

    Args:
        text: The text.
        years: Positions at which a year was read.
        skipped: Spans in order that hold no numbers, such as clock times and codes.
    """
    tokens = Tokens(text, skipped)
    numbers: list[Number] = []
    last: tuple[int, ParsedNumber] | None = None
    for at, reading in _readings(tokens, years):
        unit = _unit(tokens, at, reading)
        is_year = tokens[at].start in years and unit == "plain"
        numbers += _mentions(tokens, at, reading, "year" if is_year else unit)
        if last is not None and not is_year:
            numbers += _joined(tokens, last, (at, reading), unit)
        last = None if is_year else (at, reading)
    return tuple(sorted(numbers, key=lambda number: (number.start, number.end)))


def _joined(
    tokens: Tokens, first: tuple[int, ParsedNumber], second: tuple[int, ParsedNumber], unit: str
) -> Iterator[Number]:
    """Two numbers read together: the first of "2-3 million" is scaled, a share is a fraction."""
    (start, part), (at, whole) = first, second
    value = tokens[start].value
    single = part.stop == start + 1 and value is not None
    if whole.scale > 1 and single and _is_range(tokens, start, at):
        yield _mention(tokens, start, ParsedNumber(part.value * whole.scale, part.stop), unit)
    if is_share(tokens, part, at, whole) and "-" not in tokens[start].gap:
        yield _mention(tokens, start, replace(whole, value=part.value / whole.value), "fraction")


def _readings(tokens: Tokens, years: Collection[int]) -> Iterator[tuple[int, ParsedNumber]]:
    """Each number and the index of its first token, left to right."""
    stop = 0
    for at, token in enumerate(tokens):
        if at < stop or (token.value is None and token.word not in lex.STARTERS):
            continue
        reading = _reading(tokens, at, is_year=token.start in years)
        if reading is not None:
            stop = reading.stop
            yield at, reading


def _reading(tokens: Tokens, at: int, *, is_year: bool) -> ParsedNumber | None:
    if is_year and tokens[at].value is None:
        return read_year(tokens, at)
    if not is_year and _is_name(tokens, at):
        return None
    reading = read_number(tokens, at)
    return reading and _with_suffix(tokens, at, reading)


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
        unit = "fraction" if reading.unit == "fraction" else "ordinal"
        return replace(reading, stop=reading.stop + 1, unit=unit)
    if after.linked and after.word in lex.MONEY_SCALES and _is_priced(tokens, at):
        return scaled(reading, lex.MONEY_SCALES[after.word], reading.stop + 1)
    letter = tokens.text[after.start : after.end]
    if after.glued and letter in lex.LETTER_SCALES and not _is_title(tokens, at, reading):
        return scaled(reading, lex.LETTER_SCALES[letter], reading.stop + 1)
    return reading


def _is_title(tokens: Tokens, at: int, reading: ParsedNumber) -> bool:
    """Whether a number with a letter is a name: "on Flight 12K", "AIM-9M", "14K Triad", "401k"."""
    name, after = tokens[at - 1], tokens[reading.stop + 1]
    coded = (at > 0 and tokens[at].gap == "-" and name.value is None) or after.glued
    if coded or tokens[at].word == "401" or (after.gap == " " and after.is_capital(tokens.text)):
        return True
    if tokens[at].gap != " " or not name.is_capital(tokens.text):
        return False
    before = tokens.text[max(0, name.start - 2) : name.start].rstrip(" ")
    return before != "" and before[-1] not in ".!?:\n"


def _mentions(tokens: Tokens, at: int, reading: ParsedNumber, unit: str) -> Iterator[Number]:
    """The number, and the number before its scale: "3.2 million" is also 3.2."""
    for part in (reading.bare, reading):
        if part is not None and tokens[part.stop - 1].word != "a":
            yield _mention(tokens, at, part, unit)


def _mention(tokens: Tokens, at: int, reading: ParsedNumber, unit: str) -> Number:
    """The number with its sign; like "$" and "%", the sign is outside the span."""
    signed = unit not in ("ordinal", "year") and is_negative(tokens, at)
    value = -reading.value if signed else reading.value
    return Number(value, tokens[at].start, tokens[reading.stop - 1].end, unit)


def _unit(tokens: Tokens, at: int, reading: ParsedNumber) -> str:
    end = tokens[reading.stop - 1].end
    if _is_priced(tokens, at) or tokens.follower(reading.stop) in lex.MONEY:
        return "money"
    if _CURRENCY_AFTER.match(tokens.text, end):
        return "money"
    if _PERCENT.match(tokens.text, end):
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
