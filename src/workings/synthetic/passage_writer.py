"""Writes a passage sentence by sentence, and records where each fact is mentioned."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter

from workings.supervision.derivation import Plan
from workings.synthetic.gold_steps import Mention
from workings.synthetic.sampler import Sampler, in_words
from workings.values import CharSpan

_DISTRACTOR_PROBABILITY = 0.3


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a passage.

    Attributes:
        name: The name of the fact in questions.
        mention: The phrase that states the fact, with its number or dates.
        argument: The span of its argument, such as the player.
        traits: Phrases that are true of the fact, by type: ``{"team": "by the Otters"}``.
    """

    name: str
    mention: Mention
    argument: CharSpan = (0, 0)
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SyntheticQuestion:
    """A question with its gold steps, whose result is the answer.

    Attributes:
        text: The question.
        kind: Its kind, if it is of one.
        gold: Its gold steps.
        type: Its type, for operations that are of no kind.
    """

    text: str
    kind: str | None
    gold: Plan
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """Facts of one type, with the questions that can be asked about them.

    Attributes:
        facts: The facts.
        generators: The generators of questions.
        slots: Words that fill slots of the question templates.
    """

    facts: tuple[Fact, ...]
    generators: "tuple[Generator, ...]"
    slots: Mapping[str, str] = field(default_factory=dict)


Generator = Callable[[Sampler, Topic], SyntheticQuestion]


class NoUniqueAnswerError(Exception):
    """The facts of a topic do not allow a question with exactly one answer."""


class PassageWriter:
    """A passage under construction.

    Args:
        sampler: The random choices of the passage.
        sentences: Sentence templates by type; those of the type "distractors" state nothing that
            questions ask about.
    """

    def __init__(self, sampler: Sampler, sentences: Mapping[str, Sequence[str]]) -> None:
        self.sampler = sampler
        self.text = ""
        self._sentences = sentences
        self._distractors = sampler.shuffled(sentences["distractors"])

    def write(
        self, sentence: str, separator: str = ". ", /, **slots: object
    ) -> dict[str, CharSpan]:
        """Write a sentence.

        Args:
            sentence: The type of the sentence; one of its templates is chosen.
            separator: The text after the sentence.
            slots: The words that fill the slots of the template.

        Returns:
            The span of each slot.
        """
        return self._fill(self.sampler.choose(self._sentences[sentence]), separator, slots)

    def maybe_write_distractor(self, **slots: object) -> None:
        """With some probability, write a distractor that was not written before."""
        if (
            self._distractors
            and self.text.endswith(". ")
            and self.sampler.chance(_DISTRACTOR_PROBABILITY)
        ):
            number = in_words(self.sampler.integer(2, 20))
            self._fill(self._distractors.pop(), ". ", {"n": number, **slots})

    def _fill(self, template: str, end: str, slots: Mapping[str, object]) -> dict[str, CharSpan]:
        spans: dict[str, CharSpan] = {}
        sentence = ""
        for literal, name, _, _ in Formatter().parse(template):
            sentence += literal
            if name is not None:
                start = len(self.text) + len(sentence)
                sentence += str(slots[name])
                spans[name] = (start, len(self.text) + len(sentence))
        # After a full stop the sentence begins with a capital; after ", and later " it does not.
        if not self.text or self.text.endswith(". "):
            sentence = sentence[0].upper() + sentence[1:]
        self.text += sentence + end
        return spans
