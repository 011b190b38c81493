"""Tokenized questions and passages, with the values of a passage placed on its tokens."""

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
from workings.values import (
    CONSTANTS,
    Date,
    Number,
    Timing,
    Values,
    chronology,
    read_values,
)

UNITS = ("percent", "money", "ordinal", "year")
FEATURES = 3 + len(UNITS)

# Numbers that may be the multiple of a mention, and the units of numbers that never are.
_MULTIPLES = range(2, 13)
_AMOUNTS = frozenset(UNITS)
# "two 1-yard runs", "a pair of 32-yard field goals": what is counted begins soon after the number.
_TOKENS_AFTER_MULTIPLE = 2

_WORD = re.compile(r"\w+")
_CLAUSE_END = re.compile(r",\s+(?=(?:and|but|then|while)\b)|;\s+")
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+(?=[A-Z0-9\"'(])")


@dataclass(frozen=True)
class TokenizedText:
    """A text and its word pieces.

    Attributes:
        text: The text.
        ids: The token ids.
        offsets: The character span of each token.
    """

    text: str
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]

    @staticmethod
    def tokenize(text: str, tokenizer: Tokenizer) -> "TokenizedText":
        """Tokenize a text without special tokens.

        Raises:
            InputError: If the text is empty or has no tokens.
        """
        if not text.strip():
            raise InputError("The text is empty.", hint="Give a passage and a question with words.")
        encoded = tokenizer.encode(text, add_special_tokens=False)
        if not encoded.ids:
            raise InputError("The text contains no readable words.", hint="Give plain text.")
        return TokenizedText(text, tuple(encoded.ids), tuple(encoded.offsets))

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def values(self) -> Values:
        """The numbers and dates of the text."""
        return read_values(self.text)

    @cached_property
    def numbers(self) -> Support:
        """The distinct numbers of the text."""
        return Support(self.values.distinct_numbers)

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.offsets]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self.offsets]

    @cached_property
    def words(self) -> list[tuple[str, range]]:
        """The case-folded words, with their tokens."""
        spans = ((match, self.locate(*match.span())) for match in _WORD.finditer(self.text))
        return [(match.group().casefold(), range(a, b + 1)) for match, (a, b) in spans]

    def mask_words(self, words: Collection[str], token_id: int) -> "TokenizedText":
        """Replace every token of some words by one token id."""
        masked = {token for word, tokens in self.words if word in words for token in tokens}
        ids = (token_id if index in masked else original for index, original in enumerate(self.ids))
        return replace(self, ids=tuple(ids))

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """The first and last token that overlap a character span."""
        first = min(bisect_right(self._ends, start), len(self) - 1)
        return first, max(bisect_left(self._starts, end) - 1, first)


@dataclass(frozen=True)
class MentionTable:
    """The mentions of one passage.

    Attributes:
        first: First token of each mention; -1 for a constant.
        last: Last token of each mention; -1 minus its number for a constant.
        entry: Position of each mention's value in its support or list of dates.
        features: Numeric features of each mention.
    """

    first: Tensor  # (k,)
    last: Tensor  # (k,)
    entry: Tensor  # (k,)
    features: Tensor  # (k, f)


