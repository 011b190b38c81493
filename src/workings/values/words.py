"""Reads the longest number that starts at a token."""

from dataclasses import dataclass
from fractions import Fraction

from workings.values import lexicon as lex
from workings.values.digits import MAX_DIGITS
from workings.values.parts import past_article, spoken_part, written_part
from workings.values.tokens import Tokens

_SPOKEN_DIGITS = lex.UNITS | {"oh": 0, "nought": 0}


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """A number that covers the tokens up to ``stop``; ``bare`` is the number before its scale."""

    value: Fraction
    stop: int
    unit: str = "plain"
    scale: int = 1
    bare: "ParsedNumber | None" = None


def read_number(tokens: Tokens, at: int) -> ParsedNumber | None:
    """The longest number starting at this token."""
    multiple = _multiple(tokens, at)
    if multiple is not None:
        return multiple
    group = _fraction(tokens, at) or _digits(tokens, at) or _decimal(tokens, at)
    if group is None or group.unit == "ordinal":
        return group
    return _scaled(tokens, _and_a_half(tokens, group))


def read_year(tokens: Tokens, at: int) -> ParsedNumber | None:
    """A year in words that starts at this token: "nineteen ninety-eight", "nineteen oh five"."""
    century = _small(tokens, at)
    if century is None:
        return None
    zero = tokens.follower(century.stop) in _SPOKEN_DIGITS
    rest = _small(tokens, century.stop + zero)
    return rest and ParsedNumber(100 * century.value + rest.value, rest.stop)


def scaled(bare: ParsedNumber, scale: int, stop: int) -> ParsedNumber:
    """The number multiplied by a scale that ends before ``stop``."""
    return ParsedNumber(bare.value * scale, stop, scale=scale, bare=bare)


def _multiple(tokens: Tokens, at: int) -> ParsedNumber | None:
    """ "twice", "both", "double the", "a pair", "a couple of", "a couple of hundred"."""
    word, noun = tokens[at].word, tokens.follower(at + 1)
    if word in lex.FACTORS and noun in ("the", "that", "what"):
        return ParsedNumber(Fraction(lex.FACTORS[word]), at + 1, "multiple")
    if word in lex.MULTIPLES:
        return ParsedNumber(Fraction(lex.MULTIPLES[word]), at + 1, "multiple")
    if word not in ("a", "another") or noun not in lex.PAIRS:
        return None
    pair = ParsedNumber(Fraction(2), at + 2, "multiple")
    of = tokens.follower(pair.stop) == "of"
    after = tokens.follower(pair.stop + of)
    scale = 100 if after == "hundred" else lex.SCALES.get(after)
    if scale:
        return scaled(pair, scale, pair.stop + of + 1)
    counts = of or noun == "pair" or after == "more" or _is_plural(after)
    return pair if counts else None


def _is_plural(word: str) -> bool:
    return len(word) > len("has") and word.endswith("s") and not word.endswith("ss")


def _fraction(tokens: Tokens, at: int) -> ParsedNumber | None:
    part, stop = spoken_part(tokens, at)
    return ParsedNumber(part, stop, "fraction") if part else None


def _digits(tokens: Tokens, at: int) -> ParsedNumber | None:
    """ "24", "1/2", "3 1/2", "3½"."""
    whole = tokens[at].value
    if whole is None:
        return None
    part, stop = written_part(tokens, at)
    if part:
        return ParsedNumber(part, stop, "fraction")
    part, stop = written_part(tokens, at + 1)
    if part and tokens[at + 1].linked:
        return ParsedNumber(whole + part, stop, "fraction")
    return ParsedNumber(whole, at + 1)


def _and_a_half(tokens: Tokens, group: ParsedNumber) -> ParsedNumber:
    """ "two and a half", "3 and a quarter"."""
    stop = group.stop
    if tokens.follower(stop) == "and" and tokens.follower(stop + 1) in ("a", "one"):
        part = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}.get(tokens.follower(stop + 2))
        if part:
            return ParsedNumber(group.value + part, stop + 3, "fraction")
    return group


