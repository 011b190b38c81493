"""The kind of a question, by the n-grams and patterns that chose the paper's questions."""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from workings.data.events import compares_dates
from workings.data.records import (
    COMPARISONS,
    KINDS,
    GoldAnswer,
    LoadedPassages,
    Passage,
    Question,
    read_passages,
)
from workings.errors import DataWarning
from workings.values import read_values

# In the order of the release: where two kinds claim a question, the later one has it.
_NGRAMS: dict[str, tuple[str, ...]] = {
    "date-compare": (
        "which happened",
        "which event",
        "what happened first",
        "what happened second",
        "what happened earlier",
        "what happened later",
        "what happened last",
        "what event happened",
        "what event came",
    ),
    "date-difference": (
        "how many years after the",
        "how many years did it",
        "how many years did the",
        "how many years passed between",
        "how many years was",
    ),
    "number-compare": (
        "were there more",
        "were there fewer",
        "which age group",
        "which group",
    ),
    "extract-number": ("how many yards was",),
    "count": (
        "how many field goals did",
        "how many field goals were",
        "how many interceptions did",
        "how many passes",
        "how many rushing",
        "how many touchdown passes did",
        "how many touchdowns did the",
        "how many touchdowns were scored",
    ),
    "extract-argument": (
        "which player scored",
        "who kicked the",
        "who threw the",
        "who scored the",
        "who caught the",
    ),
}
_NOT_COMPARED = ("first half", "second half", "quarter", "touchdown", "field goals")
_NOT_EXTRACTED = ("second longest", "second shortest")


@dataclass(frozen=True)
class _Arithmetic:
    """How one operation is asked for, asked for with three numbers, and carried out."""

    name: str
    asked: re.Pattern[str]
    asked_of_three: re.Pattern[str]
    signs: dict[int, tuple[tuple[int, ...], ...]]


_ARITHMETIC = (
    _Arithmetic(
        "sub",
        re.compile(r"how many more\b|how many yards difference\b"),
        re.compile(
            r"how many more\b.* and .*\b(?:than|compared to)\b"
            r"|how many more\b.*\b(?:than|compared to)\b.*\b(?:and|combined)\b"
        ),
        {2: ((1, -1),), 3: ((1, 1, -1), (1, -1, -1))},
    ),
    _Arithmetic(
        "add",
        re.compile(r"how many total\b|how many\b.*\bcombined\b"),
        re.compile(r", .*\band\b|\bthree\b|\b3\b"),
        {2: ((1, 1),), 3: ((1, 1, 1),)},
    ),
)


def kind_of(question: str, answer: GoldAnswer | None, passage: str | None) -> str | None:
    """The kind of a question, or None; an answer or passage not given is not asked about."""
    text = question.lower()
    for kind in reversed(_NGRAMS):
        if _has(text, _NGRAMS[kind]) and _fits(kind, question, answer, passage):
            return kind
    return "add-sub" if operand_counts(question, answer, passage) else None


def operand_counts(
    question: str, answer: GoldAnswer | None, passage: str | None
) -> tuple[int, ...]:
    """With how many numbers, 2 or 3 or either, a question asks for a sum or a difference.

    The words decide, and the answer must come out of so many of the passage's numbers.
    """
    text = question.lower()
    asked = _asked(text)
    if asked is None:
        return ()
    counts = (2, 3) if asked.asked_of_three.search(text) else (2,)
    if answer is None or passage is None:
        return counts[-1:]
    target = _number(answer)
    if target is None:
        return ()
    numbers = _numbers(passage)
    return tuple(n for n in counts if any(_reaches(target, s, numbers) for s in asked.signs[n]))


def operands_of(question: Question, passage: Passage) -> tuple[int, ...]:
    """The same for a question of a file: none unless it is of the kind add-sub."""
    if question.kind != "add-sub":
        return ()
    return operand_counts(question.text, next(iter(question.answers), None), passage.text)


def operation_of(question: str) -> str | None:
    """Whether the words of an add-sub question ask to ``add`` or to ``sub``."""
    asked = _asked(question.lower())
    return asked.name if asked else None


def load_split(path: Path, *, limit: int = 0) -> list[Passage]:
    """The passages of a file, each question with the kind it is trained and scored under.

    A ``limit`` takes so many of them, from all over the file. Malformed records are warned of.
    """
    reading = read_split(path, limit=limit)
    if reading.faults:
        warnings.warn(reading.note, DataWarning, stacklevel=2)
    return list(reading.passages)


def read_split(path: Path, *, limit: int = 0) -> LoadedPassages:
    """The same, together with the records that were left out."""
    reading = read_passages(path)
    passages = reading.passages
    allowed = _allowed(passages)
    taken = min(limit or len(passages), len(passages))
    places = (place * len(passages) // taken for place in range(taken))
    found = (_with_kinds(passages[place], allowed) for place in places)
    return LoadedPassages(tuple(found), reading.faults)


def read_splits(paths: Iterable[Path]) -> LoadedPassages:
    """Several files as one, each with the kinds it is scored under."""
    readings = [read_split(path) for path in paths]
    return LoadedPassages(
        tuple(passage for reading in readings for passage in reading.passages),
        tuple(fault for reading in readings for fault in reading.faults),
    )


def with_kinds(passages: Sequence[Passage]) -> Iterator[Passage]:
    """The same passages with a kind on every question that has one.

    Where some kinds are given, they are taken at their word and only add-sub is added: a question
    that those who gave them left out stays out, so that scores by kind can be compared.
    """
    allowed = _allowed(passages)
    return (_with_kinds(passage, allowed) for passage in passages)


def _allowed(passages: Sequence[Passage]) -> tuple[str, ...]:
    """The kinds that may still be told: all of them, or add-sub where some are given."""
    given = any(question.kind for passage in passages for question in passage.questions)
    return ("add-sub",) if given else KINDS


def _with_kinds(passage: Passage, allowed: tuple[str, ...]) -> Passage:
    def sorted_in(question: Question) -> Question:
        if question.kind is not None:
            return question
        kind = kind_of(question.text, next(iter(question.answers), None), passage.text)
        return replace(question, kind=kind) if kind in allowed else question

    return replace(passage, questions=tuple(map(sorted_in, passage.questions)))


def _asked(text: str) -> _Arithmetic | None:
    return next((each for each in _ARITHMETIC if each.asked.search(text)), None)


def _has(text: str, grams: tuple[str, ...]) -> bool:
    return any(gram in text for gram in grams)


def _fits(kind: str, question: str, answer: GoldAnswer | None, passage: str | None) -> bool:
    """The conditions of a kind beyond its n-grams."""
    text = question.lower()
    if kind == "extract-number":
        return not _has(text, _NOT_EXTRACTED)
    if kind not in COMPARISONS:
        return True
    if text.count(" or ") != 1 or (answer is not None and not answer.spans):
        return False
    if kind == "number-compare":
        return text.count(",") <= 1 and not _has(text, _NOT_COMPARED)
    return passage is None or compares_dates(question, passage)


def _number(answer: GoldAnswer) -> Fraction | None:
    try:
        return Fraction(answer.number.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None


@lru_cache(maxsize=8)
def _numbers(passage: str) -> frozenset[Fraction]:
    return frozenset(number.value for number in read_values(passage).numbers)


def _reaches(target: Fraction, signs: tuple[int, ...], numbers: frozenset[Fraction]) -> bool:
    """Whether some of ``numbers``, one for each sign and so signed, sum to ``target``."""
    sign, *rest = signs
    if not rest:
        return sign * target in numbers
    return any(_reaches(target - sign * number, tuple(rest), numbers) for number in numbers)
