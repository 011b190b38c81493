"""Error report: how often each category of error comes first, by kind of question."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from workings.analysis.equation_shares import (
    EquationCheck,
    EquationShares,
    check_equation,
    count_equations,
)
from workings.analysis.error_attribution import CATEGORIES, ErrorAttribution, attribute_error
from workings.data.records import KINDS, Passage, Question
from workings.evaluation.prediction import predict, texts_of
from workings.inference.ranking import Candidate
from workings.network.network import Network
from workings.score import grade
from workings.supervision.supervise import supervise
from workings.values import read_values

ALL = "all"


@dataclass(frozen=True)
class ExaminedQuestion:
    """A question with its candidates.

    Attributes:
        question: The question.
        candidates: Its candidates, best first.
        attribution: The first error, if the answer is wrong.
        equation: The check of the answer's equation, if it has one.
    """

    question: Question
    candidates: Sequence[Candidate]
    attribution: ErrorAttribution | None
    equation: EquationCheck | None = None


@dataclass(frozen=True)
class ErrorCounts:
    """The errors among the questions of one kind.

    Attributes:
        kind: The kind of question, or ``ALL``.
        questions: Number of questions.
        errors: Number of wrong answers by category.
        equations: How many of the answers have an equation that adds up.
    """

    kind: str
    questions: int
    errors: dict[str, int]
    equations: EquationShares = field(default_factory=EquationShares)

    @property
    def wrong(self) -> int:
        """Number of wrong answers."""
        return sum(self.errors.values())

    @property
    def shares(self) -> dict[str, float]:
        """Share of each category among the wrong answers."""
        return {category: self.errors[category] / max(self.wrong, 1) for category in CATEGORIES}

    def to_json(self) -> dict[str, Any]:
        """The counts and shares as plain data."""
        counts = {"kind": self.kind, "questions": self.questions, "wrong": self.wrong}
        tables = {"faults": self.errors, "shares": self.shares}
        return {**counts, **tables, "equations": self.equations.to_json()}


def examine(network: Network, passages: Sequence[Passage]) -> Iterator[ExaminedQuestion]:
    """Answer every question that has an accepted answer, and attribute the errors.

    Args:
        network: The network.
        passages: Passages with questions.

    Yields:
        One result for each question, in order.
    """
    passage_of = {question.id: passage for passage in passages for question in passage.questions}
    for question, candidates in predict(network, passages):
        if not question.answers:
            continue
        attribution = None
        if grade(question, texts_of(candidates)).em < 1:
            passage = passage_of[question.id]
            supervision = supervise(passage, question, read_values(passage.text))
            attribution = attribute_error(candidates[0], supervision, network.recipe.modules)
        equation = check_equation(candidates[0]) if candidates else None
        yield ExaminedQuestion(question, candidates, attribution, equation)


def count_errors(examined: Iterable[ExaminedQuestion]) -> list[ErrorCounts]:
    """Count the errors of each kind that has questions, and of all questions together."""
    questions: Counter[str] = Counter()
    errors: dict[str, Counter[str]] = {}
    equations: dict[str, list[EquationCheck | None]] = {}
    for result in examined:
        for kind in (result.question.kind or "other", ALL):
            questions[kind] += 1
            equations.setdefault(kind, []).append(result.equation)
            if result.attribution is not None:
                errors.setdefault(kind, Counter())[result.attribution.category] += 1
    return [
        ErrorCounts(
            kind,
            questions[kind],
            {name: errors.get(kind, Counter())[name] for name in CATEGORIES},
            count_equations(equations[kind]),
        )
        for kind in (*KINDS, "other", ALL)
        if questions[kind]
    ]


def sample_questions(passages: Sequence[Passage], limit: int | None) -> list[Passage]:
    """Choose questions at even intervals.

    Args:
        passages: Passages with questions.
        limit: Number of questions; None for all.

    Returns:
        The passages that have a chosen question, with the chosen questions only.
    """
    ids = [question.id for passage in passages for question in passage.questions]
    if limit is None or limit >= len(ids):
        return list(passages)
    chosen = {ids[index * len(ids) // limit] for index in range(limit)}
    sampled = (
        replace(passage, questions=tuple(q for q in passage.questions if q.id in chosen))
        for passage in passages
    )
    return [passage for passage in sampled if passage.questions]
