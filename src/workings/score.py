"""DROP's official exact match and F1, for one answer, one question or a whole file."""

import json
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from workings.data.kinds import question_operand_counts
from workings.data.records import KINDS, QUESTION_TYPES, GoldAnswer, Passage, Question
from workings.errors import DataError, InputError
from workings.files import read_text

PredictedAnswer: TypeAlias = str | Sequence[str]
Floats: TypeAlias = npt.NDArray[np.float64]

OPERANDS = (2, 3)
TYPES: tuple[str, ...] = ("number", "span", "spans", "date")
NO_ANSWER = "none"

_RESAMPLES = 10_000
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Normalise an answer for comparison: lower case, no articles, numbers as floats."""
    words = map(_normalise_word, re.split("[ -]", text))
    return " ".join(word for word in words if word)


def _normalise_word(word: str) -> str:
    word = word.lower()
    if not _is_number(word):
        word = word.translate(_NO_PUNCTUATION)
    if _is_number(word):
        word = str(float(word))
    return " ".join(_ARTICLE.sub(" ", word).split())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def score_answer(prediction: PredictedAnswer, gold: PredictedAnswer) -> tuple[float, float]:
    """Score one prediction against one gold answer.

    Args:
        prediction: The predicted text, or several for a list.
        gold: The gold text or texts.

    Returns:
        Exact match (0 or 1) and F1.
    """
    predicted, expected = _spans(prediction), _spans(gold)
    exact = len(predicted) == len(expected) and set(predicted) == set(expected)
    return float(exact), _aligned_f1(predicted, expected)


def _spans(answer: PredictedAnswer) -> list[str]:
    return [normalise(span) for span in ([answer] if isinstance(answer, str) else answer)]


def _aligned_f1(predicted: list[str], gold: list[str]) -> float:
    """Mean F1 of the best one-to-one alignment of spans; an unaligned span scores 0."""
    from scipy.optimize import linear_sum_assignment  # slow to import, and only scoring needs it

    slots = max(len(predicted), len(gold))
    if slots == 0:
        return 1.0
    pairs = np.zeros((len(gold), len(predicted)))
    for row, gold_span in enumerate(gold):
        for column, span in enumerate(predicted):
            pairs[row, column] = _pair_f1(set(span.split()), set(gold_span.split()))
    rows, columns = linear_sum_assignment(pairs, maximize=True)
    best = np.zeros(slots)
    best[rows] = pairs[rows, columns]
    # The official script rounds with numpy, which differs from Python's round at .xx5.
    return float(np.round(best.mean(), 2))


def _pair_f1(predicted: set[str], gold: set[str]) -> float:
    numbers = set(filter(_is_number, gold))
    if numbers and not numbers & predicted:
        return 0.0
    shared = len(predicted & gold)
    precision = shared / len(predicted) if predicted else 1.0
    recall = shared / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def gold_strings(answer: GoldAnswer) -> tuple[tuple[str, ...], str]:
    """Return the texts that a prediction is compared with, and the type of the answer."""
    if answer.number:
        return (answer.number,), "number"
    if answer.spans:
        return answer.spans, "span" if len(answer.spans) == 1 else "spans"
    return (" ".join(answer.date),), "date"


def best_score(prediction: PredictedAnswer, answers: Sequence[GoldAnswer]) -> tuple[float, float]:
    """Score a prediction against all accepted answers.

    Returns:
        The best exact match and the best F1; they may come from different answers.
    """
    em, f1, _ = _best(prediction, answers)
    return em, f1


def _best(
    prediction: PredictedAnswer, answers: Sequence[GoldAnswer]
) -> tuple[float, float, str | None]:
    best_em, best_f1, best_type = 0.0, 0.0, None
    for answer in answers:
        gold, answer_type = gold_strings(answer)
        if not gold[0].strip():
            continue
        em, f1 = score_answer(prediction, gold)
        best_em, best_f1 = max(best_em, em), max(best_f1, f1)
        if (em, f1) == (best_em, best_f1):
            best_type = answer_type
    return best_em, best_f1, best_type


@dataclass(frozen=True, slots=True)
class Grade:
    """The score of one question.

    Attributes:
        id: The question's id.
        kind: The kind of the question, if it has one.
        type: The type of the accepted answer that the prediction matches best; "none" for a
            question that the passage does not answer.
        em: Exact match.
        f1: F1.
        question_type: The type of the question, if the data give one.
        source: Where the question comes from.
    """

    id: str
    kind: str | None
    type: str | None
    em: float
    f1: float
    question_type: str | None = None
    source: str = "gold"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean between 0 and 1 and its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    def percent(self, digits: int) -> str:
        """Format as per cent: the mean with ``digits`` decimals, the interval in brackets."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.mean:.{digits}f} ({low:.1f}–{high:.1f})"


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of a group of questions."""

    questions: int
    em: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """How the questions that their passage does not answer were treated.

    Attributes:
        questions: The number of such questions.
        recognised: The number of those to which no answer was given.
        auroc: The area under the ROC curve of answerable against unanswerable questions; None if
            the file has one sort only, or if the model gives no confidence.
    """

    questions: int
    recognised: int
    auroc: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of a file of predictions.

    Attributes:
        overall: All questions with a gold answer.
        with_kind: The questions of a known kind; None if there are none.
        kinds: Scores by kind of question.
        operands: Scores of the add-sub questions by number of operands. Some questions can be
            answered with two or with three numbers and count in both groups.
        types: Scores by type of answer.
        missing: Number of questions without a prediction; they score 0.
        ungraded: Number of questions without a gold answer; they are left out.
        question_types: Scores by type of question, where the data give one.
        sources: Scores by source of the questions.
        unanswerable: The questions that their passage does not answer; None if there are none. No
            answer is the right one: it scores 1, and any other answer scores 0.
    """

    overall: Score
    with_kind: Score | None
    kinds: dict[str, Score]
    operands: dict[str, Score]
    types: dict[str, Score]
    missing: int
    ungraded: int
    question_types: dict[str, Score] = field(default_factory=dict)
    sources: dict[str, Score] = field(default_factory=dict)
    unanswerable: Unanswerable | None = None

    def sections(self) -> Iterator[list[tuple[str, Score]]]:
        """Yield the sections of a printed table, each a list of named scores.

        The first section has the kinds. The second has the types of questions, and the third the
        sources, if there are several. The last has the types of answers; it is left out where all
        questions have a kind.
        """
        if self.with_kind is not None:
            operands = [(f"  of {name}", group) for name, group in self.operands.items()]
            yield [*self.kinds.items(), *operands, ("all kinds", self.with_kind)]
        if self.question_types:
            yield [(f"type {name}", group) for name, group in self.question_types.items()]
        if len(self.sources) > 1:
            yield [(f"source {name}", group) for name, group in self.sources.items()]
        if self.with_kind is None or self.with_kind.questions < self.overall.questions:
            yield [*self.types.items(), ("overall", self.overall)]

    def to_json(self) -> dict[str, Any]:
        """Convert to plain dictionaries and numbers."""
        return asdict(self)


