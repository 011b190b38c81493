"""The script of a scene, kept beside it as TOML: its sentences and the ways to ask about it."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

from workings.synthetic import generators
from workings.synthetic.passage_writer import Fact, Generator, PassageWriter, Topic


class SceneTemplates:
    """Sentences and generators of questions, by the names the scene knows them under."""

    def __init__(self, name: str) -> None:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
        topics = tomllib.loads(text)
        self.sentences: dict[str, list[str]] = topics.pop("sentences")
        self._makers = {topic: tuple(_bound(ways)) for topic, ways in topics.items()}

    def topic(self, name: str, facts: Iterable[Fact], **words: str) -> Topic:
        """Facts with all that the script asks about them."""
        return Topic(tuple(facts), self._makers[name], words)


def _bound(ways: dict[str, dict[str, Any]]) -> Iterator[Generator]:
    """Each maker with its ways to ask, as many times as its turn should come."""
    for name, given in ways.items():
        times = given.pop("times", 1)
        yield from [partial(getattr(generators, name), **given)] * times


@dataclass(frozen=True, slots=True)
class Scene:
    """A sort of passage: its script, and how to write one."""

    script: SceneTemplates
    write: Callable[[PassageWriter], list[Topic]]
