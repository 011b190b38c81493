"""The data of an explanation: the answer, the program and every step, without tensors."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from workings.errors import InputError

Source = Literal["passage", "question"]


class FrozenModel(BaseModel):
    """Immutable base class that rejects unknown fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_serialization_defaults_required=True
    )


class Place(FrozenModel):
    """A range of characters in the passage or the question; ``end`` is exclusive."""

    source: Source
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Value(FrozenModel):
    """A number or date of the passage."""

    kind: Literal["number", "date"]
    text: str = Field(description="The normalised value: 24 for 'two dozen'.")
    place: Place


class Share(FrozenModel):
    """The weight of one word or one value."""

    text: str
    weight: float = Field(ge=0)
    place: Place | None = Field(None, description="Position of a word; null for a value.")


class Weights(FrozenModel):
    """The weights that a step gives to words or values.

    For a distribution (attention, numbers, dates, span, start, end, question) the shares,
    ``other`` and ``nothing`` sum to one. In marks and spans each word has a probability of its own.
    """

    kind: str = Field(description="Type of the result: attention, numbers, dates, marks, …")
    shares: tuple[Share, ...] = Field(description="Words in text order; values by falling weight.")
    other: float = Field(0.0, ge=0, description="Total weight of the items too small to list.")
    nothing: float = Field(0.0, ge=0, description="Weight that belongs to no word or value.")

    @property
    def separate(self) -> bool:
        """Whether each word has a probability of its own."""
        return self.kind in ("marks", "spans")

    @property
    def top(self) -> list[Share]:
        """The shares by falling weight."""
        return sorted(self.shares, key=lambda share: -share.weight)


class ExplainedStep(FrozenModel):
    """One executed module."""

    number: int = Field(ge=1, description="Position in the order of execution, from 1.")
    module: str
    signature: str
    sentence: str = Field(description="Description of the module.")
    inputs: tuple[int, ...] = Field(description="Numbers of the steps that are its inputs.")
    asked: Weights | None = Field(
        None,
        description="Question words that the step looked for; null if the module reads none.",
    )
    output: Weights
    notes: dict[str, Weights] = Field(description="Intermediate results, by name.")


class Answer(FrozenModel):
    """An answer: one text, several for a list, none if the answer is unknown."""

    texts: tuple[str, ...] = Field((), description="The answer as it is scored.")
    display: str = Field(
        "", description="The answer for people: 28 yards, $3.50; empty if it is the texts."
    )
    value: str | None = Field(None, description="The exact number: 12.5 or 2/3.")
    places: tuple[Place, ...] = ()
    probability: float = Field(
        0.0, description="Probability of the answer, given that the program is right."
    )

    def __str__(self) -> str:
        return self.display or ", ".join(self.texts) or "I do not know"


class Operand(FrozenModel):
    """A number that an equation uses."""

    value: str = Field(description="The exact number: 12.5 or 2/3.")
    unit: str | None = Field(None, description="Its unit, as the text writes it.")
    place: Place | None = Field(None, description="Its position; null for a constant.")
    constant: bool = Field(False, description="Whether no text states it.")
    step: int | None = Field(None, description="Number of the step that gave it.")


class Equation(FrozenModel):
    """The calculation behind an answer: the expression over the operands gives the result."""

    expression: str = Field(description="Operands with + - * / and brackets: 58 - 49.")
    result: str
    operands: tuple[Operand, ...]


class ComparedValue(FrozenModel):
    """A number or date that takes part in a comparison."""

    value: str = Field(description="The exact number, or the date.")
    unit: str | None = Field(None, description="Its unit, as the passage writes it.")
    place: Place
    chosen: bool = Field(description="Whether it is the extreme, or the side that was chosen.")


class Comparison(FrozenModel):
    """Values that a step compares: the candidates of an extreme, or the two sides."""

    step: int = Field(ge=1, description="Number of the step that compares.")
    relation: Literal["largest", "smallest", "more", "less", "later", "earlier", "equal"] = Field(
        description="What the first value is among the others."
    )
    rank: int = Field(1, ge=1, description="The place of an extreme: 2 for the second largest.")
    values: tuple[ComparedValue, ...] = Field(description="The chosen value comes first.")


class Alternative(FrozenModel):
    """Another program for the question, with its answer."""

    program: str
    probability: float = Field(description="Probability that this program is right.")
    answer: Answer
    confidence: float


class Explanation(FrozenModel):
    """An answer with the program and the steps that computed it."""

    question: str
    passage: str
    answer: Answer
    abstained: bool = Field(
        False, description="Whether the answer is withheld because its confidence is too low."
    )
    confidence: float = Field(description="Probability that the answer is right.")
    program: str
    probability: float = Field(description="Probability of the program among all programs.")
    steps: tuple[ExplainedStep, ...] = Field(
        description="Steps in the order of execution; the last one computes the answer."
    )
    alternatives: tuple[Alternative, ...]
    parts_read: tuple[Place, ...] | None = Field(
        None,
        description="Parts of a long passage that were read for the question; null if all of it.",
    )
    values: tuple[Value, ...] = Field(description="Numbers and dates of the text that was read.")
    equation: Equation | None = Field(
        None, description="The calculation that gives the answer; null if nothing is computed."
    )
    comparisons: tuple[Comparison, ...] = Field(
        (), description="The values that the program compares, in the order of its modules."
    )
    sentence: str = Field(
        "", description="Where the answer comes from, in one sentence with quotations."
    )
    unknown: float = Field(
        0.0, description="Probability that the passage does not contain the answer."
    )

    def step(self, number: int) -> ExplainedStep:
        """Return the step with the given number, counted from 1."""
        return self.steps[number - 1]

    def text_at(self, place: Place) -> str:
        """Return the characters at a place of the passage or the question."""
        text = self.passage if place.source == "passage" else self.question
        return text[place.start : place.end]

    def to_json(self) -> dict[str, Any]:
        """Convert to plain dictionaries, lists, numbers and strings."""
        return self.model_dump(mode="json")

    @staticmethod
    def from_json(data: Mapping[str, Any] | str | bytes) -> "Explanation":
        """Read an explanation back.

        Args:
            data: The result of ``to_json``, or its JSON text.

        Raises:
            InputError: The data does not match the schema.
        """
        try:
            if isinstance(data, str | bytes):
                return Explanation.model_validate_json(data)
            return Explanation.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "the document"
            message = f"Not an explanation: {field}: {first['msg']}."
            hint = "Compare it with docs/explanation.schema.json."
            raise InputError(message, hint=hint) from error

    def __str__(self) -> str:
        from workings.explain.terminal import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        from workings.explain.html import to_fragment

        return to_fragment(self)


def schema() -> dict[str, Any]:
    """Return the JSON schema of an explanation."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Explanation.model_json_schema(mode="serialization"),
    }
