"""``workings evaluate``: a model on a file of questions, by DROP's official rules."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from workings.cli.score import show_report
from workings.cli.watching import watching

if TYPE_CHECKING:
    from workings.answer import Attempt
    from workings.data.records import Passage, Question


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
    from workings.checkpoint import add_scores
    from workings.data.kinds import read_splits
    from workings.reader import model_folder
    from workings.score import evaluate as grade
    from workings.training.evaluate import of_kinds

    folder = model_folder(model)
    reading = read_splits(files)
    passages = of_kinds(reading.passages, all_questions=every)
    asked = sum(len(passage.questions) for passage in passages)
    found: dict[str, list[str]] = {}
    began = monotonic()
    with watching() as watch:
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
    from workings.checkpoint import load, load_model
    from workings.encoder.fast import quicken
    from workings.network import Network
    from workings.training.evaluate import predict, predict_texts, texts_of

    model = load_model(folder) if pages is None else load(folder)
    if fast:
        quicken(model.encoder.layers)
    if pages is None or not isinstance(model, Network):
        yield from predict_texts(model, passages)
        return
    for question, attempts in predict(model, passages):
        _write_page(pages, question, attempts)
        yield question, texts_of(attempts)


def _write_page(folder: Path, question: "Question", attempts: "list[Attempt]") -> None:
    from urllib.parse import quote

    from workings.data.files import write_aside
    from workings.explain.html import to_page
    from workings.explaining import Judgement, explain

    if attempts:
        # An id may be any text: as the name of a file it must not lead out of the folder.
        with write_aside(folder / f"{quote(question.id, safe=' ')}.html") as file:
            file.write(to_page(explain(attempts, Judgement())).encode())


def _write_predictions(path: Path, found: dict[str, list[str]]) -> None:
    import json

    from workings.data.files import write_aside

    with write_aside(path) as file:
        file.write(json.dumps(found, indent=1, ensure_ascii=False).encode())
