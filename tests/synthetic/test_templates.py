"""Every sentence and every question template of a scene is used."""

import re
import tomllib
from functools import cache
from importlib import resources
from string import Formatter

import pytest

from workings.synthetic import SyntheticPassage, make_synthetic

SCENES = ("matches", "censuses", "timelines", "notes", "ledgers", "lists", "timetables")


def pattern(template: str) -> str:
    """A regular expression for the filled template."""
    parts = Formatter().parse(template)
    return "".join(re.escape(text) + ("" if slot is None else ".*") for text, slot, _, _ in parts)


def tables(scene: str) -> dict[str, dict[str, dict[str, list[str]]]]:
    return tomllib.loads(
        resources.files("workings.synthetic").joinpath(f"{scene}.toml").read_text()
    )


@cache
def made() -> tuple[SyntheticPassage, ...]:
    return tuple(make_synthetic(0, len(SCENES) * 60, questions=99))


@pytest.mark.parametrize("scene", SCENES)
def test_every_template_is_used(scene: str) -> None:
    of_scene = made()[SCENES.index(scene) :: len(SCENES)]
    passages = [synthetic.passage for synthetic in of_scene]
    texts = "\n".join(passage.text for passage in passages)
    questions = "\n".join(question.text for passage in passages for question in passage.questions)
    topics = tables(scene)
    sentences = [each for several in topics.pop("sentences").values() for each in several]
    templates = [
        template
        for generators in topics.values()
        for arguments in generators.values()
        for template in arguments["templates"]
    ]
    assert [s for s in sentences if not re.search(pattern(s), texts, re.IGNORECASE)] == []
    assert [t for t in templates if not re.search(f"(?m)^{pattern(t)}$", questions)] == []
