"""An explanation: the answer, the program and every step, as plain data that any view can read."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from workings.errors import InputError

Source = Literal["passage", "question"]


class Plain(BaseModel):
    """Frozen, and strict about names, so that what is written can be read again."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_serialization_defaults_required=True
    )


class Place(Plain):
    """Characters of the passage or the question, counted from 0; ``end`` is the first one after."""

    source: Source
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Value(Plain):
    """A number or date read from the passage."""

    kind: Literal["number", "date"]
    text: str = Field(description="The value as read, not as written: 24 for 'two dozen'.")
    place: Place


class Share(Plain):
    """One word or one value, and how much weight it has."""

    text: str
    weight: float = Field(ge=0)
    place: Place | None = Field(None, description="Where it stands, if it is a word.")


class Weights(Plain):
    """What a step looked at or gave.

    Of a distribution (attention, numbers, dates, span, start, end, question) the shares, ``other``
    and ``nothing`` sum to one. The words of marks and spans each have a probability of their own.
    """

    kind: str = Field(description="The type of the result: attention, numbers, dates, marks, …")
    shares: tuple[Share, ...] = Field(description="Words in text order; values likeliest first.")
    other: float = Field(0.0, ge=0, description="The weight of all that is too small to list.")
    nothing: float = Field(0.0, ge=0, description="The weight that fell on no word or value.")

    @property
    def separate(self) -> bool:
        """Whether every word has a probability of its own."""
        return self.kind in ("marks", "spans")

    @property
    def top(self) -> list[Share]:
        """The shares, heaviest first."""
        return sorted(self.shares, key=lambda share: -share.weight)


class ExplainedStep(Plain):
    """One module as it ran."""

    number: int = Field(ge=1, description="Its turn in the execution, from 1.")
    module: str
    signature: str
    sentence: str = Field(description="What the module gives, in words.")
    inputs: tuple[int, ...] = Field(description="The numbers of the steps it was given.")
    asked: Weights | None = Field(
        None, description="The words of the question it looked at, if it looks at any."
    )
    output: Weights
    notes: dict[str, Weights] = Field(description="What it worked out on its way.")


class Answer(Plain):
    """What is told: one text, or several where the answer is a list; none where it is unknown."""

    texts: tuple[str, ...] = ()
    value: str | None = Field(None, description="The exact number: 12.5 or 2/3.")
    places: tuple[Place, ...] = ()
    probability: float = Field(0.0, description="Of this answer, given that the program is right.")

    def __str__(self) -> str:
        return ", ".join(self.texts) or "I do not know"


class Alternative(Plain):
    """Another program for the question, and what it came to."""

    program: str
    probability: float = Field(description="That this is the right program.")
    answer: Answer
    confidence: float


class Explanation(Plain):
    """An answer and the reason for it."""

    question: str
    passage: str
    answer: Answer
    abstained: bool = Field(False, description="Whether the best answer was not sure enough.")
    confidence: float = Field(description="That the answer is right.")
    program: str
    probability: float = Field(description="Of the program, among all that could be written.")
    steps: tuple[ExplainedStep, ...] = Field(
        description="In the order they ran; the last gave the answer."
    )
    alternatives: tuple[Alternative, ...]
    values: tuple[Value, ...] = Field(description="The numbers and dates read from the passage.")

    def step(self, number: int) -> ExplainedStep:
        """The step with this number."""
        return self.steps[number - 1]

    def text_at(self, place: Place) -> str:
        """The words at a place."""
        text = self.passage if place.source == "passage" else self.question
        return text[place.start : place.end]

    def to_json(self) -> dict[str, Any]:
        """As a tree of plain lists, numbers and strings."""
        return self.model_dump(mode="json")

    @staticmethod
    def from_json(tree: Mapping[str, Any] | str | bytes) -> "Explanation":
        """Back from ``to_json``, or from its text."""
        try:
            if isinstance(tree, str | bytes):
                return Explanation.model_validate_json(tree)
            return Explanation.model_validate(tree)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "it"
            message = f"Not an explanation: {place}: {first['msg']}."
            raise InputError(message, hint="See docs/explanation.schema.json.") from error

    def __str__(self) -> str:
        from workings.explain.terminal import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        from workings.explain.html import to_fragment

        return to_fragment(self)


def schema() -> dict[str, Any]:
    """The JSON schema of an explanation."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Explanation.model_json_schema(mode="serialization"),
    }
