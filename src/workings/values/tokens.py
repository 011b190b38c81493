"""Splits a text into words and runs of digits, each with the text between it and the last."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from workings.values import lexicon as lex
from workings.values.covered_spans import CharSpan
from workings.values.digits import DIGITS, ENGLISH, exact, read_digits

_TOKEN = re.compile(
    rf"(?P<digits> {DIGITS} ) | (?P<vulgar> [\u00bc-\u00be\u2150-\u215e] ) | [^\W\d_]+",
    re.VERBOSE,
)
_LINK = re.compile(r"\s{0,3}|\s?[-\u2010\u2011]\s?")


class Token(NamedTuple):
    """A run of digits (with its value) or a word (in lower case)."""

    word: str
    start: int
    end: int
    gap: str
    value: Fraction | None = None

    def is_capital(self, text: str) -> bool:
        """Whether it begins with a capital letter in its text."""
        return text[self.start : self.start + 1].isupper()

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

    def __init__(self, text: str, skipped: Iterable[CharSpan] = ()) -> None:
        """Split a text.

        Args:
            text: The text.
            skipped: Spans in order that hold no words or numbers; each becomes one empty word.
        """
        self.text = text
        self._tokens: list[Token] = []
        position = 0
        for start, end in (*skipped, (len(text), len(text))):
            self._tokenise(position, start)
            if start < end:
                self._append("", start, end)
            position = end

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    def __getitem__(self, at: int) -> Token:
        return self._tokens[at] if 0 <= at < len(self._tokens) else _END

    def follower(self, at: int) -> str:
        """The word at an index if it is linked to the one before, else an empty string."""
        token = self[at]
        return token.word if token.linked else ""

    def _tokenise(self, position: int, end: int) -> None:
        while match := _TOKEN.search(self.text, position, end):
            value = _value(match)
            if match["apart"] and self._is_label(match.start()):
                match = ENGLISH.match(self.text, match.start(), end) or match
                value = exact(match[0])
            position = match.end()
            self._append(match[0].lower(), match.start(), position, value)

    def _append(self, word: str, start: int, end: int, value: Fraction | None = None) -> None:
        last = self._tokens[-1].end if self._tokens else 0
        self._tokens.append(Token(word, start, end, self.text[last:start], value))

    def _is_label(self, start: int) -> bool:
        """Whether digits follow a month or a word such as "page": "July 4 200 men came"."""
        before = self._tokens[-1] if self._tokens else _END
        month = before.word in lex.MONTH_NAMES or before.word in lex.MONTHS
        near = self.text[before.end : start].strip(". ") == ""
        return near and (month or before.word in lex.NUMBERED)


def _value(match: re.Match[str]) -> Fraction | None:
    if match["digits"]:
        return read_digits(match)
    if match["vulgar"]:
        return Fraction(unicodedata.numeric(match[0])).limit_denominator(10)
    return None
