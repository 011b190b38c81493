"""Number mentions: what the word reader finds, with scales, units and their places."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from workings.values import lexicon as lex
from workings.values.tokens import HYPHENS, Token
from workings.values.types import Number
from workings.values.words import Reading, WordReader

_CURRENCY = re.compile(r"[$\u00a2-\u00a5\u20a0-\u20c0]\s?$")
_PERCENT = re.compile(r"\s?%|[\s-]?per\s?cent\b|[\s-]percentage\b", re.IGNORECASE)


def read_numbers(text: str, tokens: Sequence[Token], years: Collection[int]) -> tuple[Number, ...]:
    """The numbers of ``text`` in order; ``years`` are the places where a year was read."""
    return tuple(sorted(_Scan(text, tokens, years), key=lambda number: (number.start, number.end)))


class _Scan:
    """One pass over the tokens, left to right."""

    def __init__(self, text: str, tokens: Sequence[Token], years: Collection[int]) -> None:
        self.text = text
        self.tokens = tokens
        self.years = years
        self.reader = WordReader(tokens)

    def __iter__(self) -> Iterator[Number]:
        at, before = 0, None
        while at < len(self.tokens):
            reading = None if self._is_name(at) else self.reader.read(at)
            if reading is None:
                at += 1
                continue
            reading = self._money_scale(at, reading)
            yield from self._mentions(at, reading)
            if before is not None and reading.scale > 1:
                yield from self._shared_scale(before, at, reading)
            before = at if reading.stop == at + 1 and reading.scale == 1 else None
            at = reading.stop

    def _is_name(self, at: int) -> bool:
        """Digits in a name: "B52", "km2", and the team "49ers"."""
        token, after = self.tokens[at], self.reader.token(at + 1)
        if token.value is None:
            return False
        named = token.glued and at > 0 and self.tokens[at - 1].value is None
        return named or (after.glued and after.word in ("er", "ers"))

    def _money_scale(self, at: int, reading: Reading) -> Reading:
        """The letter of "$5m", which elsewhere is a measure."""
        after = self.reader.token(reading.stop)
        scale = lex.MONEY_SCALES.get(after.word)
        if scale is None or reading.scale > 1 or not self._priced(at) or len(after.gap) > 1:
            return reading
        return Reading(
            reading.value * scale, reading.stop + 1, "plain", scale, reading.value, reading.stop
        )

    def _mentions(self, at: int, reading: Reading) -> Iterator[Number]:
        """The number, and before its scale the bare one: "3.2 million" is also 3.2."""
        whole = self._with_suffix(reading)
        start, end = self.tokens[at].start, self.tokens[whole.stop - 1].end
        unit = self._unit(at, whole, end)
        if reading.scale > 1 and reading.bare:
            yield Number(reading.bare, start, self.tokens[reading.inner - 1].end, unit)
        yield Number(whole.value, start, end, unit)

    def _with_suffix(self, reading: Reading) -> Reading:
        after = self.reader.token(reading.stop)
        digits = self.tokens[reading.stop - 1].value is not None
        if digits and after.glued and after.word in lex.SUFFIXES:
            return replace(reading, stop=reading.stop + 1, unit="ordinal")
        return reading

    def _unit(self, at: int, reading: Reading, end: int) -> str:
        if self._priced(at) or self.reader.word(reading.stop) in lex.MONEY:
            return "money"
        if _PERCENT.match(self.text, end):
            return "percent"
        return "year" if self.tokens[at].start in self.years else reading.unit

    def _priced(self, at: int) -> bool:
        return _CURRENCY.search(self.tokens[at].gap[-2:]) is not None

    def _shared_scale(self, before: int, at: int, reading: Reading) -> Iterator[Number]:
        """The first of "2-3 million" counts millions too."""
        first = self.tokens[before]
        gap = self.tokens[before + 1].gap.strip()
        joined = at == before + 1 and gap and gap[0] in HYPHENS
        between = at == before + 2 and self.tokens[before + 1].word in ("to", "or")
        if first.value is not None and first.value < 1000 and (joined or between):
            value = first.value * Fraction(reading.scale)
            yield Number(value, first.start, first.end, "money" if self._priced(at) else "plain")
