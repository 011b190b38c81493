"""``workings answer``: answer a file of questions."""

import sys
from collections.abc import Callable
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workings.cli.options import FastOption, ModelOption, ThresholdOption
from workings.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from workings.batch.answering import Backend, BatchAnswerer, Counts

# Exit code for a completed run in which some lines could not be answered.
_EXIT_REJECTED_LINES = 3


def answer(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Questions: JSON lines or CSV; - for JSON lines from stdin."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Output file; an interrupted run resumes from it.",
            show_default="stdout",
        ),
    ] = None,
    model: ModelOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Write the whole explanation of each answer.")
    ] = False,
    threshold: ThresholdOption = 0.0,
    fast: FastOption = False,
    backend: Annotated[
        str,
        typer.Option(help="Execution backend: local, ray (all processors) or ray:N (N workers)."),
    ] = "local",
    json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Answer a file of questions.

    Each line holds a question and its passage. Lines that cannot be answered are rejected: they
    are written to answers.bad.jsonl if the output is answers.jsonl, else to standard error. The
    exit code is then 3.
    """
    from workings.batch.answering import BatchAnswerer, FileAnswerer
    from workings.batch.questions import read_jsonl, read_questions
    from workings.checkpoint.config import load_policy
    from workings.checkpoint.model_folder import find_model

    from_stdin = str(file) == "-"
    total = 0 if from_stdin else sum(1 for _ in read_questions(file))
    folder = find_model(model).resolve()
    load_policy(folder, threshold=threshold)  # reports a bad folder before any worker starts
    make_answerer = partial(
        BatchAnswerer.from_model, folder, explain=explain, threshold=threshold, fast=fast
    )
    chosen = _backend(backend, make_answerer)
    lines = read_jsonl(_stdin()) if from_stdin else read_questions(file)
    with progress_bar() as progress:
        answerer = FileAnswerer(chosen, lambda done: progress("Answering", done, max(total, done)))
        counts = (
            answerer.into(out, lines) if out else answerer.stream(lines, sys.stdout, sys.stderr)
        )
    _print_counts(counts, out, json=json)
    if counts.bad:
        raise typer.Exit(_EXIT_REJECTED_LINES)


def _backend(name: str, make_answerer: "Callable[[], BatchAnswerer]") -> "Backend":
    kind, _, workers = name.partition(":")
    if name == "local":
        return make_answerer()
    if kind != "ray" or not (name == "ray" or (workers.isdecimal() and int(workers))):
        message = f"{name!r} is not a backend. Use local, ray, or ray:N with N workers."
        raise typer.BadParameter(message, param_hint="--backend")
    from workings.batch.ray_backend import RayBackend

    return RayBackend(make_answerer, int(workers) if workers else None)


def _stdin() -> TextIOWrapper:
    """Open standard input so that bytes that are not UTF-8 invalidate one line only."""
    return TextIOWrapper(
        sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape", newline=""
    )


def _print_counts(counts: "Counts", out: Path | None, *, json: bool) -> None:
    """Print the counts; to standard error if the answers go to standard output."""
    from dataclasses import asdict

    from rich.console import Console

    from workings.batch.answering import rejects_path

    console = Console(stderr=out is None, highlight=False)
    if json:
        console.print_json(data=asdict(counts))
        return
    earlier = f", {counts.kept:,} answered before" if counts.kept else ""
    where = f" (see {rejects_path(out)})" if out else ""
    rejected = f", {counts.bad:,} rejected{where}" if counts.bad else ""
    console.print(f"{counts.answered:,} answered{earlier}{rejected}", soft_wrap=True)
