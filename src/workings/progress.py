"""How long work tells how far it has come."""

from collections.abc import Callable

ProgressCallback = Callable[
    [str, int, int], None
]  # what is being done, how much is done, of how much


def no_progress(_what: str, _done: int, _of: int) -> None:
    """For where nobody looks."""
