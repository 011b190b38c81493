"""Progress bar on standard error; shown on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from workings.progress import ProgressCallback, no_progress


@contextmanager
def progress_bar() -> Iterator[ProgressCallback]:
    """Yield a callback that updates the bar, called with the task's name, done and total."""
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
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, int] = {}

        def update(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total)
            bars.update(tasks[name], completed=done, total=total)  # type: ignore[arg-type]

        yield update
