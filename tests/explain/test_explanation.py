"""Tests of the explanation data: JSON round trip, schema, distributions and positions."""

import json
from pathlib import Path
from typing import Any

import pytest

from workings.errors import InputError
from workings.explain import Explanation
from workings.explain.explanation import Weights, schema
from workings.program import Program

JSON_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
PUBLISHED = Path(__file__).parents[2] / "docs" / "explanation.schema.json"


def all_weights(explanation: Explanation) -> list[Weights]:
    weights = []
    for step in explanation.steps:
        parts = (step.asked, step.output, *step.notes.values())
        weights += [part for part in parts if part is not None]
    return weights


def validate(data: Any, form: dict[str, Any], definitions: dict[str, Any]) -> None:
    """Validate data against the few keywords of JSON schema that ours uses."""
    if "$ref" in form:
        form = definitions[form["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in form:
        kinds = [option.get("type") for option in form["anyOf"]]
        form = form["anyOf"][kinds.index("null") if data is None else 1 - kinds.index("null")]
        return validate(data, form, definitions)
    if "enum" in form:
        assert data in form["enum"]
    assert any(isinstance(data, kind) for kind in JSON_TYPES[form["type"]]), (data, form)
    if form["type"] == "array":
        for item in data:
            validate(item, form["items"], definitions)
    elif form["type"] == "object" and "properties" in form:
        assert set(form["required"]) <= data.keys() <= form["properties"].keys()
        for name, value in data.items():
            validate(value, form["properties"][name], definitions)
    elif form["type"] == "object":
        for value in data.values():
            validate(value, form["additionalProperties"], definitions)
    return None


def test_json_round_trip(explanation: Explanation) -> None:
    data = explanation.to_json()
    assert Explanation.from_json(data) == explanation
    assert Explanation.from_json(json.dumps(data)) == explanation


def test_published_schema_matches_the_types() -> None:
    published = json.loads(PUBLISHED.read_text("utf-8"))
    assert published == schema(), "run `make docs`"


def test_explanations_match_the_schema(explanation: Explanation, predicted: Explanation) -> None:
    published = json.loads(PUBLISHED.read_text("utf-8"))
    validate(explanation.to_json(), published, published["$defs"])
    validate(predicted.to_json(), published, published["$defs"])


@pytest.mark.parametrize("text", ["", "[]", '{"question": "?"}', "{"])
def test_rejects_other_json(text: str) -> None:
    with pytest.raises(InputError, match="Not an explanation"):
        Explanation.from_json(text)


def test_distributions_sum_to_one(explanation: Explanation) -> None:
    for weights in all_weights(explanation):
        total = sum(share.weight for share in weights.shares) + weights.other + weights.nothing
        assert weights.separate or total == pytest.approx(1, abs=1e-4), weights.kind


def test_places_refer_to_the_given_texts(explanation: Explanation) -> None:
    shares = [share for weights in all_weights(explanation) for share in weights.shares]
    placed = [(share.text, share.place) for share in shares if share.place]
    placed += list(zip(explanation.answer.texts, explanation.answer.places, strict=False))
    assert placed
    for text, place in placed:
        assert explanation.text_at(place) == text


def test_steps_rebuild_the_program(explanation: Explanation) -> None:
    assert [step.number for step in explanation.steps] == list(range(1, len(explanation.steps) + 1))

    def rebuild(number: int) -> Program:
        step = explanation.step(number)
        assert all(index < number for index in step.inputs)
        return Program(step.module, tuple(rebuild(index) for index in step.inputs))

    assert str(rebuild(len(explanation.steps))) == explanation.program


def test_only_some_modules_look_at_the_question(explanation: Explanation) -> None:
    looking = {step.module for step in explanation.steps if step.asked}
    assert looking <= {"find", "filter", "relocate"}
    assert "find" in looking


def test_lists_the_values_of_the_passage(explanation: Explanation) -> None:
    values = [(value.kind, value.text) for value in explanation.values]
    assert ("number", "47") in values
    assert ("date", "3 May 1901") in values
