"""Selects the facts of a question so that it has one answer, and words the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from workings.supervision.derivation import Plan
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, NoUniqueAnswerError, Topic
from workings.synthetic.sampler import Sampler

Templates = Sequence[str]

_NAME_SLOTS = ("first", "second", "third")


def group_by_trait(topic: Topic, trait_types: Sequence[str]) -> dict[str, list[Fact]]:
    """The facts that have each trait of some types, or of all types if none is given."""
    groups: dict[str, list[Fact]] = {}
    for fact in topic.facts:
        for trait_type, trait in fact.traits.items():
            if not trait_types or trait_type in trait_types:
                groups.setdefault(trait, []).append(fact)
    return groups


@dataclass(frozen=True, slots=True)
class Selection:
    """The facts with a trait, or all facts of a topic, and a template to ask about them.

    Attributes:
        topic: The topic.
        trait: The trait; empty for all facts.
        template: The template of the question.
        facts: The selected facts.
    """

    topic: Topic
    trait: str
    template: str
    facts: list[Fact]

    @property
    def mentions(self) -> list[Mention]:
        return mentions_of(self.facts)

    def text(self, order_word: str = "") -> str:
        """The question; ``order_word`` is a word such as "longest"."""
        slots = {"trait": self.trait and f" {self.trait}", "agent": self.trait.removeprefix("by ")}
        return self.template.format(order_word=order_word, **slots, **self.topic.slots)

    def find(self) -> Plan:
        """The plan that finds the facts; it filters exactly if the question names a trait."""
        every = gold_steps.find(*mentions_of(self.topic.facts))
        return gold_steps.filter_mentions(every, self.mentions) if self.trait else every


def select_by_trait(
    sampler: Sampler,
    topic: Topic,
    templates: Templates,
    sizes: range,
    trait_types: Sequence[str] = (),
) -> Selection:
    """Select the facts with a random trait, or all facts.

    Args:
        sampler: The random choices.
        topic: The topic.
        templates: The templates of the question.
        sizes: The allowed numbers of facts.
        trait_types: The allowed types of traits; all by default.

    Raises:
        NoUniqueAnswerError: No trait fits a template and an allowed size.
    """
    groups = {"": list(topic.facts), **group_by_trait(topic, trait_types)}
    sized = [(trait, facts) for trait, facts in groups.items() if len(facts) in sizes]
    # Repeated for each fact: frequent traits come up more often, so that counts of one do not.
    fitting = [
        (trait, facts) for trait, facts in sized if _fitting(templates, trait) for _ in facts
    ]
    if not fitting:
        raise NoUniqueAnswerError
    trait, facts = sampler.choose(fitting)
    return Selection(topic, trait, sampler.choose(_fitting(templates, trait)), facts)


def select_by_name(sampler: Sampler, topic: Topic, size: int) -> list[Fact]:
    """Select facts whose names are unique, the fact with the largest number first.

    Raises:
        NoUniqueAnswerError: Too few facts have a unique name.
    """
    names = [fact.name for fact in topic.facts]
    unique = [fact for fact in topic.facts if names.count(fact.name) == 1]
    if len(unique) < size:
        raise NoUniqueAnswerError
    return sorted(sampler.sample(unique, size), key=lambda fact: -fact.mention.number)


def ask_by_name(
    sampler: Sampler,
    topic: Topic,
    templates: Templates,
    facts: Sequence[Fact],
    order_word: str = "",
) -> str:
    """Word a question that names up to three facts."""
    names = dict(zip(_NAME_SLOTS, (fact.name for fact in facts), strict=False))
    return sampler.fill(templates, order_word=order_word, **names, **topic.slots)


def mentions_of(facts: Sequence[Fact]) -> list[Mention]:
    return [fact.mention for fact in facts]


def _fitting(templates: Templates, trait: str) -> list[str]:
    """The templates that can name a trait; only a trait that begins with "by" has an agent."""
    if not trait:
        return [template for template in templates if "{agent}" not in template]
    slots = ("{trait}", "{agent}") if trait.startswith("by ") else ("{trait}",)
    return [template for template in templates if any(slot in template for slot in slots)]
