"""``workings data download`` and ``workings data build``: get DROP or SQuAD, and prepare DROP."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from workings.cli.output import print_json

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
    if json:
        print_json({split.name: _summary(split) for split in splits})
    else:
        Console().print(_table(splits))


def download(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Output folder.", show_default="the name of the dataset"),
    ] = None,
    dataset: Annotated[
        Literal["drop", "squad"], typer.Option("--dataset", help="Dataset to download.")
    ] = "drop",
    url: Annotated[
        str | None,
        typer.Option("--url", help="Address of the dataset.", show_default="the official one"),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256",
            help="Expected SHA-256 digest of the downloaded file.",
            show_default="not checked",
        ),
    ] = None,
) -> None:
    """Download DROP, or SQuAD's training file.

    The same command resumes an interrupted download. SQuAD is also written in DROP's layout.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from workings.data import download as drop
    from workings.data import squad

    fetch, address = {
        "drop": (drop.download, drop.URL),
        "squad": (squad.download_squad, squad.URL),
    }[dataset]
    stderr = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as bar:
        task = bar.add_task("download")
        downloaded = fetch(
            out or Path(dataset),
            url=url or address,
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
