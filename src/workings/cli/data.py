"""``workings data``: DROP fetched, and built into the paper's dataset."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from workings.data.build import BuiltSplit
    from workings.data.records import Passage

_SHOWN_FAULTS = 20


def build(
    source: Path = typer.Argument(metavar="DIR", help="A folder with DROP's files."),
    out: Path = typer.Option(..., "--out", help="The folder to write the dataset to."),
    strict: bool = typer.Option(False, "--strict", help="Stop at the first malformed record."),
    json: bool = typer.Option(False, "--json", help="Print the counts as JSON."),
) -> None:
    """Tell the kind of every question, augment training, and count beside the paper's table."""
    from rich.console import Console

    from workings.data.build import build as build_dataset

    splits = build_dataset(source, out, strict=strict, watch=_watch)
    for split in splits:
        _show_faults(split)
    console = Console()
    if json:
        console.print_json(data={split.name: _summary(split) for split in splits})
    else:
        console.print(_table(splits))


def download(
    out: Path = typer.Option(Path("drop"), "--out", help="The folder to fetch DROP into."),
    url: str | None = typer.Option(None, "--url", help="Where to fetch it, if not from its home."),
    sha256: str | None = typer.Option(None, "--sha256", help="The digest the archive must have."),
) -> None:
    """Fetch DROP's official archive, going on where a broken download stopped."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from workings.data.download import URL
    from workings.data.download import download as fetch_and_unpack

    errors = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as bar:
        task = bar.add_task("download")
        fetched = fetch_and_unpack(
            out,
            url=url or URL,
            sha256=sha256,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    typer.echo(f"SHA-256 {fetched.sha256}")
    for file in fetched.files:
        typer.echo(str(file))


def _watch(passages: Iterable["Passage"], title: str, total: int) -> Iterable["Passage"]:
    from rich.console import Console
    from rich.progress import track

    errors = Console(stderr=True)
    return track(passages, title, total, console=errors, disable=not errors.is_terminal)


def _show_faults(split: "BuiltSplit") -> None:
    for fault in split.faults[:_SHOWN_FAULTS]:
        typer.secho(f"left out: {fault}", fg="yellow", err=True)
    more = len(split.faults) - _SHOWN_FAULTS
    if more > 0:
        typer.secho(f"left out: {more:,} more records of {split.name}", fg="yellow", err=True)


def _summary(split: "BuiltSplit") -> dict[str, object]:
    return {
        "file": str(split.path),
        "passages": split.passages,
        "questions": split.questions,
        "counts": split.counts,
        "left_out": len(split.faults),
    }


def _table(splits: list["BuiltSplit"]) -> "Table":
    """Our counts, each with the paper's behind it where it has one."""
    from rich.table import Table

    from workings.data.build import COUNTED, paper_count

    table = Table("kind", caption="ours / the paper's", caption_justify="left")
    for split in splits:
        table.add_column(split.name, justify="right")
    for row in COUNTED:
        ours = (f"{split.counts.get(row, 0):,}" for split in splits)
        papers = (paper_count(row, split.name) for split in splits)
        cells = (f"{a} / {b:,}" if b else a for a, b in zip(ours, papers, strict=True))
        table.add_row(row, *cells)
    return table
