"""What a question is about: facts chosen so that it has one answer, and the words for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from workings.supervision.derivation import Plan
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import CannotAsk, Fact, Topic
from workings.synthetic.sampler import Sampler

Ways = Sequence[str]

ORDINALS = ("first", "second", "third")


def grouped(topic: Topic, families: Sequence[str]) -> dict[str, list[Fact]]:
    """The facts by trait, of some families or, where none is named, of all."""
    groups: dict[str, list[Fact]] = {}
    for fact in topic.facts:
        for family, trait in fact.traits.items():
            if not families or family in families:
                groups.setdefault(trait, []).append(fact)
    return groups


@dataclass(frozen=True, slots=True)
class Chosen:
    """The facts that a trait, or none, singles out, and a way to ask about them."""

    topic: Topic
    trait: str
    way: str
    facts: list[Fact]

    @property
    def mentions(self) -> list[Mention]:
        return mentions_of(self.facts)

    def text(self, most: str = "") -> str:
        words = {"trait": self.trait and f" {self.trait}", "doer": self.trait.removeprefix("by ")}
        return self.way.format(most=most, **words, **self.topic.words)

    def look(self) -> Plan:
        """A filter exactly where the question names a trait, so that the words tell the program."""
        everything = gold_steps.find(*mentions_of(self.topic.facts))
        return gold_steps.keep(everything, self.mentions) if self.trait else everything


def by_trait(
    sampler: Sampler, topic: Topic, ways: Ways, sizes: range, families: Sequence[str] = ()
) -> Chosen:
    """Choose a trait, or none, that the ways can speak of and that holds of so many facts."""
    groups = {"": list(topic.facts), **grouped(topic, families)}
    sized = [(trait, facts) for trait, facts in groups.items() if len(facts) in sizes]
    # Once for each fact: a trait that holds of many comes up more often, a count of one less.
    fit = [(trait, facts) for trait, facts in sized if _fit(ways, trait) for _ in facts]
    if not fit:
        raise CannotAsk
    trait, facts = sampler.choose(fit)
    return Chosen(topic, trait, sampler.choose(_fit(ways, trait)), facts)


def _fit(ways: Ways, trait: str) -> list[str]:
    """The ways that can speak of a trait; only one that begins with "by" has a doer."""
    if not trait:
        return [way for way in ways if "{doer}" not in way]
    slots = ("{trait}", "{doer}") if trait.startswith("by ") else ("{trait}",)
    return [way for way in ways if any(slot in way for slot in slots)]


def by_name(sampler: Sampler, topic: Topic, size: int) -> list[Fact]:
    """Choose facts whose names are theirs alone, the one with the largest number first."""
    names = [fact.name for fact in topic.facts]
    single = [fact for fact in topic.facts if names.count(fact.name) == 1]
    if len(single) < size:
        raise CannotAsk
    return sorted(sampler.sample(single, size), key=lambda fact: -fact.mention.number)


def naming(
    sampler: Sampler, topic: Topic, ways: Ways, facts: Sequence[Fact], most: str = ""
) -> str:
    """One of the ways, with the names of the facts in it."""
    names = dict(zip(ORDINALS, (fact.name for fact in facts), strict=False))
    return sampler.say(ways, most=most, **names, **topic.words)


def mentions_of(facts: Sequence[Fact]) -> list[Mention]:
    return [fact.mention for fact in facts]
