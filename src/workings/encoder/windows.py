"""What is read at once: a question over a stretch of a passage."""

from collections.abc import Sequence
from dataclasses import dataclass

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Window:
    """A stretch of a passage read at once; of its pieces those from ``keep`` on are used."""

    start: int
    stop: int
    keep: int


@dataclass(frozen=True)
class QuestionWindow:
    """A question over a stretch of passage, each with the mark that closes it.

    Where lexical_matches are wanted: which pieces of both echo the question's, and the passage's clauses.
    """

    head: Ids
    tail: Ids
    own: Sequence[int] = ()
    echo: Sequence[int] = ()
    clauses: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.head) + len(self.tail)


def windows(length: int, size: int, overlap: int) -> list[Window]:
    """Overlapping shaded_excerpts that cover a passage; each piece is taken where it has most context."""
    if length <= size:
        return [Window(0, length, 0)]
    step = max(size - overlap, 1)
    starts = [*range(0, length - size, step), length - size]
    found = [Window(0, size, 0)]
    for start in starts[1:]:
        found.append(Window(start, start + size, (start + found[-1].stop) // 2))
    return found
