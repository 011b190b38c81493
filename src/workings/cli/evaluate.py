"""``workings evaluate``: a model on a file of questions, by DROP's official rules."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from workings.cli.progress_bar import progress_bar
from workings.cli.scoring import show_report

if TYPE_CHECKING:
    from workings.data.records import Passage, Question
    from workings.inference.ranking import Candidate


def evaluate(
    files: list[Path] = typer.Argument(
        metavar="FILE", help="DROP's JSON or JSON lines, with answers; several count as one."
    ),
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    every: bool = typer.Option(False, "--all", help="Ask questions of no kind too."),
    json: bool = typer.Option(False, "--json", help="Print the report as JSON."),
    explain: Path | None = typer.Option(None, help="Write a page for each question here."),
    predictions: Path | None = typer.Option(None, help="Write the answers as JSON to this file."),
    fast: bool = typer.Option(False, "--fast", help="Read with weights rounded to eight bits."),
    card: bool = typer.Option(False, "--card", help="Put the scores on the model's card."),
) -> None:
    """Answer every question of a file and score the answers, by kind, with intervals."""
    from workings.checkpoint.model_folder import add_scores
    from workings.data.kinds import read_splits
    from workings.evaluation.prediction import questions_to_score
    from workings.reader import model_folder
    from workings.score import evaluate as grade

    folder = model_folder(model)
    reading = read_splits(files)
    passages = questions_to_score(reading.passages, all_questions=every)
    asked = sum(len(passage.questions) for passage in passages)
    found: dict[str, list[str]] = {}
    began = monotonic()
    with progress_bar() as watch:
        for question, texts in _answers(folder, passages, explain, fast=fast):
            found[question.id] = texts
            watch("Answering", len(found), asked)
    if predictions is not None:
        _write_predictions(predictions, found)
    seconds = (monotonic() - began) / asked if asked else 0.0
    report = grade(found, passages)
    if card:
        add_scores(folder, _name(files, every=every, fast=fast), report, seconds=seconds)
    show_report(report, reading, json=json)


def _name(files: list[Path], *, every: bool, fast: bool) -> str:
    """What the card calls these questions."""
    names = [file.name.partition(".")[0] for file in files]
    notes = [", questions of no kind too"] * every + [", in eight bits"] * fast
    return " + ".join(names) + "".join(notes)


def _answers(
    folder: Path, passages: "Sequence[Passage]", pages: Path | None, *, fast: bool
) -> "Iterator[tuple[Question, list[str]]]":
    """What the model says to each question, explained on a page where that is asked for."""
    from workings.checkpoint.model_folder import load, load_model
    from workings.encoder.quantize import quantize
    from workings.evaluation.prediction import predict, predict_texts, texts_of
    from workings.network.network import Network

    model = load_model(folder) if pages is None else load(folder)
    if fast:
        quantize(model.encoder.layers)
    if pages is None or not isinstance(model, Network):
        yield from predict_texts(model, passages)
        return
    for question, candidates in predict(model, passages):
        _write_page(pages, question, candidates)
        yield question, texts_of(candidates)


def _write_page(folder: Path, question: "Question", candidates: "list[Candidate]") -> None:
    from urllib.parse import quote

    from workings.explain.html import to_page
    from workings.files import write_atomically
    from workings.inference.explaining import explain
    from workings.inference.ranking import AnswerPolicy

    if candidates:
        # An id may be any text: as the name of a file it must not lead out of the folder.
        with write_atomically(folder / f"{quote(question.id, safe=' ')}.html") as file:
            file.write(to_page(explain(candidates, AnswerPolicy())).encode())


def _write_predictions(path: Path, found: dict[str, list[str]]) -> None:
    import json

    from workings.files import write_atomically

    with write_atomically(path) as file:
        file.write(json.dumps(found, indent=1, ensure_ascii=False).encode())
