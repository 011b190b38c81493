"""Answer a file of questions with a model and score the answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TypeAlias
from urllib.parse import quote

from workings.checkpoint.config import load_policy
from workings.checkpoint.model_folder import find_model, load, load_model
from workings.data.kinds import load_split
from workings.data.records import Passage, Question
from workings.errors import InputError
from workings.evaluation.answerability import (
    AnswerConfidence,
    answer_confidence,
    answerability_auroc,
)
from workings.evaluation.prediction import predict, predict_texts, questions_to_score, texts_of
from workings.explain.html import to_page
from workings.files import check_output, write_atomically
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy, Candidate
from workings.network.network import Network
from workings.peers import Model
from workings.progress import ProgressCallback, no_progress
from workings.reader import Reader
from workings.score import Report, score_predictions

ModelSource: TypeAlias = Reader | Model | str | Path
QuestionSource: TypeAlias = str | Path | Sequence[str | Path] | Sequence[Passage]


@dataclass(frozen=True)
class Evaluation:
    """The result of an evaluation.

    Attributes:
        report: The scores.
        predictions: The answers by question id.
        seconds: Mean time per question, including the encoding of its passage.
    """

    report: Report
    predictions: dict[str, list[str]]
    seconds: float


def evaluate(
    model: ModelSource | None,
    questions: QuestionSource,
    *,
    all_questions: bool = False,
    fast: bool = False,
    pages: str | Path | None = None,
    predictions: str | Path | None = None,
    progress: ProgressCallback = no_progress,
) -> Evaluation:
    """Answer questions with a model and score the answers, as ``workings evaluate`` does.

    Args:
        model: A model folder, a ``Reader`` or a loaded model; None for the shipped weights.
        questions: A file of questions with answers (DROP's JSON or JSON lines), several files that
            are scored as one, or passages as ``load_split`` returns them.
        all_questions: Score questions without a kind, too.
        fast: Run the encoder in bfloat16 or 8-bit integers, whichever suits the processor.
        pages: A folder for an HTML page per question; needs a module network.
        predictions: A JSON file for the answers by question id. It is written before the answers
            are scored, so it may hold answers to questions without gold answers.
        progress: Called after each question.

    Raises:
        CheckpointError: If the model folder is damaged, or holds a peer and ``pages`` is given.
        DataError: If a file cannot be read, no question has an answer to compare with, or
            ``predictions`` is one of the files or not a regular file.
        InputError: If ``fast`` or ``pages`` does not apply to the given model.
    """
    if predictions is not None:
        check_output(Path(predictions), *_files(questions))
    loaded, policy = _load(model, explained=pages is not None, fast=fast)
    passages = questions_to_score(_load_passages(questions), all_questions=all_questions)
    total = sum(len(passage.questions) for passage in passages)
    answers: dict[str, list[str]] = {}
    confidences: dict[str, AnswerConfidence] = {}
    start = monotonic()
    for question, texts, confidence in _answer(loaded, policy, passages, pages):
        answers[question.id] = texts
        if confidence is not None:
            confidences[question.id] = confidence
        progress("Answering", len(answers), total)
    seconds = (monotonic() - start) / total if total else 0.0
    if predictions is not None:
        with write_atomically(Path(predictions)) as file:
            file.write(json.dumps(answers, indent=1, ensure_ascii=False).encode())
    return Evaluation(_score(answers, confidences, passages), answers, seconds)


def _score(
    answers: Mapping[str, list[str]],
    confidences: Mapping[str, AnswerConfidence],
    passages: Sequence[Passage],
) -> Report:
    """Score answers; on a question that its passage does not answer, none is right."""
    every = [question for passage in passages for question in passage.questions]
    missing = [q.id for q in every if q.unanswerable and q.id in confidences]
    report = score_predictions(answers, passages)
    stated = [q.id for q in every if q.answers and not q.unanswerable and q.id in confidences]
    if report.unanswerable is None or not stated or not missing:
        return report
    area = answerability_auroc([confidences[n] for n in stated], [confidences[n] for n in missing])
    return replace(report, unanswerable=replace(report.unanswerable, auroc=area))


def _load(model: ModelSource | None, *, explained: bool, fast: bool) -> tuple[Model, AnswerPolicy]:
    if model is None or isinstance(model, str | Path):
        folder = find_model(model)
        network = load(folder, fast=fast) if explained else load_model(folder, fast=fast)
        return network, load_policy(folder)
    if fast:
        hint = "Give a model folder, or a reader loaded with fast=True."
        raise InputError("fast applies to a model folder only.", hint=hint)
    if isinstance(model, Reader):
        return model.network, model.policy
    if explained and not isinstance(model, Network):
        hint = "Leave out pages, or give a module network."
        raise InputError(f"A {model.recipe.model} has no steps to explain.", hint=hint)
    return model, AnswerPolicy()


def _items(questions: QuestionSource) -> Sequence[str | Path | Passage]:
    return [questions] if isinstance(questions, str | Path) else questions


def _files(questions: QuestionSource) -> list[Path]:
    return [Path(item) for item in _items(questions) if not isinstance(item, Passage)]


def _load_passages(questions: QuestionSource) -> Sequence[Passage]:
    passages: list[Passage] = []
    for item in _items(questions):
        passages += [item] if isinstance(item, Passage) else load_split(Path(item))
    return passages


def _answer(
    model: Model, policy: AnswerPolicy, passages: Sequence[Passage], pages: str | Path | None
) -> Iterator[tuple[Question, list[str], AnswerConfidence | None]]:
    """Yield each question, its answer, and the model's confidence; a peer has none."""
    if not isinstance(model, Network):
        for question, texts in predict_texts(model, passages):
            yield question, texts, None
        return
    for question, candidates in predict(model, passages):
        if candidates and pages is not None:
            _write_page(Path(pages), question, candidates, policy)
        yield question, texts_of(candidates), answer_confidence(candidates, policy)


def _write_page(
    folder: Path, question: Question, candidates: Sequence[Candidate], policy: AnswerPolicy
) -> None:
    # An id can be any text; quoting keeps the file inside the folder.
    with write_atomically(folder / f"{quote(question.id, safe=' ')}.html") as file:
        file.write(to_page(explain(candidates, policy)).encode())
