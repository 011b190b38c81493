"""How often each sort of step was the first to go wrong, by kind of question."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workings.analysis.error_attribution import FAULTS, ErrorAttribution, attribute_error
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
    """One question, what was tried, and what is to attribute_error if the answer is wrong."""

    question: Question
    candidates: Sequence[Candidate]
    attribute_error: ErrorAttribution | None


@dataclass(frozen=True)
class ErrorCounts:
    """The faults among the questions of one kind."""

    kind: str
    questions: int
    faults: dict[str, int]

    @property
    def wrong(self) -> int:
        return sum(self.faults.values())

    @property
    def shares(self) -> dict[str, float]:
        """Of the wrong answers; they sum to one if there are any."""
        return {fault: self.faults[fault] / max(self.wrong, 1) for fault in FAULTS}

    def to_json(self) -> dict[str, Any]:
        counts = {"kind": self.kind, "questions": self.questions, "wrong": self.wrong}
        return {**counts, "faults": self.faults, "shares": self.shares}


def examine(network: Network, passages: Sequence[Passage]) -> Iterator[ExaminedQuestion]:
    """Ask every question that has a known answer, and look into the wrong ones."""
    passage_of = {question.id: passage for passage in passages for question in passage.questions}
    for question, candidates in predict(network, passages):
        if question.answers:
            right = grade(question, texts_of(candidates)).em == 1
            found = (
                None if right else _blame(network, passage_of[question.id], question, candidates)
            )
            yield ExaminedQuestion(question, candidates, found)


def _blame(
    network: Network, passage: Passage, question: Question, candidates: Sequence[Candidate]
) -> ErrorAttribution:
    known = supervise(passage, question, read_values(passage.text))
    return attribute_error(candidates[0], known, network.recipe.modules)


def count_errors(examined: Iterable[ExaminedQuestion]) -> list[ErrorCounts]:
    """One for each kind that was asked, and one for all."""
    asked: Counter[str] = Counter()
    faults: dict[str, Counter[str]] = {}
    for one in examined:
        for kind in (one.question.kind or "other", ALL):
            asked[kind] += 1
            if one.attribute_error is not None:
                faults.setdefault(kind, Counter())[one.attribute_error.fault] += 1
    return [
        ErrorCounts(kind, asked[kind], {f: faults.get(kind, Counter())[f] for f in FAULTS})
        for kind in (*KINDS, "other", ALL)
        if asked[kind]
    ]


def sample_questions(passages: Sequence[Passage], limit: int | None) -> list[Passage]:
    """The passages with so many of their questions, from all over the file; or with all."""
    ids = [question.id for passage in passages for question in passage.questions]
    if limit is None or limit >= len(ids):
        return list(passages)
    chosen = {ids[place * len(ids) // limit] for place in range(limit)}
    kept = (replace(p, questions=tuple(q for q in p.questions if q.id in chosen)) for p in passages)
    return [passage for passage in kept if passage.questions]
