"""One question with its answer, its evidence and its passage, prepared for derivation."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from workings.data.content_words import content_words, words_in
from workings.data.records import GoldAnswer, Question
from workings.supervision.evidence import Evidence, read_evidence
from workings.supervision.text_search import SearchableText
from workings.values import CharSpan, Date, Values, read_values

MAX_COUNT = 20

_T = TypeVar("_T")

_UNITS = frozenset("yard yards yd yds percent points point years year".split())


@dataclass(frozen=True)
class Case:
    """A question, one gold answer, and the passage.

    Attributes:
        passage: The words of the passage.
        values: The numbers and dates of the passage.
        question: The question.
        answer: The gold answer to derive.
    """

    passage: SearchableText
    values: Values
    question: Question
    answer: GoldAnswer

    @cached_property
    def evidence(self) -> Evidence:
        return read_evidence(self.question.evidence)

    @cached_property
    def answer_number(self) -> Fraction | None:
        return gold_number(self.answer)

    @cached_property
    def answer_date(self) -> Date | None:
        dates = read_values(" ".join(part for part in self.answer.date if part)).dates
        return dates[0].date if dates else None

    @cached_property
    def answer_spans(self) -> tuple[CharSpan, ...]:
        """The occurrences of the answer in the passage: all, or the one that the data give."""
        found, start = find_all(self.passage, self.answer.spans), self.question.start
        if start is None or not self.answer.spans:
            return found
        given = (start, start + len(self.answer.spans[0]))
        return (min(found, key=lambda span: abs(span[0] - start), default=given),)

    @property
    def answer_count(self) -> int | None:
        """The answer, if it is a number that counting can give."""
        number = self.answer_number
        is_count = number is not None and number.denominator == 1 and 0 <= number <= MAX_COUNT
        return int(number) if number is not None and is_count else None

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        """The distinct numbers of the passage."""
        return frozenset(self.values.distinct_numbers)

    @cached_property
    def mention_counts(self) -> Counter[Fraction]:
        """How often the passage mentions each number."""
        return Counter(number.value for number in self.values.numbers)

    @cached_property
    def numbers_of_question(self) -> frozenset[Fraction]:
        """The distinct numbers that the question states, ordinals included."""
        return frozenset(read_values(self.question.text).distinct_numbers)

    def numbers_before(self, span: CharSpan) -> list[Fraction]:
        """The numbers at the beginning of a span, and the one right before it."""
        near = (n for n in self.values.numbers if span[0] - 12 <= n.start < span[0] + 4)
        return [n.value for n in near if n.unit != "ordinal"]

    def is_only_asked(self, value: Fraction) -> bool:
        """Whether the question states a number, and the passage does so only in another context."""
        # Words near the number that the question shares, besides the number itself.
        return value in self.numbers_of_question and self.question_numbers.get(value, 0) <= 1

    def accepts(self, value: Fraction) -> bool:
        """Whether a number is the answer, or gives it by rounding half up or half to even."""
        answer = self.answer_number
        if answer is None:
            return False
        scale = 10 ** len(self.answer.number.partition(".")[2])
        rounded = (round(value * scale), math.floor(value * scale + Fraction(1, 2)))
        return value == answer or answer * scale in rounded

    @cached_property
    def question_numbers(self) -> dict[Fraction, int]:
        """For each number, how many words of the question occur near it."""
        return self.number_relevance(self.question.text)

    @cached_property
    def question_dates(self) -> dict[Date, int]:
        """For each date, how many words of the question occur near it."""
        return self.date_relevance(self.question.text)

    def number_relevance(self, words: str) -> dict[Fraction, int]:
        """For each number, how many of the words occur near it, at its best mention."""
        counts = self.passage.count_nearby(content_words(words))
        positions = ((n.value, self.passage.word_at(n.start)) for n in self.values.numbers)
        return _best((value, int(counts[position])) for value, position in positions)

    def date_relevance(self, words: str) -> dict[Date, int]:
        """For each date, how many of the words occur near it, at its best mention."""
        counts = self.passage.count_nearby(content_words(words))
        positions = ((d.date, self.passage.word_at(d.start)) for d in self.values.dates)
        return _best((value, int(counts[position])) for value, position in positions)

    def dates_like(self, date: Date) -> list[Date]:
        """The dates of the passage that share the most parts with a date and differ in none.

        The dates most relevant to the question come first.
        """
        if date.month is not None and date in self.values.distinct_dates:
            return [date]
        scored = [(_shared_parts(date, other), other) for other in self.values.distinct_dates]
        best = max((score for score, _ in scored), default=0)
        alike = [other for score, other in scored if score == best and score > 0]
        return sorted(alike, key=lambda other: -self.question_dates[other])


def find_all(text: SearchableText, phrases: Iterable[str]) -> tuple[CharSpan, ...]:
    """Every occurrence of every phrase, in the order of the text."""
    return tuple(sorted({span for phrase in phrases for span in text.find(phrase)}))


def gold_number(answer: GoldAnswer) -> Fraction | None:
    """The number that an answer is, also if it is written as a span such as ``26-yard``."""
    if answer.number:
        return answer.exact_number
    if len(answer.spans) != 1:
        return None
    text = answer.spans[0]
    numbers = [n for n in read_values(text).numbers if n.unit != "ordinal"]
    rest = [set(words_in(text[: n.start] + " " + text[n.end :])) for n in numbers]
    alone = [n.value for n, words in zip(numbers, rest, strict=True) if words <= _UNITS]
    return alone[0] if alone else None


def _shared_parts(date: Date, other: Date) -> int:
    """The number of parts that two dates share; 0 if they differ in any."""
    parts = [(getattr(date, name), getattr(other, name)) for name in ("year", "month", "day")]
    same = [left == right for left, right in parts if left is not None and right is not None]
    return len(same) if all(same) else 0


def _best(scored: Iterable[tuple[_T, int]]) -> dict[_T, int]:
    """The highest score of each value."""
    best: dict[_T, int] = {}
    for value, score in scored:
        best[value] = max(score, best.get(value, 0))
    return best
