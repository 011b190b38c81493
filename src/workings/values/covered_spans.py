"""Sets of character spans, to keep one sort of value out of another."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TypeAlias

# The first character and the one after the last.
CharSpan: TypeAlias = tuple[int, int]


class CoveredSpans:
    """Character spans in order, without overlaps."""

    def __init__(self, spans: Iterable[CharSpan] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            elif start < end:
                self._starts.append(start)
                self._ends.append(end)

    def __iter__(self) -> Iterator[CharSpan]:
        return zip(self._starts, self._ends, strict=True)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether any span shares a character with the characters from ``start`` to ``end``."""
        before = bisect_right(self._starts, end - 1) - 1
        return before >= 0 and self._ends[before] > start


NO_SPANS = CoveredSpans()
