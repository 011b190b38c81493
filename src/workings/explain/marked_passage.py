"""The passage with the words behind the answer marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from workings.explain.explanation import Explanation, Place, Value
from workings.explain.shading import visible_windows, with_gaps
from workings.values import CharSpan

# "used" words give the answer; "compared" numbers were candidates and did not win.
Mark = Literal["", "used", "compared"]
_SIGN_BEFORE = re.compile(r"[$€£¥]$|(?:^|\s)[-−]$")


class ValueText(NamedTuple):
    """Characters of the passage, with the value read from them if there is one."""

    text: str
    value: str


@dataclass(frozen=True)
class MarkedRun:
    """Neighbouring characters of the passage with one mark."""

    mark: Mark
    parts: tuple[ValueText, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True)
class MarkedExcerpt:
    """Neighbouring runs of the passage that are all shown or all hidden."""

    runs: tuple[MarkedRun, ...]
    shown: bool


def marked_passage(
    explanation: Explanation, *, full_chars: int, context_chars: int
) -> list[MarkedExcerpt]:
    """Split the passage at the edges of its marks and values.

    Args:
        explanation: The explanation.
        full_chars: Passages up to this length are shown whole; of longer ones without marks, this
            many characters.
        context_chars: Characters shown on each side of a mark in a longer passage.
    """
    text = explanation.passage
    used, compared = _used(explanation), _compared(explanation)
    ranges = [(place.start, place.end, 1.0) for place in (*used, *compared)]
    windows = visible_windows(text, ranges or [(0, full_chars, 1.0)], full_chars, context_chars)
    return [
        MarkedExcerpt(tuple(_runs(explanation, start, end, used, compared)), shown)
        for start, end, shown in with_gaps(windows, len(text))
    ]


def _used(explanation: Explanation) -> list[Place]:
    """Places of the answer, of the operands and of the numbers or dates that were chosen."""
    equation = explanation.equation
    operands = [operand.place for operand in equation.operands] if equation else []
    # Both sides of a comparison give the answer; of an extreme only the winner does.
    extremes = ("largest", "smallest")
    sides = [
        value.place
        for each in explanation.comparisons
        for value in each.values
        if value.chosen or each.relation not in extremes
    ]
    places = (*explanation.answer.places, *operands, *sides)
    in_passage = [place for place in places if place is not None and place.source == "passage"]
    return [_with_sign(place, explanation.passage) for place in in_passage]


def _compared(explanation: Explanation) -> list[Place]:
    places = [value.place for each in explanation.comparisons for value in each.values]
    return [_with_sign(place, explanation.passage) for place in places]


def _with_sign(place: Place, text: str) -> Place:
    """The place of a number with its currency, percent or minus sign."""
    start = place.start - bool(_SIGN_BEFORE.search(text, max(place.start - 2, 0), place.start))
    end = place.end + (text[place.end : place.end + 1] == "%")
    return place.model_copy(update={"start": start, "end": end})


def _runs(
    explanation: Explanation, start: int, end: int, used: list[Place], compared: list[Place]
) -> Iterator[MarkedRun]:
    values = [value for value in explanation.values if start <= value.place.start < end]
    places = [*(value.place for value in values), *used, *compared]
    edges = {edge for place in places for edge in (place.start, place.end) if start < edge < end}

    def mark(part: CharSpan) -> Mark:
        if any(_covers(place, part) for place in used):
            return "used"
        return "compared" if any(_covers(place, part) for place in compared) else ""

    for name, parts in groupby(pairwise(sorted({start, end, *edges})), key=mark):
        yield MarkedRun(name, tuple(_value_text(explanation, values, part) for part in parts))


def _value_text(explanation: Explanation, values: list[Value], part: CharSpan) -> ValueText:
    inside = (value.text for value in values if _covers(value.place, part))
    return ValueText(explanation.passage[slice(*part)], "; ".join(dict.fromkeys(inside)))


def _covers(place: Place, part: CharSpan) -> bool:
    return place.start <= part[0] and part[1] <= place.end
