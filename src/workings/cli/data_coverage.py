"""``workings data coverage``: count the questions whose answers can be derived."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workings.cli.output import print_json

if TYPE_CHECKING:
    from rich.table import Table

    from workings.data.records import Passage
    from workings.supervision.coverage import Coverage
    from workings.supervision.supervise import Supervision


def coverage(
    source: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder with the DROP files, or one file.")
    ],
    split: Annotated[str, typer.Option("--split", help="File of the folder to read.")] = "train",
    cache: Annotated[
        Path | None,
        typer.Option("--cache", help="Folder for cached derivations.", show_default="no cache"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
) -> None:
    """Count the questions whose answers can be derived.

    An answer is derived by a program over the values of its passage. Counts are by kind, and by
    type and source where the data have them.
    """
    from dataclasses import asdict

    from rich.console import Console

    from workings.data.kinds import load_split
    from workings.supervision.coverage import coverage as count
    from workings.supervision.coverage import find_split

    passages = load_split(find_split(source, split))
    rows = count(passages, _supervise(passages, cache))
    if json:
        print_json([asdict(row) for row in rows])
    else:
        Console().print(_table(rows))


def _supervise(passages: list["Passage"], cache: Path | None) -> dict[str, "Supervision"]:
    from rich.console import Console
    from rich.progress import Progress

    from workings.supervision.supervise import supervise_all

    stderr = Console(stderr=True)
    with Progress(console=stderr, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("derivations", total=len(passages))
        return supervise_all(
            passages,
            cache=cache,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _table(rows: tuple["Coverage", ...]) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("", no_wrap=True)
    columns = ("questions", "derived", "ambiguous", "median", "evidence", "narrowed", "one program")
    for name in columns:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.kind if row.by == "kind" else f"{row.by} {row.kind}",
            f"{row.questions:,}",
            _percent(row.derived, row.questions),
            _percent(row.ambiguous, row.questions),
            f"{row.median:g}",
            f"{row.with_evidence:,}",
            _percent(row.narrowed, row.with_evidence),
            _percent(row.one_program, row.with_evidence),
        )
    return table


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""
