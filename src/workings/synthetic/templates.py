"""Loads the sentences and question templates of a scene from the TOML file beside it."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

from workings.synthetic import generators
from workings.synthetic.passage_writer import Fact, Generator, PassageWriter, Topic


class SceneTemplates:
    """The templates of a scene.

    A file has the table ``sentences``, with templates by type, and a table for each topic. The
    tables of a topic are named after functions of ``generators``; their entries are the arguments,
    and ``weight`` is how many times the generator is used.
    """

    def __init__(self, name: str) -> None:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
        tables = tomllib.loads(text)
        self.sentences: dict[str, list[str]] = tables.pop("sentences")
        self._generators = {topic: tuple(_generators(entry)) for topic, entry in tables.items()}

    def topic(self, name: str, facts: Iterable[Fact], **slots: str) -> Topic:
        """Make a topic of facts, with the generators of its table."""
        return Topic(tuple(facts), self._generators[name], slots)


def _generators(table: dict[str, dict[str, Any]]) -> Iterator[Generator]:
    for name, arguments in table.items():
        weight = arguments.pop("weight", 1)
        yield from [partial(getattr(generators, name), **arguments)] * weight


@dataclass(frozen=True, slots=True)
class Scene:
    """A type of passage: its templates, and the function that writes one."""

    templates: SceneTemplates
    write: Callable[[PassageWriter], list[Topic]]