def _small(tokens: Tokens, at: int) -> ParsedNumber | None:
    """Below one hundred, or an ordinal of one word: "seven", "twenty-three", "twenty-third"."""
    word, unit = tokens[at].word, tokens.follower(at + 1)
    if word in lex.TENS:
        tens = lex.TENS[word]
        if lex.UNITS.get(unit):
            return ParsedNumber(Fraction(tens + lex.UNITS[unit]), at + 2)
        if unit in lex.UNIT_ORDINALS:
            return ParsedNumber(Fraction(tens + lex.UNIT_ORDINALS[unit]), at + 2, "ordinal")
        return ParsedNumber(Fraction(tens), at + 1)
    if word in lex.SMALL:
        return ParsedNumber(Fraction(lex.SMALL[word]), at + 1)
    if word in lex.ORDINALS and not _is_time(tokens, at):
        return ParsedNumber(Fraction(lex.ORDINALS[word]), at + 1, "ordinal")
    return None


def _is_time(tokens: Tokens, at: int) -> bool:
    """Whether "second" is a unit of time: "one second", "30-second", "per second"."""
    before = tokens[at - 1]
    counted = before.value is not None or before.word in lex.SMALL or before.word in lex.TENS
    return tokens.follower(at) == "second" and (counted or before.word in ("per", "split"))


def _article(tokens: Tokens, at: int) -> ParsedNumber | None:
    """The "a" of "a hundred", "a million", "a dozen"."""
    after = tokens.follower(at + 1)
    counts = tokens[at].word == "a" and (after in lex.SCALES or after == "hundred")
    return ParsedNumber(Fraction(1), at + 1) if counts else None


def _hundreds(tokens: Tokens, at: int) -> ParsedNumber | None:
    """Below ten thousand: "seven", "three hundred and five", "a hundred", "twenty-five hundred"."""
    small = _article(tokens, at) or _small(tokens, at)
    if small is None or small.unit == "ordinal":
        return small
    follower, stop = tokens.follower(small.stop), small.stop + 1
    if follower == "hundredth":
        return ParsedNumber(small.value * 100, stop, "ordinal")
    if follower != "hundred":
        return small
    start = _past_and(tokens, stop)
    rest = _small(tokens, start) if tokens[start].linked else None
    if rest is None or not 0 < rest.value < 100 or tokens.follower(rest.stop) == "hundred":
        return ParsedNumber(small.value * 100, stop)
    return ParsedNumber(small.value * 100 + rest.value, rest.stop, rest.unit)


def _decimal(tokens: Tokens, at: int) -> ParsedNumber | None:
    """A number in words with its decimals: "seven", "one point five", "two point oh five"."""
    whole = _hundreds(tokens, at)
    if whole is None or whole.unit == "ordinal" or not _is_spoken(tokens, whole.stop, "point"):
        return whole
    digits, stop = "", whole.stop + 1
    while tokens[stop].word in _SPOKEN_DIGITS and tokens[stop].gap.isspace():
        digits += str(_SPOKEN_DIGITS[tokens[stop].word])
        stop += 1
    if not 0 < len(digits) <= MAX_DIGITS:
        return whole
    return ParsedNumber(whole.value + Fraction(f"0.{digits}"), stop)


def _is_spoken(tokens: Tokens, at: int, word: str) -> bool:
    """Whether a word follows after a space: "one point five", not "a one-point win"."""
    return tokens.follower(at) == word and tokens[at].gap.isspace()


def _scaled(tokens: Tokens, group: ParsedNumber) -> ParsedNumber:
    """The group with the scales after it: "3.2 million", "two thousand three hundred"."""
    at = past_article(tokens, group.stop) if group.unit == "fraction" else group.stop
    word, stop = tokens.follower(at), at + 1
    if word in lex.SCALE_ORDINALS:
        return ParsedNumber(group.value * lex.SCALE_ORDINALS[word], stop, "ordinal")
    if word not in lex.SCALES:
        return group
    return _below(tokens, scaled(group, lex.SCALES[word], stop), lex.SCALES[word])


def _below(tokens: Tokens, top: ParsedNumber, limit: int) -> ParsedNumber:
    """Add the groups of smaller scales: "one million two hundred thousand and five"."""
    start = _past_and(tokens, top.stop)
    group = _hundreds(tokens, start) if tokens[start].linked else None
    if group is None or not group.value:
        return top
    scale = lex.SCALES.get(tokens.follower(group.stop), 1)
    if group.value * scale >= limit:
        return top
    stop = group.stop + (scale > 1)
    total = ParsedNumber(top.value + group.value * scale, stop, group.unit)
    return _below(tokens, total, scale) if scale > 1 else total


def _past_and(tokens: Tokens, at: int) -> int:
    return at + 1 if tokens.follower(at) == "and" else at
