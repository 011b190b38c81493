"""A progress bar on a terminal; nothing in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from workings.progress import ProgressCallback, no_progress


@contextmanager
def progress_bar() -> Iterator[ProgressCallback]:
    """A function to call with what is being done, how much is done, and of how much."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks: dict[str, int] = {}

        def watch(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=of)
            progress.update(tasks[what], completed=done, total=of)  # type: ignore[arg-type]

        yield watch
