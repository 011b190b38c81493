"""Splits a text into shaded runs, and hides the parts far from any heavy word."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# Texts up to this length are shown whole.
FULL_TEXT_CHARS = 400
# Characters shown on each side of a heavy word in a longer text.
CONTEXT_CHARS = 60
# Gaps shorter than this are shown: hiding them would save no space.
MIN_GAP_CHARS = 60
# Words are heavy from this share of the largest weight.
MIN_RELATIVE_WEIGHT = 0.1


@dataclass(frozen=True)
class ShadedText:
    """Characters of one weight; 0 is no weight. ``shade`` is relative to the largest weight."""

    text: str
    weight: float = 0.0
    shade: float = 0.0


@dataclass(frozen=True)
class Excerpt:
    """Neighbouring runs that are all shown or all hidden."""

    runs: tuple[ShadedText, ...]
    shown: bool


WeightedRange = tuple[int, int, float]  # start, end (exclusive), weight


def shaded_excerpts(text: str, ranges: Sequence[WeightedRange]) -> list[Excerpt]:
    """Split the whole text into excerpts; those far from every heavy word are hidden."""
    largest = max((weight for _, _, weight in ranges), default=0.0)
    heavy = [weighted for weighted in ranges if weighted[2] >= MIN_RELATIVE_WEIGHT * largest]
    return [
        Excerpt(tuple(_runs(text, start, end, ranges, largest)), shown)
        for start, end, shown in with_gaps(visible_windows(text, heavy), len(text))
    ]


def visible_windows(
    text: str,
    ranges: Sequence[WeightedRange],
    full_chars: int = FULL_TEXT_CHARS,
    context_chars: int = CONTEXT_CHARS,
) -> list[tuple[int, int]]:
    """Return the parts of a text to show, in order and without overlaps.

    Args:
        text: The text.
        ranges: The words to show with their neighbourhood.
        full_chars: Texts up to this length are shown whole.
        context_chars: Characters to show on each side of a word.
    """
    if len(text) <= full_chars:
        return [(0, len(text))]
    windows: list[tuple[int, int]] = []
    for range_start, range_end, _ in sorted(ranges):
        start = text.rfind(" ", 0, max(range_start - context_chars, 0)) + 1
        end = text.find(" ", min(range_end + context_chars, len(text)))
        end = len(text) if end < 0 or len(text) - end < MIN_GAP_CHARS else end
        if windows and start - windows[-1][1] < MIN_GAP_CHARS:
            windows[-1] = (windows[-1][0], max(end, windows[-1][1]))
        else:
            windows.append((start if start >= MIN_GAP_CHARS else 0, end))
    return windows


def with_gaps(windows: Iterable[tuple[int, int]], length: int) -> Iterator[tuple[int, int, bool]]:
    """Yield windows and the gaps between them as (start, end, shown)."""
    position = 0
    for start, end in windows:
        if start > position:
            yield position, start, False
        yield start, end, True
        position = end
    if position < length:
        yield position, length, False


def _runs(
    text: str, start: int, end: int, ranges: Sequence[WeightedRange], largest: float
) -> Iterator[ShadedText]:
    position = start
    for first, last, weight in sorted(ranges):
        if start <= first and last <= end and first >= position:
            if first > position:
                yield ShadedText(text[position:first])
            yield ShadedText(text[first:last], weight, weight / (largest or 1.0))
            position = last
    if position < end:
        yield ShadedText(text[position:end])
