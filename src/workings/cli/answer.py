"""``workings answer``: a file of questions in, a file of answers out."""

import sys
from collections.abc import Callable
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from workings.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from workings.batch.answering import Backend, BatchAnswerer, Counts

# Everything was done that could be, but some lines were set aside.
_SOME_BAD = 3


def answer(
    file: Path = typer.Argument(
        metavar="FILE", help="JSON lines or CSV; - for JSON lines from standard input."
    ),
    out: Path | None = typer.Option(
        None, "--out", "-o", help="Write here, and go on where an earlier run stopped; else stdout."
    ),
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    explain: bool = typer.Option(False, "--explain", help="Write whole explanations too."),
    threshold: float = typer.Option(0.0, min=0, max=1, help="Answer only if this sure."),
    fast: bool = typer.Option(False, "--fast", help="Read with weights rounded to eight bits."),
    engine: str = typer.Option(
        "here", help="Where: here, or by ray on a cluster; ray:4 for four workers."
    ),
    json: bool = typer.Option(False, "--json", help="Print the counts as JSON."),
) -> None:
    """Answer every line of a file with a question and a passage.

    Lines that cannot be answered are set aside (in answers.bad.jsonl for answers.jsonl, else on
    standard error), and the exit code is then 3.
    """
    from workings.batch.answering import FileAnswerer, from_model, read_jsonl, read_questions
    from workings.reader import model_folder

    piped = str(file) == "-"
    total = 0 if piped else sum(1 for _ in read_questions(file))
    folder = model_folder(model).resolve()
    clerk = partial(from_model, folder, whole=explain, threshold=threshold, fast=fast)
    chosen = _engine(engine, folder, clerk)
    lines = read_jsonl(_typed()) if piped else read_questions(file)
    with progress_bar() as watch:
        work = FileAnswerer(chosen, lambda done: watch("FileAnswerer", done, max(total, done)))
        tally = work.into(out, lines) if out else work.stream(lines, sys.stdout, sys.stderr)
    _report(tally, out, json=json)
    if tally.bad:
        raise typer.Exit(_SOME_BAD)


def _engine(name: str, folder: Path, clerk: "Callable[[], BatchAnswerer]") -> "Backend":
    kind, _, workers = name.partition(":")
    if name == "here":
        return clerk()
    if kind != "ray" or not (name == "ray" or (workers.isdecimal() and int(workers))):
        raise typer.BadParameter("it is here, ray, or ray: and a number", param_hint="--engine")
    from workings.batch.ray_backend import RayBackend
    from workings.checkpoint.model_folder import read_config

    read_config(folder)  # what is no model is told once, not by every worker
    return RayBackend(clerk, int(workers) if workers else None)


def _typed() -> TextIO:
    """Standard input, in which bytes that are no text spoil no more than their line."""
    return TextIOWrapper(
        sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape", newline=""
    )


def _report(tally: "Counts", out: Path | None, *, json: bool) -> None:
    """The counts, out of the way of answers that go to standard output."""
    from dataclasses import asdict

    from rich.console import Console

    from workings.batch.answering import rejects_path

    console = Console(stderr=out is None, highlight=False)
    if json:
        console.print_json(data=asdict(tally))
        return
    kept = f", {tally.kept:,} before" if tally.kept else ""
    where = f" in {rejects_path(out)}" if out else ""
    bad = f", {tally.bad:,} set aside{where}" if tally.bad else ""
    console.print(f"{tally.answered:,} answered{kept}{bad}", soft_wrap=True)
