"""Texts cut up for shading: which characters carry which weight, and what may be left out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# Texts this short are shown whole; of longer ones the characters around notable words.
SHORT = 400
AROUND = 60
# Leaving out less than this saves nobody's time.
GAP = 60
# A word is notable from this share of the heaviest word's weight on.
NOTABLE = 0.1


@dataclass(frozen=True)
class ShadedText:
    """Some characters with one weight (0: none); ``shade`` is relative to the heaviest."""

    text: str
    weight: float = 0.0
    shade: float = 0.0


@dataclass(frozen=True)
class Excerpt:
    """Neighbouring runs, shown or left out together."""

    runs: tuple[ShadedText, ...]
    shown: bool


Span = tuple[int, int, float]  # first character, first one after, weight


def shaded_excerpts(text: str, spans: Sequence[Span]) -> list[Excerpt]:
    """The whole text in order; what is far from every notable word is marked as left out."""
    heaviest = max((weight for _, _, weight in spans), default=0.0)
    shown = _windows(text, [span for span in spans if span[2] >= NOTABLE * heaviest])
    return [
        Excerpt(tuple(_runs(text, start, end, spans, heaviest)), kept)
        for start, end, kept in _cover(shown, len(text))
    ]


def _windows(text: str, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Where the text is worth showing, in order and without overlaps."""
    if len(text) <= SHORT:
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        first = text.rfind(" ", 0, max(start - AROUND, 0)) + 1
        last = text.find(" ", min(end + AROUND, len(text)))
        last = len(text) if last < 0 or len(text) - last < GAP else last
        if found and first - found[-1][1] < GAP:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first if first >= GAP else 0, last))
    return found


def _cover(windows: Iterable[tuple[int, int]], length: int) -> Iterator[tuple[int, int, bool]]:
    done = 0
    for start, end in windows:
        if start > done:
            yield done, start, False
        yield start, end, True
        done = end
    if done < length:
        yield done, length, False


def _runs(
    text: str, start: int, end: int, spans: Sequence[Span], heaviest: float
) -> Iterator[ShadedText]:
    done = start
    for first, last, weight in sorted(spans):
        if start <= first and last <= end and first >= done:
            if first > done:
                yield ShadedText(text[done:first])
            yield ShadedText(text[first:last], weight, weight / (heaviest or 1.0))
            done = last
    if done < end:
        yield ShadedText(text[done:end])
