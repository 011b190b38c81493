"""Makers of questions: each asks one sort of thing about a topic, in the ways a scene gives it."""

from collections.abc import Sequence
from dataclasses import replace

from workings.supervision.derivation import Plan
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import CannotAsk, Fact, SyntheticQuestion, Topic
from workings.synthetic.sampler import Sampler
from workings.synthetic.selection import Ways, by_name, by_trait, grouped, mentions_of, naming

# The words for larger and for smaller, or for earlier and for later.
Ends = Sequence[Sequence[str]]

ONE, SOME, ANY = range(1, 2), range(2, 10), range(1, 10)


def _number(fact: Fact) -> Plan:
    return gold_steps.number_of(fact.mention)


def extreme_number(sampler: Sampler, topic: Topic, *, ways: Ways, ends: Ends) -> SyntheticQuestion:
    chosen = by_trait(sampler, topic, ways, SOME)
    largest = sampler.chance(0.5)
    gold = gold_steps.extreme_num(chosen.look(), chosen.mentions, largest)
    return SyntheticQuestion(chosen.text(sampler.choose(ends[not largest])), "extract-number", gold)


def extreme_argument(
    sampler: Sampler, topic: Topic, *, ways: Ways, ends: Ends, families: Sequence[str] = ()
) -> SyntheticQuestion:
    """Whose is the largest; a trait that tells the answer is none of the families."""
    chosen = by_trait(sampler, topic, ways, SOME, families)
    largest = sampler.chance(0.5)
    best = gold_steps.extreme(chosen.look(), chosen.mentions, largest)
    target = next(f.who for f in chosen.facts if f.mention.span in gold_steps.outcome(best).spans)
    text = chosen.text(sampler.choose(ends[not largest]))
    return SyntheticQuestion(text, "extract-argument", gold_steps.relocate(best, target))


def number(
    sampler: Sampler, topic: Topic, *, ways: Ways, kind: str = "extract-number"
) -> SyntheticQuestion:
    facts = by_name(sampler, topic, 1)
    return SyntheticQuestion(naming(sampler, topic, ways, facts), kind, _number(facts[0]))


