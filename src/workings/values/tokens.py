"""A text as runs of digits and words, each knowing what stands between it and the one before."""

import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple

# Longer runs of digits are identifiers, not amounts; the limit also keeps arithmetic on them cheap.
MAX_DIGITS = 30

HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

_TOKEN = re.compile(
    r"""(?P<digits> \d{1,3} (?: [,\u00a0\u2009\u202f] \d{3} )+ (?!\d) (?: \.\d+ )?
                  | \d+ (?: \.\d+ )?
                  | (?<! [\w.] ) \.\d+ )
      | (?P<vulgar> [\u00bc-\u00be\u2150-\u215e] )
      | [^\W\d_]+""",
    re.VERBOSE,
)
_GROUPING = re.compile(r"[,\s]")
_LINK = re.compile(r"\s{1,3}|\s?[-\u2010\u2011]\s?")


class Token(NamedTuple):
    """A run of digits (with its value) or a word (lower-cased)."""

    word: str
    start: int
    end: int
    gap: str
    value: Fraction | None = None

    @property
    def linked(self) -> bool:
        """Whether only a space or a hyphen parts it from the token before."""
        return _LINK.fullmatch(self.gap) is not None

    @property
    def glued(self) -> bool:
        return not self.gap


def tokenise(text: str) -> list[Token]:
    """The tokens of ``text`` in order."""
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
