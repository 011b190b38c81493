"""``workings analyse``: the first wrong step of every wrong answer, and how far steps are true."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from workings.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from rich.table import Table

    from workings.analysis.error_report import ErrorCounts
    from workings.analysis.faithfulness import Faithfulness
    from workings.data.records import Passage

T = TypeVar("T")

_OF_FAULTS = "Of the wrong answers, the share in which each was the first to go wrong."
_OF_FAITH = (
    "Areas between a step's own words and random ones: 0 is chance, 1 the most there can be."
)


def analyse(
    file: Path = typer.Argument(metavar="FILE", help="DROP's JSON or JSON lines, with answers."),
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    out: Path | None = typer.Option(None, help="Write pages, pictures and the table here."),
    limit: int | None = typer.Option(
        None, min=1, help="Ask only so many questions, from all over the file."
    ),
    faithfulness: bool = typer.Option(
        False, "--faithfulness", help="Measure instead how far each module's steps are true."
    ),
    json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Tell which step of each wrong answer went wrong first, by kind of question."""
    from workings.analysis.error_report import sample_questions
    from workings.data.kinds import load_split
    from workings.evaluation.prediction import questions_to_score
    from workings.reader import model_folder

    passages = sample_questions(questions_to_score(load_split(file)), limit)
    if faithfulness:
        faiths = _measure(model_folder(model), passages, out)
        _show(_faith_table(faiths), _OF_FAITH, [one.to_json() for one in faiths], json=json)
    else:
        tallies = _blame(model_folder(model), passages, out)
        _show(_fault_table(tallies), _OF_FAULTS, [one.to_json() for one in tallies], json=json)


def _blame(folder: Path, passages: "Sequence[Passage]", out: Path | None) -> "list[ErrorCounts]":
    from workings.analysis.error_pages import ExampleCollector, write_pages
    from workings.analysis.error_report import count_errors, examine
    from workings.checkpoint.model_folder import load

    gallery = ExampleCollector()
    examined = _watched(examine(load(folder), passages), passages)
    tallies = count_errors(gallery.watch(examined) if out else examined)
    if out:
        write_pages(out, tallies, gallery)
    return tallies


def _measure(folder: Path, passages: "Sequence[Passage]", out: Path | None) -> "list[Faithfulness]":
    from workings.analysis.error_pages import write_faithfulness
    from workings.analysis.faithfulness import measure, summarise
    from workings.checkpoint.model_folder import load_model

    measured = _watched(measure(load_model(folder), passages), passages)
    faiths = summarise(step for steps in measured for step in steps)
    if out:
        write_faithfulness(out, faiths)
    return faiths


def _watched(found: Iterable[T], passages: "Sequence[Passage]") -> Iterator[T]:
    """Everything as it comes, one for each question, under a progress bar."""
    asked = sum(len(passage.questions) for passage in passages)
    with progress_bar() as watch:
        for done, one in enumerate(found, 1):
            watch("Analysing", done, asked)
            yield one


def _show(table: "Table", note: str, tree: list[dict[str, Any]], *, json: bool) -> None:
    from rich.console import Console

    console = Console()
    if json:
        console.print_json(data=tree)
    else:
        console.print(table)
        console.print(f"\n{note}", highlight=False)


def _fault_table(tallies: "Sequence[ErrorCounts]") -> "Table":
    from workings.analysis.error_attribution import FAULTS, LABELS

    faults = [fault for fault in FAULTS if any(one.faults[fault] for one in tallies)]
    table = _table("kind", "wrong", *(LABELS[fault] for fault in faults))
    for one in tallies:
        shares = [f"{one.shares[f]:.0%}" if one.faults[f] else "" for f in faults]
        table.add_row(one.kind, f"{one.wrong:,}/{one.questions:,}", *shares)
    return table


def _faith_table(faiths: "Sequence[Faithfulness]") -> "Table":
    table = _table("module", "steps", "on evidence", "even spread", "deletion", "insertion")
    for one in faiths:
        weights = ["–" if each is None else f"{each:.1%}" for each in (one.evidence, one.even)]
        curves = one.curves
        areas = [curves.deletion_area, curves.insertion_area] if curves else [None, None]
        shown = ["–" if area is None else f"{area:+.3f}" for area in areas]
        table.add_row(one.module, f"{one.steps:,}", *weights, *shown)
    return table


def _table(first: str, *names: str) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column(first, no_wrap=True)
    for name in names:
        table.add_column(name, justify="right")
    return table
