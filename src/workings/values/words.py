"""The word reader: from a place among the tokens, the longest number that starts there."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.values import lexicon as lex
from workings.values.tokens import Token

_END = Token("", 0, 0, "\0")


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that covers tokens up to ``stop``; ``bare`` is it before its scale, up to ``inner``."""

    value: Fraction
    stop: int
    unit: str = "plain"
    scale: int = 1
    bare: Fraction = Fraction(0)
    inner: int = 0


class WordReader:
    """Reads numbers from tokens; every method looks at a bounded number of them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens

    def read(self, at: int) -> Reading | None:
        """The longest number starting at this token."""
        return self._fraction(at) or self._half(at) or self._scaled(at) or self._ordinal(at)

    def token(self, at: int) -> Token:
        return self.tokens[at] if at < len(self.tokens) else _END

    def word(self, at: int) -> str:
        """The word here if a space or hyphen links it to the one before, else nothing."""
        token = self.token(at)
        return token.word if token.linked else ""

    def _small(self, at: int, first: str) -> Reading | None:
        """Below one hundred: "seven", "twenty", "twenty-three", "twenty-third"."""
        if first in lex.TENS:
            tens, unit = lex.TENS[first], self.word(at + 1)
            if 0 < lex.SMALL.get(unit, 0) < 10:
                return Reading(Fraction(tens + lex.SMALL[unit]), at + 2)
            if 0 < lex.SMALL_ORDINALS.get(unit, 0) < 10:
                return Reading(Fraction(tens + lex.SMALL_ORDINALS[unit]), at + 2, "ordinal")
            return Reading(Fraction(tens), at + 1)
        if first in lex.SMALL:
            return Reading(Fraction(lex.SMALL[first]), at + 1)
        ordinal = lex.SMALL_ORDINALS.get(first) or lex.TENS_ORDINALS.get(first)
        return Reading(Fraction(ordinal), at + 1, "ordinal") if ordinal else None

    def _hundreds(self, at: int, first: str) -> Reading | None:
        """Below ten thousand: "seven", "three hundred and five", "a hundred", "twenty-five hundred"."""
        small = self._article(at, first) or self._small(at, first)
        if small is None or small.unit == "ordinal":
            return small
        follower = self.word(small.stop)
        if follower == "hundredth":
            return Reading(small.value * lex.HUNDRED, small.stop + 1, "ordinal")
        if follower != "hundred" or not small.value:
            return small
        value = small.value * lex.HUNDRED
        rest = self._rest(small.stop + 1)
        if rest is None or rest.value >= lex.HUNDRED:
            return Reading(value, small.stop + 1)
        return Reading(value + rest.value, rest.stop, rest.unit)

    def _article(self, at: int, first: str) -> Reading | None:
        """The "a" of "a hundred", "a million", "a dozen"."""
        follows = self.word(at + 1)
        scaled = follows in lex.SCALES or follows in lex.SCALE_ORDINALS
        return Reading(Fraction(1), at + 1) if first in ("a", "an") and scaled else None

    def _rest(self, at: int) -> Reading | None:
        """What may follow a scale: "(and) five", unless a scale of its own makes it another number."""
        start = at + 1 if self.word(at) == "and" else at
        rest = self._small(start, self.word(start))
        if rest is None or not rest.value or self.word(rest.stop) == "hundred":
            return None
        return rest

    def _scaled(self, at: int) -> Reading | None:
        """Digits or words with their scales: "3.2 million", "two thousand three hundred"."""
        token = self.token(at)
        group = (
            self._digits(at, token.value)
            if token.value is not None
            else self._hundreds(at, token.word)
        )
        if group is None or group.unit == "ordinal":
            return None if group is None else self._checked(at, group)
        mixed = self._and_a_half(group)
        return self._scales(mixed) or mixed

    def _scales(self, group: Reading) -> Reading | None:
        word = self.word(group.stop)
        scale = lex.SCALES.get(word) or lex.SCALE_ORDINALS.get(word)
        if scale is None or not group.value:
            glued = self.token(group.stop)
            scale = lex.SCALES.get(glued.word) if glued.glued and len(glued.word) == 2 else None
            if scale is None:
                return None
        unit = "ordinal" if word in lex.SCALE_ORDINALS else "plain"
        top = Reading(
            group.value * scale, group.stop + 1, unit, scale, bare=group.value, inner=group.stop
        )
        return self._below(top) if unit == "plain" else top

    def _below(self, top: Reading) -> Reading:
        """Add the smaller groups after a scale: "... two hundred thousand and five"."""
        scale, value, stop, unit = top.scale, top.value, top.stop, top.unit
        while unit == "plain":
            start = stop + 1 if self.word(stop) == "and" else stop
            group = self._hundreds(start, self.word(start))
            if group is None or not group.value:
                break
            lower = lex.SCALES.get(self.word(group.stop), 1)
            if lower >= scale or group.value * lower >= scale:
                break
            scale, value, unit = lower, value + group.value * lower, group.unit
            stop = group.stop + (lower > 1)
        return top if stop == top.stop else Reading(value, stop, unit)

    def _digits(self, at: int, value: Fraction) -> Reading:
        """Digits with a fraction after them: "3 1/2", "3\u00bd"; or one alone: "1/2"."""
        part, stop = self._slashed(at + 1)
        after = self.token(at + 1)
        if part and (after.linked or after.glued) and value.denominator == 1:
            return Reading(value + part, stop, "fraction")
        part, stop = self._slashed(at)
        return Reading(part, stop, "fraction") if part else Reading(value, at + 1)

    def _slashed(self, at: int) -> tuple[Fraction, int]:
        """A written fraction here, or zero."""
        top, bottom = self.token(at), self.token(at + 1)
        if top.value is None:
            return Fraction(0), at
        if 0 < top.value < 1 and top.word.isnumeric():
            return top.value, at + 1
        small = bottom.value in (2, 3, 4, 5, 8) and bottom.gap in ("/", "\u2044")
        if small and bottom.value and 0 < top.value < bottom.value and top.value.denominator == 1:
            return top.value / bottom.value, at + 2
        return Fraction(0), at

    def _and_a_half(self, group: Reading) -> Reading:
        words = tuple(self.word(group.stop + ahead) for ahead in range(3))
        if words[0] == "and" and words[1] in ("a", "one") and words[2] in ("half", "quarter"):
            part = Fraction(1, lex.DENOMINATORS[words[2]])
            return Reading(group.value + part, group.stop + 3, "fraction")
        return group

    def _fraction(self, at: int) -> Reading | None:
        """Fractions in words: "two thirds", "one-quarter", "a third of"."""
        token = self.token(at)
        top = 1 if token.word == "a" else lex.SMALL.get(token.word, 0)
        name, spaced = self.word(at + 1), self.token(at + 1).gap.isspace()
        bottom = (lex.DENOMINATORS if top == 1 else lex.PLURAL_DENOMINATORS).get(name)
        if not top or bottom is None:
            return None
        # "two quarters" and "a third touchdown" are no fractions; "two quarters of" and "a third of" are.
        sure = top > 1 and bottom != 4 or not spaced and not self._hyphened(at + 2)
        if not sure and self.word(at + 2) != "of":
            return None
        return Reading(Fraction(top, bottom), at + 2, "fraction")

    def _hyphened(self, at: int) -> bool:
        token = self.token(at)
        return token.linked and not token.gap.isspace()

    def _half(self, at: int) -> Reading | None:
        """ "half a million", "half-dozen", "half of"."""
        if self.token(at).word != "half" or (at and self.word(at) and self._counted(at - 1)):
            return None
        half = Fraction(1, 2)
        stop = at + 2 if self.word(at + 1) == "a" else at + 1
        scale = lex.SCALES.get(self.word(stop))
        if scale:
            return Reading(half * scale, stop + 1, "plain", scale, bare=half, inner=at + 1)
        return Reading(half, at + 1, "fraction") if self.word(at + 1) == "of" else None

    def _ordinal(self, at: int) -> Reading | None:
        scale = lex.SCALE_ORDINALS.get(self.token(at).word)
        return Reading(Fraction(scale), at + 1, "ordinal") if scale else None

    def _counted(self, at: int) -> bool:
        """Whether this token is a number, so that "second", "half" after it is what is counted."""
        token = self.token(at)
        return (
            token.value is not None
            or token.word in lex.SMALL
            or token.word in lex.TENS
            or token.word in lex.SMALL_ORDINALS
        )

    def _checked(self, at: int, group: Reading) -> Reading | None:
        """Leave out the "second" that is a measure of time."""
        if self.token(at).word != "second" or group.stop != at + 1 or not at:
            return group
        timed = self._counted(at - 1) or self.token(at - 1).word in ("per", "split")
        return None if timed and self.word(at) else group
