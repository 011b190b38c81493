"""The script of a scene, kept beside it as TOML: its sentences and the ways to ask about it."""

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import resources

from workings.world import makers
from workings.world.page import Fact, Maker, Page, Topic


class Script:
    """Sentences and makers of questions, by the names the scene knows them under."""

    def __init__(self, name: str) -> None:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
        topics = tomllib.loads(text)
        self.sentences: dict[str, list[str]] = topics.pop("sentences")
        self._makers: dict[str, tuple[Maker, ...]] = {
            topic: tuple(partial(getattr(makers, maker), **given) for maker, given in ways.items())
            for topic, ways in topics.items()
        }

    def topic(self, name: str, facts: Iterable[Fact], **words: str) -> Topic:
        """Facts with all that the script asks about them."""
        return Topic(tuple(facts), self._makers[name], words)


@dataclass(frozen=True, slots=True)
class Scene:
    """A sort of passage: its script, and how to write one."""

    script: Script
    write: Callable[[Page], list[Topic]]
