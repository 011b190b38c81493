"""Splits a text into words and runs of digits, each with the text between it and the last."""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

# Longer runs of digits are identifiers, not amounts; the limit also keeps arithmetic on them cheap.
MAX_DIGITS = 30

_TOKEN = re.compile(
    r"""(?P<digits> \d{1,3} (?: [,\u00a0\u2009\u202f] \d{3} )+ (?!\d) (?: \.\d+ )?
                  | \d+ (?: \.\d+ )?
                  | (?<! [\w.] ) \.\d+ )
      | (?P<vulgar> [\u00bc-\u00be\u2150-\u215e] )
      | [^\W\d_]+""",
    re.VERBOSE,
)
_GROUPING = re.compile(r"[,\s]")
_LINK = re.compile(r"\s{0,3}|\s?[-\u2010\u2011]\s?")


class Token(NamedTuple):
    """A run of digits (with its value) or a word (in lower case)."""

    word: str
    start: int
    end: int
    gap: str
    value: Fraction | None = None

    @property
    def linked(self) -> bool:
        """Whether at most spaces or a hyphen separate it from the token before."""
        return _LINK.fullmatch(self.gap) is not None

    @property
    def glued(self) -> bool:
        """Whether nothing separates it from the token before."""
        return not self.gap


_END = Token("", 0, 0, gap="\n\n\n\n")


class Tokens:
    """The tokens of a text in order; every other index gives an empty token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = _tokenise(text)

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    def __getitem__(self, at: int) -> Token:
        return self._tokens[at] if 0 <= at < len(self._tokens) else _END

    def follower(self, at: int) -> str:
        """The word at an index if it is linked to the one before, else an empty string."""
        token = self[at]
        return token.word if token.linked else ""


def _tokenise(text: str) -> list[Token]:
    tokens: list[Token] = []
    last = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        tokens.append(Token(match[0].lower(), start, end, text[last:start], _value(match)))
        last = end
    return tokens


def _value(match: re.Match[str]) -> Fraction | None:
    if match["digits"]:
        digits = _GROUPING.sub("", match[0])
        return Fraction(digits) if len(digits) <= MAX_DIGITS else None
    if match["vulgar"]:
        return Fraction(unicodedata.numeric(match[0])).limit_denominator(10)
    return None