def grade(question: Question, prediction: PredictedAnswer | None) -> Grade:
    """Score one question; a missing prediction scores 0.

    Args:
        question: The question, with at least one gold answer unless it is unanswerable.
        prediction: The predicted answer, or None.
    """
    em, f1 = 0.0, 0.0
    if question.unanswerable:
        answer_type: str | None = NO_ANSWER
        em = f1 = float(prediction is not None and is_no_answer(prediction))
    elif prediction is None:
        answer_type = gold_strings(question.answers[0])[1]
    else:
        em, f1, answer_type = _best(prediction, question.answers)
    return Grade(question.id, question.kind, answer_type, em, f1, question.type, question.source)


def is_no_answer(prediction: PredictedAnswer) -> bool:
    """Whether a prediction states no answer: it has no text."""
    texts = [prediction] if isinstance(prediction, str) else prediction
    return not any(text.strip() for text in texts)


def score_predictions(
    predictions: Mapping[str, PredictedAnswer], passages: Iterable[Passage], *, seed: int = 0
) -> Report:
    """Score predictions against the gold answers of some passages.

    Args:
        predictions: The predicted answers by question id.
        passages: The passages with their questions; questions without a gold answer are left out.
        seed: Random seed of the bootstrap intervals.

    Raises:
        DataError: If no question has a gold answer.
    """
    pairs = [(question, passage) for passage in passages for question in passage.questions]
    gradable = [
        (question, passage)
        for question, passage in pairs
        if question.answers or question.unanswerable
    ]
    grades = [grade(question, predictions.get(question.id)) for question, _ in gradable]
    if not grades:
        hint = "Score against a file whose questions have answers, such as DROP's dev file."
        raise DataError("No question has an answer to compare with.", hint=hint)
    by_kind = {kind: [g for g in grades if g.kind == kind] for kind in KINDS}
    by_type = {name: [g for g in grades if g.type == name] for name in (*TYPES, NO_ANSWER)}
    by_question_type = {
        name: [g for g in grades if g.question_type == name] for name in QUESTION_TYPES
    }
    sources = dict.fromkeys(g.source for g in grades)
    by_source = {name: [g for g in grades if g.source == name] for name in sources}
    counts = [(g, question_operand_counts(*pair)) for g, pair in zip(grades, gradable, strict=True)]
    by_operands = {f"{n} numbers": [g for g, possible in counts if n in possible] for n in OPERANDS}
    with_kind = [g for g in grades if g.kind is not None]
    return Report(
        overall=_summary(grades, seed),
        with_kind=_summary(with_kind, seed) if with_kind else None,
        kinds=_summaries(by_kind, seed),
        operands=_summaries(by_operands, seed),
        types=_summaries(by_type, seed),
        missing=sum(question.id not in predictions for question, _ in gradable),
        ungraded=len(pairs) - len(gradable),
        question_types=_summaries(by_question_type, seed),
        sources=_summaries(by_source, seed),
        unanswerable=_unanswerable(by_type[NO_ANSWER]),
    )


