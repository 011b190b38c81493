"""``workings answer``: answer a file of questions."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workings.cli.options import FastOption, ModelOption, ThresholdOption
from workings.cli.output import print_json
from workings.cli.passage_file import input_file
from workings.cli.progress_bar import progress_bar
from workings.errors import InputError
from workings.files import is_same_file

if TYPE_CHECKING:
    from workings.batch.answering import Backend, BatchAnswerer, Counts
    from workings.batch.questions import QuestionLine

# Exit code for a completed run in which some lines could not be answered.
_EXIT_REJECTED_LINES = 3
# File descriptor of standard output.
_STDOUT = 1


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
            help="Output file; an interrupted run resumes from it. - for stdout.",
            show_default="stdout",
        ),
    ] = None,
    model: ModelOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Write the whole explanation of each answer.")
    ] = False,
    threshold: ThresholdOption = None,
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
    from workings.checkpoint.config import load_policy
    from workings.checkpoint.model_folder import find_model

    out = None if str(out) == "-" else out
    _check_output(out, file)
    total = _count_lines(file)
    folder = find_model(model).resolve()
    load_policy(folder, threshold=threshold)  # reports a bad folder before any worker starts
    make_answerer = partial(
        BatchAnswerer.from_model, folder, explain=explain, threshold=threshold, fast=fast
    )
    chosen = _backend(backend, make_answerer)
    lines = _read_lines(file)
    with progress_bar() as progress:
        answerer = FileAnswerer(chosen, lambda done: progress("Answering", done, max(total, done)))
        counts = (
            answerer.into(out, lines, input_file(file))
            if out
            else answerer.stream(lines, sys.stdout, sys.stderr)
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


def _check_output(out: Path | None, file: Path) -> None:
    """Refuse an output that would change the file of questions, before any work is done."""
    from workings.batch.answer_file import check_paths

    if out:
        check_paths(out, input_file(file))
        return
    if is_same_file(_STDOUT, input_file(file)):
        hint = "Redirect the answers to another file, or use --out."
        raise InputError(f"{file}: standard output is the input file", hint=hint)


def _count_lines(file: Path) -> int:
    """Count the lines of a file for the progress bar; 0 for what can be read only once."""
    from workings.batch.questions import read_questions

    try:
        once = str(file) == "-" or file.is_fifo() or file.is_char_device()
    except OSError:  # reading the file reports this
        once = False
    if once:
        return 0
    return sum(1 for _ in read_questions(file))


def _read_lines(file: Path) -> "Iterator[QuestionLine]":
    from workings.batch.lines import BoundedLines
    from workings.batch.questions import read_jsonl, read_questions

    if str(file) != "-":
        return read_questions(file)
    # Bytes that are not UTF-8 invalidate one line only.
    stdin = TextIOWrapper(
        sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape", newline=""
    )
    return read_jsonl(BoundedLines(stdin))


def _print_counts(counts: "Counts", out: Path | None, *, json: bool) -> None:
    """Print the counts; to standard error if the answers go to standard output."""
    from dataclasses import asdict

    from rich.console import Console

    from workings.batch.earlier_answers import rejects_path

    if json:
        print_json(asdict(counts), err=out is None)
        return
    earlier = f", {counts.kept:,} answered before" if counts.kept else ""
    where = f" (see {rejects_path(out)})" if out else ""
    rejected = f", {counts.bad:,} rejected{where}" if counts.bad else ""
    console = Console(stderr=out is None, highlight=False)
    console.print(f"{counts.answered:,} answered{earlier}{rejected}", soft_wrap=True)
