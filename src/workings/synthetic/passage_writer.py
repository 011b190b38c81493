"""A passage while it is written: its text, and the facts told in it that can be asked about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter

from workings.supervision.derivation import Plan, Span
from workings.synthetic.gold_steps import Mention
from workings.synthetic.sampler import Sampler, in_words


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing the passage tells.

    ``name`` is what a question calls it, ``mention`` the phrase that tells it with its value,
    ``who`` the argument that goes with it, ``traits`` the phrases true of it, by family: a
    ``team`` trait may be "by the Otters".
    """

    name: str
    mention: Mention
    who: Span = (0, 0)
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SyntheticQuestion:
    """A question with its gold gold_steps, whose outcome is the answer."""

    text: str
    kind: str | None
    gold: Plan


@dataclass(frozen=True, slots=True)
class Topic:
    """Facts of one sort, what can be asked about them, and the words to ask it in."""

    facts: tuple[Fact, ...]
    generators: "tuple[Generator, ...]"
    words: Mapping[str, str] = field(default_factory=dict)


Generator = Callable[[Sampler, Topic], SyntheticQuestion]


class CannotAsk(Exception):  # noqa: N818 - a turn of events, not an error
    """The facts do not allow a question with exactly one answer."""


class PassageWriter:
    """The text so far, written sentence by sentence, knowing where every slot came to stand."""

    def __init__(self, sampler: Sampler, sentences: Mapping[str, Sequence[str]]) -> None:
        self.sampler = sampler
        self.text = ""
        self._sentences = sentences
        self._asides = sampler.shuffled(sentences["asides"])

    def tell(self, about: str, stop: str = ". ", /, **slots: object) -> dict[str, Span]:
        """Write one of the sentences ``about`` something; the span of each of its slots."""
        return self._write(self.sampler.choose(self._sentences[about]), stop, slots)

    def aside(self, **slots: object) -> None:
        """Now and then, a sentence with a number that nobody asks about, none of them twice."""
        if self._asides and self.text.endswith(". ") and self.sampler.chance(0.3):
            number = in_words(self.sampler.small(2, 20))
            self._write(self._asides.pop(), ". ", {"n": number, **slots})

    def _write(self, template: str, stop: str, slots: Mapping[str, object]) -> dict[str, Span]:
        places: dict[str, Span] = {}
        piece = ""
        for literal, name, _, _ in Formatter().parse(template):
            piece += literal
            if name is not None:
                start = len(self.text) + len(piece)
                piece += str(slots[name])
                places[name] = (start, len(self.text) + len(piece))
        # After a joining word, unlike after a stop, the sentence goes on in lower case.
        if not self.text or self.text.endswith(". "):
            piece = piece[0].upper() + piece[1:]
        self.text += piece + stop
        return places
