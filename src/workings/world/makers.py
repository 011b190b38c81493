"""Makers of questions: each asks one sort of thing about a topic, in the ways a scene gives it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workings.data.derive_types import Plan
from workings.world import steps
from workings.world.page import Asked, Fact, Topic, Unaskable
from workings.world.steps import Mention
from workings.world.words import Stock

Ways = Sequence[str]
# The words for larger and for smaller, or for earlier and for later.
Ends = Sequence[Sequence[str]]

ONE, SOME, ANY = range(1, 2), range(2, 10), range(1, 10)
ORDINALS = ("first", "second", "third")


def _groups(topic: Topic, families: Sequence[str]) -> dict[str, list[Fact]]:
    """The facts by trait, of some families or, where none is named, of all."""
    groups: dict[str, list[Fact]] = {}
    for fact in topic.facts:
        for family, trait in fact.traits.items():
            if not families or family in families:
                groups.setdefault(trait, []).append(fact)
    return groups


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The facts that a trait, or none, singles out, and a way to ask about them."""

    topic: Topic
    trait: str
    way: str
    facts: list[Fact]

    @property
    def mentions(self) -> list[Mention]:
        return _mentions(self.facts)

    def text(self, most: str = "") -> str:
        words = {"trait": self.trait and f" {self.trait}", "doer": self.trait.removeprefix("by ")}
        return self.way.format(most=most, **words, **self.topic.words)

    def look(self) -> Plan:
        """A filter exactly where the question names a trait, so that the words tell the program."""
        everything = steps.find(*_mentions(self.topic.facts))
        return steps.keep(everything, self.mentions) if self.trait else everything


def _choose(
    stock: Stock, topic: Topic, ways: Ways, sizes: range, families: Sequence[str] = ()
) -> _Chosen:
    """A trait, or none, that the ways can speak of and that holds of so many facts."""
    groups = {"": list(topic.facts), **_groups(topic, families)}
    fit = [
        (trait, facts)
        for trait, facts in groups.items()
        if len(facts) in sizes and _fit(ways, trait)
    ]
    if not fit:
        raise Unaskable
    trait, facts = stock.choose(fit)
    return _Chosen(topic, trait, stock.choose(_fit(ways, trait)), facts)


def _fit(ways: Ways, trait: str) -> list[str]:
    """The ways that can speak of a trait; only one that begins with "by" has a doer."""
    slots = {"{trait}"} if trait else {""}
    if trait.startswith("by "):
        slots.add("{doer}")
    fit = [way for way in ways if any(slot in way for slot in slots)]
    return fit if trait else [way for way in fit if "{doer}" not in way]


def _some(stock: Stock, topic: Topic, size: int) -> list[Fact]:
    """Facts whose names are theirs alone, the one with the largest number first."""
    names = [fact.name for fact in topic.facts]
    single = [fact for fact in topic.facts if names.count(fact.name) == 1]
    if len(single) < size:
        raise Unaskable
    return sorted(stock.sample(single, size), key=lambda fact: -fact.mention.number)


def _named(stock: Stock, topic: Topic, ways: Ways, facts: Sequence[Fact]) -> str:
    names = dict(zip(ORDINALS, (fact.name for fact in facts), strict=False))
    return stock.say(ways, **names, **topic.words)


def _mentions(facts: Sequence[Fact]) -> list[Mention]:
    return [fact.mention for fact in facts]


def _number(fact: Fact) -> Plan:
    return steps.number_of(fact.mention)


