"""``workings score``: predictions against gold answers, by DROP's official rules."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from workings.data.records import LoadedPassages
    from workings.score import Report


def score(
    predictions: Path = typer.Argument(
        metavar="PREDICTIONS", help="A JSON file: {question id: answer or answers}."
    ),
    gold: Path = typer.Argument(
        metavar="GOLD", help="DROP's JSON or JSON lines, plain or gzipped."
    ),
    json: bool = typer.Option(False, "--json", help="Print the report as JSON."),
    seed: int = typer.Option(0, help="Seed of the bootstrap intervals."),
) -> None:
    """Score predictions: exact match and F1, overall and by kind, with 95 % intervals."""
    from workings.data.kinds import with_kinds
    from workings.data.records import read_passages
    from workings.score import evaluate, read_predictions

    given, reading = read_predictions(predictions), read_passages(gold)
    show_report(evaluate(given, with_kinds(reading.passages), seed=seed), reading, json=json)


def show_report(report: "Report", reading: "LoadedPassages", *, json: bool) -> None:
    """Print a report for a person or for a machine, and what was left out of the file scored."""
    from rich.console import Console

    if reading.faults:
        typer.secho(reading.note, fg="yellow", err=True)
    console = Console()
    if json:
        console.print_json(data=report.to_json() | {"left_out": len(reading.faults)})
    else:
        console.print(_table(report))


def _table(report: "Report") -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("", box=SIMPLE_HEAD, caption=_caption(report), caption_justify="left")
    for name in ("questions", "exact match", "F1"):
        table.add_column(name, justify="right")
    for rows in report.sections():
        for name, group in rows:
            shown = group.em.percent(2), group.f1.percent(2)
            table.add_row(name, f"{group.questions:,}", *shown)
        table.add_section()
    return table


def _caption(report: "Report") -> str:
    notes = ["95 % bootstrap intervals in brackets."]
    if report.missing:
        notes.append(f"{report.missing:,} questions have no prediction and count as wrong.")
    if report.ungraded:
        notes.append(f"{report.ungraded:,} questions have no known answer and are left out.")
    return "\n".join(notes)
