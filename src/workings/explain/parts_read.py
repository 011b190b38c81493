"""Parts of a long passage, joined to a short text; moves places between the two."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from workings.explain.explanation import Answer, Explanation, FrozenModel, Place

M = TypeVar("M", bound=FrozenModel)
Range = tuple[int, int]
Move = Callable[[Place], tuple[Place, ...]]

# Stands for text between two parts.
_ELLIPSIS = " … "


@dataclass(frozen=True)
class JoinedParts:
    """Parts of a passage as one text.

    Attributes:
        passage: The whole passage.
        parts: The characters of each part, in text order and without overlaps.
        gap: The text between two parts.
    """

    passage: str
    parts: tuple[Range, ...]
    gap: str

    @cached_property
    def text(self) -> str:
        """The joined parts."""
        return self.gap.join(self.passage[start:end] for start, end in self.parts)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each part starts in the joined text."""
        starts, position = [], 0
        for start, end in self.parts:
            starts.append(position)
            position += end - start + len(self.gap)
        return starts

    def to_passage(self, explanation: Explanation) -> Explanation:
        """Turn an explanation of the joined text into one of the whole passage."""
        read = tuple(_place(start, end) for start, end in self.parts)
        moved = move_places(explanation, self._to_passage)
        alternatives = tuple(
            other.model_copy(update={"answer": self._without_gaps(other.answer)})
            for other in moved.alternatives
        )
        return moved.model_copy(
            update={
                "passage": self.passage,
                "parts_read": read,
                "answer": self._without_gaps(moved.answer),
                "alternatives": alternatives,
            }
        )

    def _without_gaps(self, answer: Answer) -> Answer:
        """Write an ellipsis where an answer spans two parts."""
        texts = tuple(text.replace(self.gap, _ELLIPSIS) for text in answer.texts)
        return answer.model_copy(update={"texts": texts}) if self.gap else answer

    def to_joined(self, explanation: Explanation) -> Explanation:
        """Turn an explanation of the whole passage into one of the joined text."""
        moved = move_places(explanation, self._to_joined)
        return moved.model_copy(update={"passage": self.text, "parts_read": None})

    def _to_passage(self, place: Place) -> tuple[Place, ...]:
        """One place for each part that a place of the joined text touches."""
        first = bisect_right(self._starts, place.start) - 1
        last = bisect_right(self._starts, max(place.end - 1, place.start)) - 1
        places = []
        for (start, end), joined in list(zip(self.parts, self._starts, strict=True))[
            first : last + 1
        ]:
            shift = start - joined
            places.append(
                _place(_clip(place.start + shift, start, end), _clip(place.end + shift, start, end))
            )
        return tuple(places)

    def _to_joined(self, place: Place) -> tuple[Place, ...]:
        """The place in the joined text; characters outside the part it starts in are dropped."""
        part = max(bisect_right(self.parts, place.start, key=lambda part: part[0]) - 1, 0)
        start, end = self.parts[part]
        shift = self._starts[part] - start
        first, last = _clip(place.start, start, end), _clip(place.end, start, end)
        return (_place(first + shift, last + shift),)


def shown_parts(explanation: Explanation) -> Explanation:
    """Shorten the passage of an explanation to the parts that were read, for a view."""
    if not explanation.parts_read:
        return explanation
    parts = tuple((place.start, place.end) for place in explanation.parts_read)
    return JoinedParts(explanation.passage, parts, _ELLIPSIS).to_joined(explanation)


def move_places(model: M, move: Move) -> M:
    """Copy a model with all its places of the passage moved.

    A list of places contains every place that ``move`` returns; a single place becomes the first.
    """
    fields = {name: _moved(getattr(model, name), move) for name in type(model).model_fields}
    return model.model_copy(update=fields)


def _moved(value: Any, move: Move) -> Any:
    match value:
        case Place():
            return _new_places(value, move)[0]
        case FrozenModel():
            return move_places(value, move)
        case dict():
            return {key: _moved(item, move) for key, item in value.items()}
        case tuple() if value and all(isinstance(item, Place) for item in value):
            return tuple(new for place in value for new in _new_places(place, move))
        case tuple():
            return tuple(_moved(item, move) for item in value)
    return value


def _new_places(place: Place, move: Move) -> tuple[Place, ...]:
    return move(place) if place.source == "passage" else (place,)


def _place(start: int, end: int) -> Place:
    return Place(source="passage", start=start, end=end)


def _clip(position: int, start: int, end: int) -> int:
    return min(max(position, start), end)
