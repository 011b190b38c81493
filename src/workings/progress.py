"""Progress callbacks."""

from collections.abc import Callable

# Called with the name of the task, the number of items done and their total.
ProgressCallback = Callable[[str, int, int], None]


def no_progress(_task: str, _done: int, _total: int) -> None:
    """Ignore progress; the default where none is shown."""