def trait_number(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    chosen = by_trait(sampler, topic, ways, ONE)
    gold = gold_steps.find_num(chosen.look(), chosen.mentions[0].number)
    return SyntheticQuestion(chosen.text(), "extract-number", gold)


def argument(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    facts = by_name(sampler, topic, 1)
    gold = gold_steps.relocate(gold_steps.find(facts[0].mention), facts[0].who)
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "extract-argument", gold)


def trait_argument(
    sampler: Sampler, topic: Topic, *, ways: Ways, families: Sequence[str] = ()
) -> SyntheticQuestion:
    chosen = by_trait(sampler, topic, ways, ONE, families)
    gold = gold_steps.relocate(chosen.look(), chosen.facts[0].who)
    return SyntheticQuestion(chosen.text(), "extract-argument", gold)


def how_many(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    chosen = by_trait(sampler, topic, ways, ANY)
    return SyntheticQuestion(chosen.text(), "count", gold_steps.count(chosen.look()))


def how_many_more(sampler: Sampler, topic: Topic, *, ways: Ways, family: str) -> SyntheticQuestion:
    """A count less a count: more facts of one trait than of another of its family."""
    ranked = sorted(grouped(topic, [family]).items(), key=lambda group: len(group[1]))
    (few, fewer), (many, more) = ranked[0], ranked[-1]
    if len(fewer) == len(more):
        raise CannotAsk
    doers = {"doer": many.removeprefix("by "), "other": few.removeprefix("by ")}
    text = sampler.say(ways, many=many, few=few, **doers, **topic.words)
    everything = gold_steps.find(*mentions_of(topic.facts))
    kept = (gold_steps.keep(everything, mentions_of(facts)) for facts in (more, fewer))
    return SyntheticQuestion(text, "add-sub", gold_steps.sub(*map(gold_steps.count, kept)))


def difference(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    facts = by_name(sampler, topic, 2)
    gold = gold_steps.sub(_number(facts[0]), _number(facts[1]))
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "add-sub", gold)


def extreme_difference(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    chosen = by_trait(sampler, topic, ways, SOME)
    largest, smallest = (
        gold_steps.extreme_num(chosen.look(), chosen.mentions, end) for end in (True, False)
    )
    return SyntheticQuestion(chosen.text(), "add-sub", gold_steps.sub(largest, smallest))


def total(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """The sum of two."""
    facts = sampler.shuffled(by_name(sampler, topic, 2))
    gold = gold_steps.add(_number(facts[0]), _number(facts[1]))
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "add-sub", gold)


def total_of_three(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    facts = sampler.shuffled(by_name(sampler, topic, 3))
    first, second, third = map(_number, facts)
    gold = gold_steps.add(gold_steps.add(first, second), third)
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "add-sub", gold)


def pair_less_third(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """What two have together, less what the third and smallest has."""
    facts = by_name(sampler, topic, 3)
    first, second, third = map(_number, facts)
    gold = gold_steps.sub(gold_steps.add(first, second), third)
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "add-sub", gold)


def left_over(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """The first fact's number less those of the two after it."""
    first, second, third = map(_number, topic.facts)
    gold = gold_steps.sub(gold_steps.sub(first, second), third)
    return SyntheticQuestion(naming(sampler, topic, ways, topic.facts), "add-sub", gold)


def rest_of_hundred(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    facts = by_name(sampler, topic, 1)
    gold = gold_steps.sub(gold_steps.constant(100), _number(facts[0]))
    return SyntheticQuestion(naming(sampler, topic, ways, facts), "add-sub", gold)


def compare_number(sampler: Sampler, topic: Topic, *, ways: Ways, ends: Ends) -> SyntheticQuestion:
    facts = sampler.shuffled(by_name(sampler, topic, 2))
    more = sampler.chance(0.5)
    text = naming(sampler, topic, ways, facts, sampler.choose(ends[not more]))
    return SyntheticQuestion(
        text, "number-compare", gold_steps.compare_num(*map(_itself, facts), more=more)
    )


def compare_date(sampler: Sampler, topic: Topic, *, ways: Ways, ends: Ends) -> SyntheticQuestion:
    facts = sampler.shuffled(by_name(sampler, topic, 2))
    before = sampler.chance(0.5)
    text = naming(sampler, topic, ways, facts, sampler.choose(ends[not before]))
    return SyntheticQuestion(
        text, "date-compare", gold_steps.compare_date(*map(_itself, facts), before=before)
    )


def _itself(fact: Fact) -> Mention:
    """The fact's value beside the words that answer with it."""
    return replace(fact.mention, span=fact.who)


def years_between(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """Years from an earlier event to a later one, in the order in which the way names them."""
    facts = sorted(by_name(sampler, topic, 2), key=lambda fact: fact.mention.dates[0].year or 0)
    way = sampler.choose(ways)
    text = way.format(early=facts[0].name, late=facts[1].name, **topic.words)
    if way.index("{late}") < way.index("{early}"):
        facts.reverse()
    return SyntheticQuestion(text, "date-difference", gold_steps.time_diff(*mentions_of(facts)))


def lasted(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """Years from the start to the end of one event."""
    facts = by_name(sampler, topic, 1)
    text = naming(sampler, topic, ways, facts)
    return SyntheticQuestion(text, "date-difference", gold_steps.time_diff(facts[0].mention))


def one(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """A plain question whose answer stands in the text."""
    facts = by_name(sampler, topic, 1)
    seen = gold_steps.find(Mention(facts[0].who))
    return SyntheticQuestion(
        naming(sampler, topic, ways, facts), None, gold_steps.span(seen, facts[0].who)
    )


def several(sampler: Sampler, topic: Topic, *, ways: Ways) -> SyntheticQuestion:
    """A plain question whose answers stand apart in the text."""
    chosen = by_trait(sampler, topic, ways, SOME)
    seen = gold_steps.find(*(Mention(fact.who) for fact in chosen.facts))
    return SyntheticQuestion(chosen.text(), None, gold_steps.spans(seen))
