"""Passages and questions as pieces and tables: all a passage knows before any network reads it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log10

import torch
from tokenizers import Tokenizer
from torch import Tensor

from workings.arithmetic.support import Support
from workings.errors import InputError
from workings.values import CONSTANTS, Date, Number, Values, chronology, read_values

UNITS = ("percent", "money", "ordinal", "year")
FEATURES = 3 + len(UNITS)

_WORD = re.compile(r"\w+")
_CLAUSE_END = re.compile(r",\s+(?=(?:and|but|then|while)\b)|;\s+")
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+(?=[A-Z0-9\"'(])")


@dataclass(frozen=True)
class TokenizedText:
    """A text cut into word-pieces, each with the characters it stands for."""

    text: str
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]

    @staticmethod
    def cut(text: str, tokenizer: Tokenizer) -> "TokenizedText":
        if not text.strip():
            raise InputError("The text is empty.", hint="Give a passage and a question with words.")
        coded = tokenizer.encode(text, add_special_tokens=False)
        if not coded.ids:
            raise InputError("The text holds no readable words.", hint="Give plain text.")
        return TokenizedText(text, tuple(coded.ids), tuple(coded.offsets))

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.offsets]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self.offsets]

    @cached_property
    def words(self) -> list[tuple[str, range]]:
        """Whole words, whatever their case, with their pieces."""
        spans = ((match, self.locate(*match.span())) for match in _WORD.finditer(self.text))
        return [(match.group().casefold(), range(a, b + 1)) for match, (a, b) in spans]

    def hide(self, words: Collection[str], piece: int) -> "TokenizedText":
        """The same text, with one and the same piece for each piece of some words."""
        gone = {place for word, pieces in self.words if word in words for place in pieces}
        ids = (piece if place in gone else known for place, known in enumerate(self.ids))
        return replace(self, ids=tuple(ids))

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """First and last piece that touch the characters from ``start`` to ``end``."""
        first = min(bisect_right(self._ends, start), len(self) - 1)
        return first, max(bisect_left(self._starts, end) - 1, first)


@dataclass(frozen=True)
class MentionTable:
    """Where values stand in a passage: for each mention its pieces and the value's place."""

    first: Tensor  # (k,) first piece; -1 for a constant, which stands nowhere
    last: Tensor  # (k,) last piece; -1, -2, -3 tell the constants apart
    entry: Tensor  # (k,) place of the value in its support or date list
    features: Tensor  # (k, f)


@dataclass(frozen=True, eq=False)
class PassageInput:
    """A passage with its values placed on its pieces."""

    tokens: TokenizedText
    values: Values

    @staticmethod
    def read(text: str, tokenizer: Tokenizer) -> "PassageInput":
        return PassageInput(TokenizedText.cut(text, tokenizer), read_values(text))

    def __len__(self) -> int:
        return len(self.tokens)

    def forget(self) -> None:
        """Drop the tables and supports built so far; they are built anew when asked for."""
        for name in set(self.__dict__) - {"tokens", "values"}:
            del self.__dict__[name]

    @cached_property
    def operands(self) -> Support:
        """The sorted operand list: the passage's numbers and the constants."""
        return Support(tuple(sorted({*self.values.distinct_numbers, *CONSTANTS})))

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        return self.values.distinct_dates

    @cached_property
    def years(self) -> Support:
        """The distinct years of the dates."""
        return Support(tuple(sorted({Fraction(d.year) for d in self.dates if d.year is not None})))

    @cached_property
    def year_of_date(self) -> Tensor:
        """For each date the place of its year, or -1."""
        places = self.years.places
        found = [-1 if d.year is None else places[Fraction(d.year)] for d in self.dates]
        return torch.tensor(found, dtype=torch.long)

    @cached_property
    def date_ranks(self) -> Tensor:
        """For each date its place in the order of time."""
        rank = {date: place for place, date in enumerate(sorted(self.dates, key=chronology))}
        return torch.tensor([rank[date] for date in self.dates], dtype=torch.long)

    @cached_property
    def number_mentions(self) -> MentionTable:
        places, mentions = self.operands.places, self.values.numbers
        spans = [self.tokens.locate(n.start, n.end) for n in mentions]
        spans += [(-1, -1 - which) for which in range(len(CONSTANTS))]
        entries = [places[n.value] for n in mentions] + [places[c] for c in CONSTANTS]
        constants = [[1.0, *[0.0] * (FEATURES - 1)]] * len(CONSTANTS)
        features = [_features(n, places[n.value] / len(places)) for n in mentions] + constants
        return _table(spans, entries, features)

    @cached_property
    def date_mentions(self) -> MentionTable:
        places = {date: place for place, date in enumerate(self.dates)}
        spans = [self.tokens.locate(m.start, m.end) for m in self.values.dates]
        entries = [places[m.date] for m in self.values.dates]
        return _table(spans, entries, [[0.0] * FEATURES] * len(entries))

    @cached_property
    def sentences(self) -> Tensor:
        """For each piece the number of its sentence."""
        return self._numbered(_SENTENCE_END)

    @cached_property
    def clauses(self) -> Tensor:
        """For each piece the number of its clause: a sentence may have several."""
        return self._numbered(_SENTENCE_END, _CLAUSE_END)

    def _numbered(self, *ends: re.Pattern[str]) -> Tensor:
        """For each piece how many ends come before it."""
        text = self.tokens.text
        places = sorted(match.end() for end in ends for match in end.finditer(text))
        found = [bisect_right(places, start) for start, _ in self.tokens.offsets]
        return torch.tensor(found, dtype=torch.long)


def _features(number: Number, rank: float) -> list[float]:
    """What word-pieces tell badly of a number: its rank, size, unit and whether it is whole."""
    size = log10(1 + abs(float(number.value))) / 10 if abs(number.value) < 10**300 else 30.0
    return [rank, size, float(number.value.denominator == 1)] + [
        float(number.unit == unit) for unit in UNITS
    ]


def _table(
    spans: Sequence[tuple[int, int]], entries: Sequence[int], features: Sequence[Sequence[float]]
) -> MentionTable:
    return MentionTable(
        torch.tensor([first for first, _ in spans], dtype=torch.long),
        torch.tensor([last for _, last in spans], dtype=torch.long),
        torch.tensor(entries, dtype=torch.long),
        torch.tensor(features, dtype=torch.float).reshape(len(entries), FEATURES),
    )
