"""One question together with all that is known of it, each part worked out when first asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from workings.data.records import GoldAnswer, Question
from workings.supervision.derivation import Span
from workings.supervision.evidence import Evidence, read_evidence
from workings.supervision.text_search import Text, content_words, words_in
from workings.values import CONSTANTS, Date, Values, read_values

MAX_COUNT = 20

_T = TypeVar("_T")

_UNITS = frozenset("yard yards yd yds percent points point years year".split())


@dataclass(frozen=True)
class Case:
    """A question, its answer and the passage it is asked of."""

    text: Text
    values: Values
    question: Question
    answer: GoldAnswer

    @cached_property
    def evidence(self) -> Evidence:
        return read_evidence(self.question.evidence)

    @cached_property
    def number(self) -> Fraction | None:
        return gold_number(self.answer)

    @cached_property
    def date(self) -> Date | None:
        found = read_values(" ".join(part for part in self.answer.date if part)).dates
        return found[0].date if found else None

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return find_all(self.text, self.answer.spans)

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        return frozenset(self.values.distinct_numbers)

    @cached_property
    def operands(self) -> frozenset[Fraction]:
        return self.numbers.union(CONSTANTS)

    @property
    def count(self) -> int | None:
        """The answer, if it is one that counting gives."""
        number = self.number
        whole = number is not None and number.denominator == 1 and 0 <= number <= MAX_COUNT
        return int(number) if number is not None and whole else None

    @cached_property
    def _date_relevance(self) -> dict[Date, int]:
        return self.date_relevance(self.question.text)

    def number_relevance(self, words: str) -> dict[Fraction, int]:
        """How many of the words stand near each number, at its best mention."""
        near = self.text.closeness(content_words(words))
        places = ((n.value, self.text.word_at(n.start)) for n in self.values.numbers)
        return _best((value, int(near[place])) for value, place in places)

    def date_relevance(self, words: str) -> dict[Date, int]:
        """How many of the words stand near each date, at its best mention."""
        near = self.text.closeness(content_words(words))
        places = ((d.date, self.text.word_at(d.start)) for d in self.values.dates)
        return _best((value, int(near[place])) for value, place in places)

    def dates_like(self, known: Date) -> list[Date]:
        """The passage's dates that agree with a known one in most parts and differ in none.

        Those the question's words stand near come first.
        """
        if known.month is not None and known in self.values.distinct_dates:
            return [known]
        scored = [(_agreement(known, date), date) for date in self.values.distinct_dates]
        best = max((score for score, _ in scored), default=0)
        alike = [date for score, date in scored if score == best and score > 0]
        return sorted(alike, key=lambda date: -self._date_relevance[date])


def find_all(text: Text, phrases: Iterable[str]) -> tuple[Span, ...]:
    """Every place of every phrase, in the order of the text."""
    return tuple(sorted({span for phrase in phrases for span in text.find(phrase)}))


def _agreement(known: Date, date: Date) -> int:
    """How many parts of a known date another one repeats, or nothing if any part differs."""
    parts = [(getattr(known, name), getattr(date, name)) for name in ("year", "month", "day")]
    shared = [one == other for one, other in parts if one is not None and other is not None]
    return len(shared) if all(shared) else 0


def gold_number(answer: GoldAnswer) -> Fraction | None:
    """The number an answer is, also where it is written as a span such as ``26-yard``."""
    if answer.number:
        return _fraction(answer.number)
    if len(answer.spans) != 1:
        return None
    text = answer.spans[0]
    numbers = [n for n in read_values(text).numbers if n.unit != "ordinal"]
    rest = [set(words_in(text[: n.start] + " " + text[n.end :])) for n in numbers]
    whole = [n.value for n, words in zip(numbers, rest, strict=True) if words <= _UNITS]
    return whole[0] if whole else None


def _fraction(text: str) -> Fraction | None:
    try:
        return Fraction(text.replace(",", "").strip())
    except (ValueError, ZeroDivisionError):
        return None


def _best(scored: Iterable[tuple[_T, int]]) -> dict[_T, int]:
    best: dict[_T, int] = {}
    for value, score in scored:
        best[value] = max(score, best.get(value, 0))
    return best
