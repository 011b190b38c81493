"""An explanation is plain data: it survives JSON, and its schema is the published one."""

import json
from pathlib import Path
from typing import Any

import pytest

from workings.errors import InputError
from workings.explain import Explanation
from workings.explain.explanation import Weights, schema
from workings.program import Program

PUBLISHED = Path(__file__).parents[2] / "docs" / "explanation.schema.json"


def all_weights(explanation: Explanation) -> list[Weights]:
    found = []
    for step in explanation.steps:
        found += [one for one in (step.asked, step.output, *step.notes.values()) if one]
    return found


def check(tree: Any, form: dict[str, Any], definitions: dict[str, Any]) -> None:
    """A validator for the few words of JSON schema that ours uses."""
    if "$ref" in form:
        form = definitions[form["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in form:
        kinds = [one.get("type") for one in form["anyOf"]]
        form = form["anyOf"][kinds.index("null") if tree is None else 1 - kinds.index("null")]
        return check(tree, form, definitions)
    if "enum" in form:
        assert tree in form["enum"]
    expected: type | tuple[type, ...] = {
        "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
        "boolean": bool, "null": type(None),
    }[form["type"]]  # fmt: skip
    assert isinstance(tree, expected), (tree, form)
    if form["type"] == "array":
        for item in tree:
            check(item, form["items"], definitions)
    elif form["type"] == "object" and "properties" in form:
        assert set(form["required"]) <= tree.keys() <= form["properties"].keys()
        for name, value in tree.items():
            check(value, form["properties"][name], definitions)
    elif form["type"] == "object":
        for value in tree.values():
            check(value, form["additionalProperties"], definitions)
    return None


def test_json_brings_it_back(explanation: Explanation) -> None:
    tree = explanation.to_json()
    assert Explanation.from_json(tree) == explanation
    assert Explanation.from_json(json.dumps(tree)) == explanation


def test_the_published_schema_is_that_of_the_types() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == schema()


def test_every_explanation_fits_the_schema(explanation: Explanation, asked: Explanation) -> None:
    published = json.loads(PUBLISHED.read_text("utf-8"))
    check(explanation.to_json(), published, published["$defs"])
    check(asked.to_json(), published, published["$defs"])


@pytest.mark.parametrize("text", ["", "[]", '{"question": "?"}', "{"])
def test_what_is_no_explanation_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Not an explanation"):
        Explanation.from_json(text)


def test_distributions_sum_to_one(explanation: Explanation) -> None:
    for weights in all_weights(explanation):
        total = sum(share.weight for share in weights.shares) + weights.other + weights.nothing
        assert weights.separate or total == pytest.approx(1, abs=1e-4), weights.kind


def test_places_are_of_the_users_own_text(explanation: Explanation) -> None:
    shares = [share for weights in all_weights(explanation) for share in weights.shares]
    placed = [(share.text, share.place) for share in shares if share.place]
    placed += list(zip(explanation.answer.texts, explanation.answer.places, strict=False))
    assert placed
    for text, place in placed:
        assert explanation.text_at(place) == text


def test_steps_are_the_program_in_the_order_it_ran(explanation: Explanation) -> None:
    assert [step.number for step in explanation.steps] == list(range(1, len(explanation.steps) + 1))

    def rebuild(number: int) -> Program:
        step = explanation.step(number)
        assert all(given < number for given in step.inputs)
        return Program(step.module, tuple(rebuild(given) for given in step.inputs))

    assert str(rebuild(len(explanation.steps))) == explanation.program


def test_only_modules_that_look_at_the_question_say_so(explanation: Explanation) -> None:
    looking = {step.module for step in explanation.steps if step.asked}
    assert looking <= {"find", "filter", "relocate"}
    assert "find" in looking


def test_values_read_are_told(explanation: Explanation) -> None:
    read = [(value.kind, value.text) for value in explanation.values]
    assert ("number", "47") in read
    assert ("date", "3 May 1901") in read
