"""Labels the kind of a question by n-grams and patterns, as the paper's dataset was selected."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from workings.arithmetic.signed_sums import MINUS, PLUS, Signs, signed_sums
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

# In the order of the release: a question that matches several kinds gets the last of them.
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
    """How questions ask for an operation.

    Attributes:
        name: The operation's module.
        question: Matches questions that ask for the operation.
        three_operands: Matches those of them that may ask for it over three numbers.
        signs: The signs of the operands, by the number of operands.
    """

    name: str
    question: re.Pattern[str]
    three_operands: re.Pattern[str]
    signs: dict[int, tuple[tuple[Signs, ...], ...]]


_ARITHMETIC = (
    _Arithmetic(
        "sub",
        re.compile(r"how many more\b|how many yards difference\b"),
        re.compile(
            r"how many more\b.* and .*\b(?:than|compared to)\b"
            r"|how many more\b.*\b(?:than|compared to)\b.*\b(?:and|combined)\b"
        ),
        {2: ((PLUS, MINUS),), 3: ((PLUS, PLUS, MINUS), (PLUS, MINUS, MINUS))},
    ),
    _Arithmetic(
        "add",
        re.compile(r"how many total\b|how many\b.*\bcombined\b"),
        re.compile(r", .*\band\b|\bthree\b|\b3\b"),
        {2: ((PLUS, PLUS),), 3: ((PLUS, PLUS, PLUS),)},
    ),
)


def kind_of(question: str, answer: GoldAnswer | None, passage: str | None) -> str | None:
    """Label the kind of a question.

    Args:
        question: The question.
        answer: Its gold answer; None to skip the conditions on the answer.
        passage: The text of the passage; None to skip the conditions on the passage.

    Returns:
        One of ``KINDS``, or None.
    """
    text = question.lower()
    for kind in reversed(_NGRAMS):
        if _contains_any(text, _NGRAMS[kind]) and _meets_conditions(
            kind, question, answer, passage
        ):
            return kind
    return "add-sub" if operand_counts(question, answer, passage) else None


def operand_counts(
    question: str, answer: GoldAnswer | None, passage: str | None
) -> tuple[int, ...]:
    """How many numbers a question asks to add or subtract: 2, 3, or possibly either.

    The words of the question decide. If the answer and the passage are given, the answer must also
    be a sum or difference of as many numbers of the passage.

    Returns:
        The possible counts; empty if the question asks for neither a sum nor a difference.
    """
    text = question.lower()
    arithmetic = _arithmetic(text)
    if arithmetic is None:
        return ()
    counts = (2, 3) if arithmetic.three_operands.search(text) else (2,)
    if answer is None or passage is None:
        return counts[-1:]
    target = answer.exact_number
    if target is None:
        return ()
    numbers = _numbers(passage)
    return tuple(
        count
        for count in counts
        if any(_is_sum(target, signs, numbers) for signs in arithmetic.signs[count])
    )


def question_operand_counts(question: Question, passage: Passage) -> tuple[int, ...]:
    """The possible operand counts of an add-sub question; empty for questions of other kinds."""
    if question.kind != "add-sub":
        return ()
    return operand_counts(question.text, next(iter(question.answers), None), passage.text)


def operation_of(question: str) -> str | None:
    """The operation that the words of a question ask for: ``add``, ``sub`` or None."""
    arithmetic = _arithmetic(question.lower())
    return arithmetic.name if arithmetic else None


def load_split(
    path: Path, *, limit: int = 0, keep: Callable[[Passage], bool] | None = None
) -> list[Passage]:
    """Load the passages of a file, with the kinds that training and scoring use.

    Warns of malformed records, which are skipped.

    Args:
        path: A file of passages with questions.
        limit: Number of passages to take, spread evenly over the file; 0 for all.
        keep: Whether to use a passage at all; None uses every passage.

    Raises:
        DataError: The file cannot be read.
    """
    loaded = read_split(path, limit=limit, keep=keep)
    if loaded.malformed:
        warnings.warn(loaded.warning, DataWarning, stacklevel=2)
    return list(loaded.passages)


def read_split(
    path: Path, *, limit: int = 0, keep: Callable[[Passage], bool] | None = None
) -> LoadedPassages:
    """Load the same passages as ``load_split``, together with the skipped records."""
    loaded = read_passages(path)
    allowed = _kinds_to_label(loaded.passages)
    passages = loaded.passages if keep is None else tuple(filter(keep, loaded.passages))
    size = min(limit or len(passages), len(passages))
    indices = (position * len(passages) // size for position in range(size))
    labelled = (_with_kinds(passages[index], allowed) for index in indices)
    return LoadedPassages(tuple(labelled), loaded.malformed)


def read_splits(paths: Iterable[Path]) -> LoadedPassages:
    """Load several files as one; each file's kinds are labelled on their own."""
    loaded = [read_split(path) for path in paths]
    return LoadedPassages(
        tuple(passage for split in loaded for passage in split.passages),
        tuple(record for split in loaded for record in split.malformed),
    )


def with_kinds(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Label the kinds of questions that have none.

    If any question of the file has a kind, only add-sub is labelled: the other questions
    had none of the other kinds, and scores by kind must stay comparable.
    """
    allowed = _kinds_to_label(passages)
    return (_with_kinds(passage, allowed) for passage in passages)


def _kinds_to_label(passages: Sequence[Passage]) -> tuple[str, ...]:
    """The kinds to label: all of them, or only add-sub if the file has kinds."""
    has_kinds = any(question.kind for passage in passages for question in passage.questions)
    return ("add-sub",) if has_kinds else KINDS


def _with_kinds(passage: Passage, allowed: tuple[str, ...]) -> Passage:
    def label(question: Question) -> Question:
        if question.kind is not None or question.unanswerable:
            return question
        kind = kind_of(question.text, next(iter(question.answers), None), passage.text)
        return replace(question, kind=kind) if kind in allowed else question

    return replace(passage, questions=tuple(map(label, passage.questions)))


def _arithmetic(text: str) -> _Arithmetic | None:
    return next((each for each in _ARITHMETIC if each.question.search(text)), None)


def _contains_any(text: str, ngrams: tuple[str, ...]) -> bool:
    return any(ngram in text for ngram in ngrams)


def _meets_conditions(
    kind: str, question: str, answer: GoldAnswer | None, passage: str | None
) -> bool:
    """Check the conditions of a kind beyond its n-grams."""
    text = question.lower()
    if kind == "extract-number":
        return not _contains_any(text, _NOT_EXTRACTED)
    if kind not in COMPARISONS:
        return True
    if text.count(" or ") != 1 or (answer is not None and not answer.spans):
        return False
    if kind == "number-compare":
        return text.count(",") <= 1 and not _contains_any(text, _NOT_COMPARED)
    return passage is None or compares_dates(question, passage)


@lru_cache(maxsize=8)
def _numbers(passage: str) -> tuple[Fraction, ...]:
    return read_values(passage).distinct_numbers


def _is_sum(target: Fraction, signs: tuple[Signs, ...], numbers: Sequence[Fraction]) -> bool:
    """Whether numbers with these signs, used any number of times, sum to the target."""
    return any(True for _ in signed_sums(numbers, target, signs, reuse=True))