def extreme_number(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    chosen = _choose(stock, topic, ways, SOME)
    largest = stock.chance(0.5)
    gold = steps.extreme_num(chosen.look(), chosen.mentions, largest)
    return Asked(chosen.text(stock.choose(ends[not largest])), "extract-number", gold)


def extreme_argument(
    stock: Stock, topic: Topic, *, ways: Ways, ends: Ends, families: Sequence[str] = ()
) -> Asked:
    """Whose is the largest; a trait that tells the answer is none of the families."""
    chosen = _choose(stock, topic, ways, SOME, families)
    largest = stock.chance(0.5)
    best = steps.extreme(chosen.look(), chosen.mentions, largest)
    target = next(f.who for f in chosen.facts if f.mention.span in steps.outcome(best).spans)
    text = chosen.text(stock.choose(ends[not largest]))
    return Asked(text, "extract-argument", steps.relocate(best, target))


def number(stock: Stock, topic: Topic, *, ways: Ways, kind: str = "extract-number") -> Asked:
    some = _some(stock, topic, 1)
    return Asked(_named(stock, topic, ways, some), kind, _number(some[0]))


def trait_number(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = _choose(stock, topic, ways, ONE)
    gold = steps.find_num(chosen.look(), chosen.mentions[0].number)
    return Asked(chosen.text(), "extract-number", gold)


def argument(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    some = _some(stock, topic, 1)
    gold = steps.relocate(steps.find(some[0].mention), some[0].who)
    return Asked(_named(stock, topic, ways, some), "extract-argument", gold)


def trait_argument(
    stock: Stock, topic: Topic, *, ways: Ways, families: Sequence[str] = ()
) -> Asked:
    chosen = _choose(stock, topic, ways, ONE, families)
    gold = steps.relocate(chosen.look(), chosen.facts[0].who)
    return Asked(chosen.text(), "extract-argument", gold)


def how_many(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = _choose(stock, topic, ways, ANY)
    return Asked(chosen.text(), "count", steps.count(chosen.look()))


def how_many_more(stock: Stock, topic: Topic, *, ways: Ways, family: str) -> Asked:
    """A count less a count: more facts of one trait than of another of its family."""
    ranked = sorted(_groups(topic, [family]).items(), key=lambda group: len(group[1]))
    (few, fewer), (many, more) = ranked[0], ranked[-1]
    if len(fewer) == len(more):
        raise Unaskable
    doers = {"doer": many.removeprefix("by "), "other": few.removeprefix("by ")}
    text = stock.say(ways, many=many, few=few, **doers, **topic.words)
    everything = steps.find(*_mentions(topic.facts))
    kept = (steps.keep(everything, _mentions(facts)) for facts in (more, fewer))
    return Asked(text, "add-sub", steps.sub(*map(steps.count, kept)))


def difference(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    some = _some(stock, topic, 2)
    gold = steps.sub(_number(some[0]), _number(some[1]))
    return Asked(_named(stock, topic, ways, some), "add-sub", gold)


def extreme_difference(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = _choose(stock, topic, ways, SOME)
    largest, smallest = (
        steps.extreme_num(chosen.look(), chosen.mentions, end) for end in (True, False)
    )
    return Asked(chosen.text(), "add-sub", steps.sub(largest, smallest))


def total(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """The sum of two."""
    some = stock.shuffled(_some(stock, topic, 2))
    gold = steps.add(_number(some[0]), _number(some[1]))
    return Asked(_named(stock, topic, ways, some), "add-sub", gold)


def total_of_three(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    some = stock.shuffled(_some(stock, topic, 3))
    first, second, third = map(_number, some)
    gold = steps.add(steps.add(first, second), third)
    return Asked(_named(stock, topic, ways, some), "add-sub", gold)


def pair_less_third(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """What two have together, less what the third and smallest has."""
    some = _some(stock, topic, 3)
    first, second, third = map(_number, some)
    gold = steps.sub(steps.add(first, second), third)
    return Asked(_named(stock, topic, ways, some), "add-sub", gold)


def left_over(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """The first fact's number less those of the two after it."""
    first, second, third = map(_number, topic.facts)
    gold = steps.sub(steps.sub(first, second), third)
    return Asked(_named(stock, topic, ways, topic.facts), "add-sub", gold)


def rest_of_hundred(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    some = _some(stock, topic, 1)
    gold = steps.sub(steps.constant(100), _number(some[0]))
    return Asked(_named(stock, topic, ways, some), "add-sub", gold)


def compare_number(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    facts = stock.shuffled(_some(stock, topic, 2))
    more = stock.chance(0.5)
    asked = replace(topic, words={**topic.words, "most": stock.choose(ends[not more])})
    first, second = (replace(fact.mention, span=fact.who) for fact in facts)
    text = _named(stock, asked, ways, facts)
    return Asked(text, "number-compare", steps.compare_num(first, second, more))


def compare_date(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    facts = stock.shuffled(_some(stock, topic, 2))
    before = stock.chance(0.5)
    asked = replace(topic, words={**topic.words, "end": stock.choose(ends[not before])})
    first, second = (replace(fact.mention, span=fact.who) for fact in facts)
    text = _named(stock, asked, ways, facts)
    return Asked(text, "date-compare", steps.compare_date(first, second, before))


def years_between(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """Years from an earlier event to a later one, in the order in which the way names them."""
    some = sorted(_some(stock, topic, 2), key=lambda fact: fact.mention.dates[0].year or 0)
    way = stock.choose(ways)
    text = way.format(early=some[0].name, late=some[1].name, **topic.words)
    if way.index("{late}") < way.index("{early}"):
        some.reverse()
    return Asked(text, "date-difference", steps.time_diff(*_mentions(some)))


def lasted(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """Years from the start to the end of one event."""
    some = _some(stock, topic, 1)
    text = _named(stock, topic, ways, some)
    return Asked(text, "date-difference", steps.time_diff(some[0].mention))


def one(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """A plain question whose answer stands in the text."""
    some = _some(stock, topic, 1)
    seen = steps.find(Mention(some[0].who))
    return Asked(_named(stock, topic, ways, some), None, steps.span(seen, some[0].who))


def several(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """A plain question whose answers stand apart in the text."""
    chosen = _choose(stock, topic, ways, SOME)
    seen = steps.find(*(Mention(fact.who) for fact in chosen.facts))
    return Asked(chosen.text(), None, steps.spans(seen))
