"""``workings score``: score predictions against gold answers by DROP's official rules."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workings.cli.output import print_json

if TYPE_CHECKING:
    from rich.table import Table

    from workings.data.records import LoadedPassages
    from workings.score import Report


def score(
    predictions: Annotated[
        Path,
        typer.Argument(
            metavar="PREDICTIONS", help="JSON file: {question id: answer or list of answers}."
        ),
    ],
    gold: Annotated[
        Path,
        typer.Argument(metavar="GOLD", help="Gold answers: DROP's JSON or JSON lines; may be .gz."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed of the bootstrap intervals.")] = 0,
) -> None:
    """Score predictions by exact match and F1.

    Scores are overall and by kind, type and source of the question, with 95 % intervals.
    """
    from workings.data.kinds import with_kinds
    from workings.data.records import read_passages
    from workings.score import read_predictions, score_predictions

    answers, loaded = read_predictions(predictions), read_passages(gold)
    report = score_predictions(answers, with_kinds(loaded.passages), seed=seed)
    print_report(report, loaded, json=json)


def print_report(report: "Report", loaded: "LoadedPassages", *, json: bool) -> None:
    """Print a report as a table or as JSON, and warn about records that were skipped.

    Args:
        report: The scores.
        loaded: The passages of the gold file, with its malformed records.
        json: Print JSON instead of a table.
    """
    from rich.console import Console

    if loaded.malformed:
        typer.secho(loaded.warning, fg="yellow", err=True)
    if json:
        print_json(report.to_json() | {"left_out": len(loaded.malformed)})
    else:
        Console().print(_table(report))


def _table(report: "Report") -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("", box=SIMPLE_HEAD, caption=_caption(report), caption_justify="left")
    for name in ("questions", "exact match", "F1"):
        table.add_column(name, justify="right")
    for rows in report.sections():
        for name, group in rows:
            scores = group.em.percent(2), group.f1.percent(2)
            table.add_row(name, f"{group.questions:,}", *scores)
        table.add_section()
    return table


def _caption(report: "Report") -> str:
    notes = ["95 % bootstrap intervals in brackets."]
    if report.missing:
        notes.append(f"{report.missing:,} questions have no prediction and count as wrong.")
    if report.ungraded:
        notes.append(f"{report.ungraded:,} questions have no gold answer and are left out.")
    if report.unanswerable:
        counts = f"{report.unanswerable.recognised:,} of {report.unanswerable.questions:,}"
        notes.append(f"{counts} unanswerable questions were recognised.")
        if report.unanswerable.auroc is not None:
            notes.append(f"AUROC, answerable or not: {report.unanswerable.auroc:.3f}.")
    return "\n".join(notes)
