"""``workings data download`` and ``workings data build``: get DROP and prepare it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from workings.data.build import BuiltSplit
    from workings.data.records import Passage

_MAX_SHOWN_ERRORS = 20


def build(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with the DROP files.")],
    out: Annotated[Path, typer.Option("--out", help="Output folder.")],
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first malformed record.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Label the kind of each question and augment the training split.

    Prints the number of questions by kind, beside the paper's numbers.
    """
    from rich.console import Console

    from workings.data.build import build as build_dataset

    splits = build_dataset(source, out, strict=strict, track=_track)
    for split in splits:
        _print_errors(split)
    console = Console()
    if json:
        console.print_json(data={split.name: _summary(split) for split in splits})
    else:
        console.print(_table(splits))


def download(
    out: Annotated[Path, typer.Option("--out", help="Output folder.")] = Path("drop"),
    url: Annotated[
        str | None,
        typer.Option("--url", help="Address of the archive.", show_default="the official one"),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256", help="Expected SHA-256 digest of the archive.", show_default="not checked"
        ),
    ] = None,
) -> None:
    """Download the DROP dataset.

    The same command resumes an interrupted download.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from workings.data.download import URL
    from workings.data.download import download as download_archive

    stderr = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("download")
        downloaded = download_archive(
            out,
            url=url or URL,
            sha256=sha256,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    typer.echo(f"SHA-256 {downloaded.sha256}")
    for file in downloaded.files:
        typer.echo(str(file))


def _track(passages: Iterable["Passage"], title: str, total: int) -> Iterable["Passage"]:
    from rich.console import Console
    from rich.progress import track

    stderr = Console(stderr=True)
    return track(passages, title, total, console=stderr, disable=not stderr.is_terminal)


def _print_errors(split: "BuiltSplit") -> None:
    for record in split.malformed[:_MAX_SHOWN_ERRORS]:
        typer.secho(f"skipped: {record}", fg="yellow", err=True)
    more = len(split.malformed) - _MAX_SHOWN_ERRORS
    if more > 0:
        typer.secho(f"skipped: {more:,} more records of {split.name}", fg="yellow", err=True)


def _summary(split: "BuiltSplit") -> dict[str, object]:
    return {
        "file": str(split.path),
        "passages": split.passages,
        "questions": split.questions,
        "counts": split.counts,
        "left_out": len(split.malformed),
    }


def _table(splits: list["BuiltSplit"]) -> "Table":
    """Count questions by kind, with the paper's count where it has one."""
    from rich.table import Table

    from workings.data.build import COUNT_ROWS, paper_count

    table = Table("kind", caption="this file / the paper's", caption_justify="left")
    for split in splits:
        table.add_column(split.name, justify="right")
    for row in COUNT_ROWS:
        counts = (f"{split.counts.get(row, 0):,}" for split in splits)
        papers = (paper_count(row, split.name) for split in splits)
        cells = (f"{a} / {b:,}" if b else a for a, b in zip(counts, papers, strict=True))
        table.add_row(row, *cells)
    return table
