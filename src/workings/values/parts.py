"""Reads fractions: in digits, as single characters, in words, and halves."""

from fractions import Fraction

from workings.values import lexicon as lex
from workings.values.tokens import Tokens

# "16/31" in a match report is 16 of 31; only these denominators make fractions by themselves,
# and more of them under a one: "1/7".
_DENOMINATORS = frozenset({2, 3, 4, 5, 8})
_UNIT_DENOMINATORS = frozenset({*range(2, 11), 12, 16, 20, 32, 50, 64, 100, 500, 1000, 10000})
_SLASHES = ("/", "\u2044")
_NONE = Fraction(0)


def written_part(tokens: Tokens, at: int) -> tuple[Fraction, int]:
    """ "1/2" or "½" at a token, and the token after it; zero if there is none."""
    top, bottom = tokens[at], tokens[at + 1]
    if top.value is None:
        return _NONE, at
    if 0 < top.value < 1 and len(top.word) == 1:
        return top.value, at + 1
    if bottom.gap not in _SLASHES or not bottom.value:
        return _NONE, at
    named = bottom.value in (_UNIT_DENOMINATORS if top.value == 1 else _DENOMINATORS)
    if not (named or tokens.follower(at + 2) == "of") or _in_series(tokens, at):
        return _NONE, at
    part = top.value / bottom.value
    return (part, at + 2) if 0 < part < 1 else (_NONE, at)


def _in_series(tokens: Tokens, at: int) -> bool:
    """Whether more than two numbers are joined by slashes, as in "12/3/06"."""
    return tokens[at].gap in _SLASHES or tokens[at + 2].gap in _SLASHES


def spoken_part(tokens: Tokens, at: int) -> tuple[Fraction, int]:
    """ "two thirds", "one-quarter", "a third of", "half of"; zero if there is none."""
    word = tokens[at].word
    if word == "half":
        return _half(tokens, at)
    top = 1 if word == "a" else lex.SMALL.get(word, 0)
    names = lex.PLURAL_DENOMINATORS if top > 1 else lex.DENOMINATORS
    bottom = names.get(tokens.follower(at + 1))
    if not top or bottom is None or not _is_fraction(tokens, at + 1, top, bottom):
        return _NONE, at
    return Fraction(top, bottom), at + 2


def _is_fraction(tokens: Tokens, at: int, top: int, bottom: int) -> bool:
    """Whether a fraction is meant: "two quarters of", not "two quarters" of a game."""
    if tokens.follower(at + 1) == "of" or (top > 1 and bottom != 4):
        return True
    return _hyphened(tokens, at) and not _hyphened(tokens, at + 1)


def _half(tokens: Tokens, at: int) -> tuple[Fraction, int]:
    """The half of "half of", "half a million", "half-dozen"; not the half of a game."""
    before = tokens[at - 1].word if tokens[at].linked else ""
    if before in lex.ORDINALS or before in lex.SUFFIXES:
        return _NONE, at
    meant = tokens.follower(at + 1) == "of" or past_article(tokens, at + 1) > at + 1
    meant = meant or tokens.follower(at + 1) in lex.SCALES
    return (Fraction(1, 2), at + 1) if meant else (_NONE, at)


def past_article(tokens: Tokens, at: int) -> int:
    """The index of the scale after "a" or "of a", as in "half a million"; else ``at``."""
    article = at + 1 if tokens.follower(at) == "of" else at
    scaled = tokens.follower(article) == "a" and tokens.follower(article + 1) in lex.SCALES
    return article + 1 if scaled else at


def _hyphened(tokens: Tokens, at: int) -> bool:
    token = tokens[at]
    return token.linked and bool(token.gap.strip())
