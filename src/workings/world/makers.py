"""Makers of questions: each asks one sort of thing about a topic, in the ways a scene gives it."""

from collections.abc import Sequence
from dataclasses import replace

from workings.data.derive_types import Plan
from workings.world import steps
from workings.world.choosing import Ways, by_name, by_trait, grouped, mentions_of, naming
from workings.world.page import Asked, Fact, Topic, Unaskable
from workings.world.steps import Mention
from workings.world.words import Stock

# The words for larger and for smaller, or for earlier and for later.
Ends = Sequence[Sequence[str]]

ONE, SOME, ANY = range(1, 2), range(2, 10), range(1, 10)


def _number(fact: Fact) -> Plan:
    return steps.number_of(fact.mention)


def extreme_number(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    chosen = by_trait(stock, topic, ways, SOME)
    largest = stock.chance(0.5)
    gold = steps.extreme_num(chosen.look(), chosen.mentions, largest)
    return Asked(chosen.text(stock.choose(ends[not largest])), "extract-number", gold)


def extreme_argument(
    stock: Stock, topic: Topic, *, ways: Ways, ends: Ends, families: Sequence[str] = ()
) -> Asked:
    """Whose is the largest; a trait that tells the answer is none of the families."""
    chosen = by_trait(stock, topic, ways, SOME, families)
    largest = stock.chance(0.5)
    best = steps.extreme(chosen.look(), chosen.mentions, largest)
    target = next(f.who for f in chosen.facts if f.mention.span in steps.outcome(best).spans)
    text = chosen.text(stock.choose(ends[not largest]))
    return Asked(text, "extract-argument", steps.relocate(best, target))


def number(stock: Stock, topic: Topic, *, ways: Ways, kind: str = "extract-number") -> Asked:
    facts = by_name(stock, topic, 1)
    return Asked(naming(stock, topic, ways, facts), kind, _number(facts[0]))


def trait_number(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = by_trait(stock, topic, ways, ONE)
    gold = steps.find_num(chosen.look(), chosen.mentions[0].number)
    return Asked(chosen.text(), "extract-number", gold)


def argument(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    facts = by_name(stock, topic, 1)
    gold = steps.relocate(steps.find(facts[0].mention), facts[0].who)
    return Asked(naming(stock, topic, ways, facts), "extract-argument", gold)


def trait_argument(
    stock: Stock, topic: Topic, *, ways: Ways, families: Sequence[str] = ()
) -> Asked:
    chosen = by_trait(stock, topic, ways, ONE, families)
    gold = steps.relocate(chosen.look(), chosen.facts[0].who)
    return Asked(chosen.text(), "extract-argument", gold)


def how_many(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = by_trait(stock, topic, ways, ANY)
    return Asked(chosen.text(), "count", steps.count(chosen.look()))


def how_many_more(stock: Stock, topic: Topic, *, ways: Ways, family: str) -> Asked:
    """A count less a count: more facts of one trait than of another of its family."""
    ranked = sorted(grouped(topic, [family]).items(), key=lambda group: len(group[1]))
    (few, fewer), (many, more) = ranked[0], ranked[-1]
    if len(fewer) == len(more):
        raise Unaskable
    doers = {"doer": many.removeprefix("by "), "other": few.removeprefix("by ")}
    text = stock.say(ways, many=many, few=few, **doers, **topic.words)
    everything = steps.find(*mentions_of(topic.facts))
    kept = (steps.keep(everything, mentions_of(facts)) for facts in (more, fewer))
    return Asked(text, "add-sub", steps.sub(*map(steps.count, kept)))


def difference(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    facts = by_name(stock, topic, 2)
    gold = steps.sub(_number(facts[0]), _number(facts[1]))
    return Asked(naming(stock, topic, ways, facts), "add-sub", gold)


def extreme_difference(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    chosen = by_trait(stock, topic, ways, SOME)
    largest, smallest = (
        steps.extreme_num(chosen.look(), chosen.mentions, end) for end in (True, False)
    )
    return Asked(chosen.text(), "add-sub", steps.sub(largest, smallest))


def total(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """The sum of two."""
    facts = stock.shuffled(by_name(stock, topic, 2))
    gold = steps.add(_number(facts[0]), _number(facts[1]))
    return Asked(naming(stock, topic, ways, facts), "add-sub", gold)


def total_of_three(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    facts = stock.shuffled(by_name(stock, topic, 3))
    first, second, third = map(_number, facts)
    gold = steps.add(steps.add(first, second), third)
    return Asked(naming(stock, topic, ways, facts), "add-sub", gold)


def pair_less_third(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """What two have together, less what the third and smallest has."""
    facts = by_name(stock, topic, 3)
    first, second, third = map(_number, facts)
    gold = steps.sub(steps.add(first, second), third)
    return Asked(naming(stock, topic, ways, facts), "add-sub", gold)


def left_over(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """The first fact's number less those of the two after it."""
    first, second, third = map(_number, topic.facts)
    gold = steps.sub(steps.sub(first, second), third)
    return Asked(naming(stock, topic, ways, topic.facts), "add-sub", gold)


def rest_of_hundred(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    facts = by_name(stock, topic, 1)
    gold = steps.sub(steps.constant(100), _number(facts[0]))
    return Asked(naming(stock, topic, ways, facts), "add-sub", gold)


def compare_number(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    facts = stock.shuffled(by_name(stock, topic, 2))
    more = stock.chance(0.5)
    text = naming(stock, topic, ways, facts, stock.choose(ends[not more]))
    return Asked(text, "number-compare", steps.compare_num(*map(_itself, facts), more=more))


def compare_date(stock: Stock, topic: Topic, *, ways: Ways, ends: Ends) -> Asked:
    facts = stock.shuffled(by_name(stock, topic, 2))
    before = stock.chance(0.5)
    text = naming(stock, topic, ways, facts, stock.choose(ends[not before]))
    return Asked(text, "date-compare", steps.compare_date(*map(_itself, facts), before=before))


def _itself(fact: Fact) -> Mention:
    """The fact's value beside the words that answer with it."""
    return replace(fact.mention, span=fact.who)


def years_between(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """Years from an earlier event to a later one, in the order in which the way names them."""
    facts = sorted(by_name(stock, topic, 2), key=lambda fact: fact.mention.dates[0].year or 0)
    way = stock.choose(ways)
    text = way.format(early=facts[0].name, late=facts[1].name, **topic.words)
    if way.index("{late}") < way.index("{early}"):
        facts.reverse()
    return Asked(text, "date-difference", steps.time_diff(*mentions_of(facts)))


def lasted(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """Years from the start to the end of one event."""
    facts = by_name(stock, topic, 1)
    text = naming(stock, topic, ways, facts)
    return Asked(text, "date-difference", steps.time_diff(facts[0].mention))


def one(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """A plain question whose answer stands in the text."""
    facts = by_name(stock, topic, 1)
    seen = steps.find(Mention(facts[0].who))
    return Asked(naming(stock, topic, ways, facts), None, steps.span(seen, facts[0].who))


def several(stock: Stock, topic: Topic, *, ways: Ways) -> Asked:
    """A plain question whose answers stand apart in the text."""
    chosen = by_trait(stock, topic, ways, SOME)
    seen = steps.find(*(Mention(fact.who) for fact in chosen.facts))
    return Asked(chosen.text(), None, steps.spans(seen))
