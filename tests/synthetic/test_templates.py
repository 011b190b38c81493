"""No sentence and no way to ask stands in a script for nothing."""

import re
import tomllib
from importlib import resources
from itertools import islice
from string import Formatter

import pytest

from workings.synthetic import make_synthetic

SCENES = ("matches", "censuses", "timelines", "ledgers")


def pattern(template: str) -> str:
    """What a filled template looks like."""
    pieces = Formatter().parse(template)
    return "".join(re.escape(text) + ("" if slot is None else ".*") for text, slot, _, _ in pieces)


def script(scene: str) -> dict[str, dict[str, dict[str, list[str]]]]:
    return tomllib.loads(
        resources.files("workings.synthetic").joinpath(f"{scene}.toml").read_text()
    )


@pytest.mark.parametrize("scene", SCENES)
def test_everything_in_a_script_is_said(scene: str) -> None:
    world = islice(make_synthetic(0, 4 * 80, questions=99), SCENES.index(scene), None, 4)
    passages = [made.passage for made in world]
    told = "\n".join(passage.text for passage in passages)
    asked = "\n".join(question.text for passage in passages for question in passage.questions)
    topics = script(scene)
    sentences = [each for several in topics.pop("sentences").values() for each in several]
    ways = [
        way
        for generators in topics.values()
        for maker in generators.values()
        for way in maker["ways"]
    ]
    assert [s for s in sentences if not re.search(pattern(s), told, re.IGNORECASE)] == []
    assert [w for w in ways if not re.search(f"(?m)^{pattern(w)}$", asked)] == []
