"""Answer a file of questions with a model and score the answers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TypeAlias
from urllib.parse import quote

from workings.checkpoint.config import load_policy
from workings.checkpoint.model_folder import find_model, load, load_model
from workings.data.kinds import load_split
from workings.data.records import Passage, Question
from workings.errors import InputError
from workings.evaluation.prediction import predict, predict_texts, questions_to_score, texts_of
from workings.explain.html import to_page
from workings.files import write_atomically
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
        DataError: If a file cannot be read, or no question has an answer to compare with.
        InputError: If ``fast`` or ``pages`` does not apply to the given model.
    """
    loaded, policy = _load(model, explained=pages is not None, fast=fast)
    passages = questions_to_score(_load_passages(questions), all_questions=all_questions)
    total = sum(len(passage.questions) for passage in passages)
    answers: dict[str, list[str]] = {}
    start = monotonic()
    for question, texts in _answer(loaded, policy, passages, pages):
        answers[question.id] = texts
        progress("Answering", len(answers), total)
    seconds = (monotonic() - start) / total if total else 0.0
    if predictions is not None:
        with write_atomically(Path(predictions)) as file:
            file.write(json.dumps(answers, indent=1, ensure_ascii=False).encode())
    return Evaluation(score_predictions(answers, passages), answers, seconds)


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


def _load_passages(questions: QuestionSource) -> Sequence[Passage]:
    items = [questions] if isinstance(questions, str | Path) else questions
    passages: list[Passage] = []
    for item in items:
        passages += [item] if isinstance(item, Passage) else load_split(Path(item))
    return passages


def _answer(
    model: Model, policy: AnswerPolicy, passages: Sequence[Passage], pages: str | Path | None
) -> Iterator[tuple[Question, list[str]]]:
    if pages is None or not isinstance(model, Network):
        yield from predict_texts(model, passages)
        return
    for question, candidates in predict(model, passages):
        if candidates:
            _write_page(Path(pages), question, candidates, policy)
        yield question, texts_of(candidates)


def _write_page(
    folder: Path, question: Question, candidates: Sequence[Candidate], policy: AnswerPolicy
) -> None:
    # An id can be any text; quoting keeps the file inside the folder.
    with write_atomically(folder / f"{quote(question.id, safe=' ')}.html") as file:
        file.write(to_page(explain(candidates, policy)).encode())