@dataclass(frozen=True, eq=False)
class PassageInput:
    """A tokenized passage and its values. Tables are computed lazily and cached."""

    tokens: TokenizedText
    values: Values

    @staticmethod
    def from_text(text: str, tokenizer: Tokenizer) -> "PassageInput":
        """Tokenize a passage and read its values."""
        return PassageInput(TokenizedText.tokenize(text, tokenizer), read_values(text))

    def __len__(self) -> int:
        return len(self.tokens)

    def clear_cache(self) -> None:
        """Drop all cached tables and supports, to free memory."""
        for name in set(self.__dict__) - {"tokens", "values"}:
            del self.__dict__[name]

    @cached_property
    def operands(self) -> Support:
        """The sorted operand list: the passage's numbers and the constants."""
        return Support(tuple(sorted({*self.values.distinct_numbers, *CONSTANTS})))

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """The distinct dates."""
        return self.values.distinct_dates

    @cached_property
    def years(self) -> Support:
        """The distinct years of the dates."""
        years = {Fraction(date.year) for date in self.dates if date.year is not None}
        return Support(tuple(sorted(years)))

    @cached_property
    def year_of_date(self) -> Tensor:
        """For each date the position of its year, or -1 if it has none."""
        positions = self.years.positions
        index = [-1 if d.year is None else positions[Fraction(d.year)] for d in self.dates]
        return torch.tensor(index, dtype=torch.long)

    @cached_property
    def date_ranks(self) -> Tensor:
        """For each date its rank in chronological order."""
        rank = {date: index for index, date in enumerate(sorted(self.dates, key=chronology))}
        return torch.tensor([rank[date] for date in self.dates], dtype=torch.long)

    @cached_property
    def timings(self) -> tuple[Timing, ...]:
        """The distinct clock times and durations."""
        return self.values.distinct_timings

    @cached_property
    def number_mentions(self) -> MentionTable:
        """The mentions of numbers, then the constants."""
        positions, mentions = self.operands.positions, self.values.numbers
        spans = [self.tokens.locate(number.start, number.end) for number in mentions]
        spans += [(-1, -1 - index) for index in range(len(CONSTANTS))]
        entries = [positions[n.value] for n in mentions] + [positions[c] for c in CONSTANTS]
        constants = [[1.0, *[0.0] * (FEATURES - 1)]] * len(CONSTANTS)
        features = [_features(n, positions[n.value] / len(positions)) for n in mentions]
        return _table(spans, entries, features + constants)

    @cached_property
    def date_mentions(self) -> MentionTable:
        """The mentions of dates."""
        positions = {date: index for index, date in enumerate(self.dates)}
        spans = [self.tokens.locate(m.start, m.end) for m in self.values.dates]
        entries = [positions[m.date] for m in self.values.dates]
        ranks = (self.date_ranks / max(1, len(self.dates))).tolist()
        features = [_date_features(m.date, ranks[positions[m.date]]) for m in self.values.dates]
        return _table(spans, entries, features)

    @cached_property
    def timing_mentions(self) -> MentionTable:
        """The mentions of clock times and durations."""
        positions = {timing: index for index, timing in enumerate(self.timings)}
        order = {t: i for i, t in enumerate(sorted(positions, key=lambda each: each.seconds))}
        size = max(1, len(positions))
        spans = [self.tokens.locate(m.start, m.end) for m in self.values.timings]
        entries = [positions[m.timing] for m in self.values.timings]
        features = [_timing_features(m.timing, order[m.timing] / size) for m in self.values.timings]
        return _table(spans, entries, features)

    @cached_property
    def multiples(self) -> Tensor:
        """For each token how many things it may mention, by a small number beside it; else 1.

        In "a pair of 32-yard field goals" the tokens of "pair" and the next ones have a 2.
        """
        multiples = torch.ones(len(self), dtype=torch.long)
        for number in self.values.numbers:
            if number.unit in _AMOUNTS or number.value not in _MULTIPLES:
                continue
            first, last = self.tokens.locate(number.start, number.end)
            multiples[first : last + 1 + _TOKENS_AFTER_MULTIPLE] = int(number.value)
        return multiples

    @cached_property
    def sentences(self) -> Tensor:
        """The sentence number of each token."""
        return self._segments(_SENTENCE_END)

    @cached_property
    def clauses(self) -> Tensor:
        """The clause number of each token; a sentence has one or more clauses."""
        return self._segments(_SENTENCE_END, _CLAUSE_END)

    def _segments(self, *ends: re.Pattern[str]) -> Tensor:
        """For each token the number of segment ends before it."""
        text = self.tokens.text
        bounds = sorted(match.end() for end in ends for match in end.finditer(text))
        numbers = [bisect_right(bounds, start) for start, _ in self.tokens.offsets]
        return torch.tensor(numbers, dtype=torch.long)


def _features(number: Number, rank: float) -> list[float]:
    """Rank, magnitude, wholeness and unit of a number, which word pieces represent badly."""
    size = log10(1 + abs(float(number.value))) / 10 if abs(number.value) < 10**300 else 30.0
    return [rank, size, float(number.value.denominator == 1)] + [
        float(number.unit == unit) for unit in UNITS
    ]


def _date_features(date: Date, rank: float) -> list[float]:
    """Rank and known parts of a date."""
    known = [float(date.month is not None), float(date.day is not None)]
    return [rank, *known, *[0.0] * len(UNITS)]


def _timing_features(timing: Timing, rank: float) -> list[float]:
    """Rank and sort of a timing; the features of known parts are those of dates alone."""
    sorts = (timing.is_duration, not timing.is_duration, timing.is_bare, timing.is_half_day)
    return [rank, 0.0, 0.0, *map(float, sorts)]


def _table(
    spans: Sequence[tuple[int, int]], entries: Sequence[int], features: Sequence[Sequence[float]]
) -> MentionTable:
    return MentionTable(
        torch.tensor([first for first, _ in spans], dtype=torch.long),
        torch.tensor([last for _, last in spans], dtype=torch.long),
        torch.tensor(entries, dtype=torch.long),
        torch.tensor(features, dtype=torch.float).reshape(len(entries), FEATURES),
    )