def _unanswerable(grades: Sequence[Grade]) -> Unanswerable | None:
    return Unanswerable(len(grades), int(sum(g.em for g in grades))) if grades else None


def _summaries(groups: Mapping[str, Sequence[Grade]], seed: int) -> dict[str, Score]:
    return {name: _summary(group, seed) for name, group in groups.items() if group}


def _summary(grades: Sequence[Grade], seed: int) -> Score:
    em = estimate(np.array([g.em for g in grades]), seed)
    f1 = estimate(np.array([g.f1 for g in grades]), seed)
    return Score(len(grades), em, f1)


def estimate(values: Floats, seed: int = 0) -> Estimate:
    """Estimate a mean with its 95 % bootstrap interval.

    Args:
        values: The scores of the questions.
        seed: Random seed of the resampling.
    """
    # Scores take at most 101 distinct values. Resampling how often each value occurs is equivalent
    # to resampling questions, and faster.
    levels, counts = np.unique(values, return_counts=True)
    shares = counts / len(values)
    resampled = np.random.default_rng(seed).multinomial(len(values), shares, size=_RESAMPLES)
    low, high = np.quantile(resampled @ levels / len(values), (0.025, 0.975))
    return Estimate(float(values.mean()), float(low), float(high))


def read_predictions(path: Path) -> dict[str, PredictedAnswer]:
    """Read a JSON file of the form ``{question id: answer or list of answers}``.

    Raises:
        InputError: If the file cannot be read or has another form.
    """
    hint = 'Give a JSON file such as {"question id": "34", "another id": ["one", "two"]}.'
    try:
        raw = json.loads(read_text(path))
    except DataError as error:
        raise InputError(error.message, hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {error}", hint=hint) from error
    if not isinstance(raw, dict):
        raise InputError(f"{path}: not an object of predictions", hint=hint)
    for name, value in raw.items():
        spans = value if isinstance(value, list) else [value]
        if not all(isinstance(span, str) for span in spans):
            message = f"{path}: the prediction of {name!r} is not text or a list of texts"
            raise InputError(message, hint=hint)
    return raw
