"""DROP's official exact match and F1: of one answer, of one question, of a whole file."""

import json
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from workings.data.kinds import operands_of
from workings.data.records import KINDS, GoldAnswer, Passage, Question
from workings.errors import DataError, InputError
from workings.files import read_text

Prediction: TypeAlias = str | Sequence[str]
Floats: TypeAlias = npt.NDArray[np.float64]

OPERANDS = (2, 3)
TYPES: tuple[str, ...] = ("number", "span", "spans", "date")

_RESAMPLES = 10_000
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """The form in which answers are compared: lower case, no articles, numbers as floats."""
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


def score(prediction: Prediction, gold: Prediction) -> tuple[float, float]:
    """Exact match and F1 of one prediction against one gold answer."""
    predicted, wanted = _spans(prediction), _spans(gold)
    exact = len(predicted) == len(wanted) and set(predicted) == set(wanted)
    return float(exact), _aligned_f1(predicted, wanted)


def _spans(answer: Prediction) -> list[str]:
    return [normalise(span) for span in ([answer] if isinstance(answer, str) else answer)]


def _aligned_f1(predicted: list[str], gold: list[str]) -> float:
    """The mean F1 of spans paired one to one as well as can be; one left alone scores 0."""
    slots = max(len(predicted), len(gold))
    if slots == 0:
        return 1.0
    pairs = np.zeros((len(gold), len(predicted)))
    for row, wanted in enumerate(gold):
        for column, given in enumerate(predicted):
            pairs[row, column] = _pair_f1(set(given.split()), set(wanted.split()))
    rows, columns = linear_sum_assignment(pairs, maximize=True)
    best = np.zeros(slots)
    best[rows] = pairs[rows, columns]
    # numpy's rounding, not Python's: they differ at .xx5 and the official script has numpy's.
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
    """What a prediction is compared with, and the answer's type."""
    if answer.number:
        return (answer.number,), "number"
    if answer.spans:
        return answer.spans, "span" if len(answer.spans) == 1 else "spans"
    return (" ".join(answer.date),), "date"


def best_score(prediction: Prediction, answers: Sequence[GoldAnswer]) -> tuple[float, float]:
    """The best exact match and the best F1 over the answers, each on its own."""
    em, f1, _ = _best(prediction, answers)
    return em, f1


def _best(prediction: Prediction, answers: Sequence[GoldAnswer]) -> tuple[float, float, str | None]:
    best_em, best_f1, best_type = 0.0, 0.0, None
    for answer in answers:
        gold, answer_type = gold_strings(answer)
        if not gold[0].strip():
            continue
        em, f1 = score(prediction, gold)
        best_em, best_f1 = max(best_em, em), max(best_f1, f1)
        if (em, f1) == (best_em, best_f1):
            best_type = answer_type
    return best_em, best_f1, best_type


@dataclass(frozen=True, slots=True)
class Grade:
    """How one question was answered, and the type of the answer it matched best."""

    id: str
    kind: str | None
    type: str | None
    em: float
    f1: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean between 0 and 1 and its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    def percent(self, digits: int) -> str:
        """For people: so many digits of the mean, and the interval in brackets."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.mean:.{digits}f} ({low:.1f}–{high:.1f})"


@dataclass(frozen=True, slots=True)
class Score:
    """How a group of questions was answered."""

    questions: int
    em: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of a file of predictions; ``ungraded`` questions have no known answer.

    ``operands`` are the add-sub questions of two and of three numbers; some may be either.
    """

    overall: Score
    with_kind: Score | None
    kinds: dict[str, Score]
    operands: dict[str, Score]
    types: dict[str, Score]
    missing: int
    ungraded: int

    def sections(self) -> Iterator[list[tuple[str, Score]]]:
        """What a table shows: the kinds, add-sub also by its numbers; then, where not all
        questions have a kind, the types of the answers."""
        if self.with_kind is not None:
            sums = [(f"  of {name}", group) for name, group in self.operands.items()]
            yield [*self.kinds.items(), *sums, ("all kinds", self.with_kind)]
        if self.with_kind is None or self.with_kind.questions < self.overall.questions:
            yield [*self.types.items(), ("overall", self.overall)]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def grade(question: Question, prediction: Prediction | None) -> Grade:
    """Grade one question by the official rules; a missing prediction scores 0."""
    if prediction is None:
        answer_type = gold_strings(question.answers[0])[1]
        return Grade(question.id, question.kind, answer_type, 0.0, 0.0)
    em, f1, best_type = _best(prediction, question.answers)
    return Grade(question.id, question.kind, best_type, em, f1)


def evaluate(
    predictions: Mapping[str, Prediction], passages: Iterable[Passage], *, seed: int = 0
) -> Report:
    """Score predictions by question id against every question with a known answer."""
    asked = [(question, passage) for passage in passages for question in passage.questions]
    known = [(question, passage) for question, passage in asked if question.answers]
    grades = [grade(question, predictions.get(question.id)) for question, _ in known]
    if not grades:
        hint = "Score against a file whose questions have answers, such as DROP's dev file."
        raise DataError("No question has an answer to compare with.", hint=hint)
    by_kind = {kind: [g for g in grades if g.kind == kind] for kind in KINDS}
    by_type = {name: [g for g in grades if g.type == name] for name in TYPES}
    counts = [(g, operands_of(*each)) for g, each in zip(grades, known, strict=True)]
    by_operands = {f"{n} numbers": [g for g, found in counts if n in found] for n in OPERANDS}
    of_a_kind = [g for g in grades if g.kind is not None]
    return Report(
        overall=_summary(grades, seed),
        with_kind=_summary(of_a_kind, seed) if of_a_kind else None,
        kinds=_summaries(by_kind, seed),
        operands=_summaries(by_operands, seed),
        types=_summaries(by_type, seed),
        missing=sum(question.id not in predictions for question, _ in known),
        ungraded=len(asked) - len(known),
    )


def _summaries(groups: Mapping[str, Sequence[Grade]], seed: int) -> dict[str, Score]:
    return {name: _summary(group, seed) for name, group in groups.items() if group}


def _summary(grades: Sequence[Grade], seed: int) -> Score:
    em = estimate(np.array([g.em for g in grades]), seed)
    f1 = estimate(np.array([g.f1 for g in grades]), seed)
    return Score(len(grades), em, f1)


def estimate(values: Floats, seed: int = 0) -> Estimate:
    """The mean of questions' scores, between the bounds that drawing them anew gives."""
    # Scores take at most 101 values: drawing questions anew is drawing how often each value comes.
    levels, counts = np.unique(values, return_counts=True)
    shares = counts / len(values)
    draws = np.random.default_rng(seed).multinomial(len(values), shares, size=_RESAMPLES)
    low, high = np.quantile(draws @ levels / len(values), (0.025, 0.975))
    return Estimate(float(values.mean()), float(low), float(high))


def read_predictions(path: Path) -> dict[str, Prediction]:
    """Read ``{question id: answer or list of answers}``."""
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
