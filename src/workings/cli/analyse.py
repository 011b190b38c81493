"""``workings analyse``: the first wrong step of each wrong answer, or the faithfulness of steps."""

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

_ERROR_NOTE = "Share of the wrong answers in which each category is the first error."
_FAITHFULNESS_NOTE = (
    "Deletion and insertion compare a step's own words with random ones: "
    "0 is no difference, 1 the maximum."
)


def analyse(
    file: Path = typer.Argument(
        metavar="FILE", help="Questions with answers: DROP's JSON or JSON lines."
    ),
    model: Path | None = typer.Option(None, help="Model folder; default: the shipped weights."),
    out: Path | None = typer.Option(None, help="Folder for pages, charts and the table."),
    limit: int | None = typer.Option(
        None, min=1, help="Number of questions, at even intervals in the file; default: all."
    ),
    faithfulness: bool = typer.Option(
        False, "--faithfulness", help="Measure the faithfulness of each module's steps instead."
    ),
    json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Find the first wrong step of each wrong answer, by kind of question."""
    from workings.analysis.error_report import sample_questions
    from workings.checkpoint.model_folder import find_model
    from workings.data.kinds import load_split
    from workings.evaluation.prediction import questions_to_score

    passages = sample_questions(questions_to_score(load_split(file)), limit)
    folder = find_model(model)
    if faithfulness:
        rows = _measure_faithfulness(folder, passages, out)
        table, note = _faithfulness_table(rows), _FAITHFULNESS_NOTE
        _print(table, note, [row.to_json() for row in rows], json=json)
    else:
        counts = _attribute_errors(folder, passages, out)
        _print(_error_table(counts), _ERROR_NOTE, [row.to_json() for row in counts], json=json)


def _attribute_errors(
    folder: Path, passages: "Sequence[Passage]", out: Path | None
) -> "list[ErrorCounts]":
    from workings.analysis.error_pages import ExampleCollector, write_pages
    from workings.analysis.error_report import count_errors, examine
    from workings.checkpoint.config import load_policy
    from workings.checkpoint.model_folder import load

    collector = ExampleCollector(load_policy(folder))
    examined = _with_progress(examine(load(folder), passages), passages)
    counts = count_errors(collector.collect(examined) if out else examined)
    if out:
        write_pages(out, counts, collector)
    return counts


def _measure_faithfulness(
    folder: Path, passages: "Sequence[Passage]", out: Path | None
) -> "list[Faithfulness]":
    from workings.analysis.error_pages import write_faithfulness
    from workings.analysis.faithfulness import measure, summarise
    from workings.checkpoint.model_folder import load_model

    measured = _with_progress(measure(load_model(folder), passages), passages)
    rows = summarise(step for steps in measured for step in steps)
    if out:
        write_faithfulness(out, rows)
    return rows


def _with_progress(results: Iterable[T], passages: "Sequence[Passage]") -> Iterator[T]:
    """Pass results on, one for each question, under a progress bar."""
    total = sum(len(passage.questions) for passage in passages)
    with progress_bar() as show_progress:
        for done, result in enumerate(results, 1):
            show_progress("Analysing", done, total)
            yield result


def _print(table: "Table", note: str, tree: list[dict[str, Any]], *, json: bool) -> None:
    from rich.console import Console

    console = Console()
    if json:
        console.print_json(data=tree)
    else:
        console.print(table)
        console.print(f"\n{note}", highlight=False)


def _error_table(counts: "Sequence[ErrorCounts]") -> "Table":
    from workings.analysis.error_attribution import CATEGORIES, CATEGORY_LABELS

    categories = [name for name in CATEGORIES if any(row.errors[name] for row in counts)]
    table = _table("kind", "wrong", *(CATEGORY_LABELS[name] for name in categories))
    for row in counts:
        shares = [f"{row.shares[name]:.0%}" if row.errors[name] else "" for name in categories]
        table.add_row(row.kind, f"{row.wrong:,}/{row.questions:,}", *shares)
    return table


def _faithfulness_table(rows: "Sequence[Faithfulness]") -> "Table":
    table = _table("module", "steps", "on evidence", "even spread", "deletion", "insertion")
    for row in rows:
        weights = [
            "–" if weight is None else f"{weight:.1%}" for weight in (row.evidence, row.even)
        ]
        curves = row.curves
        areas = [curves.deletion_area, curves.insertion_area] if curves else [None, None]
        cells = ["–" if area is None else f"{area:+.3f}" for area in areas]
        table.add_row(row.module, f"{row.steps:,}", *weights, *cells)
    return table


def _table(first: str, *others: str) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right")
    return table
