"""Generators of questions. Each asks one type of question about the facts of a topic.

Every generator takes the sampler, the topic and templates from the scene's TOML file, and raises
``NoUniqueAnswerError`` if the facts do not allow the question.
"""

from collections.abc import Sequence
from dataclasses import replace

from workings.supervision import plans
from workings.supervision.derivation import Plan
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import (
    Fact,
    NoUniqueAnswerError,
    SyntheticQuestion,
    Topic,
)
from workings.synthetic.sampler import Sampler
from workings.synthetic.selection import (
    Templates,
    ask_by_name,
    group_by_trait,
    mentions_of,
    select_by_name,
    select_by_trait,
)

# Two lists of words: for "largest" and "smallest", "more" and "less", or "first" and "last".
OrderWords = Sequence[Sequence[str]]

_EXACTLY_ONE, _SEVERAL, _ANY = range(1, 2), range(2, 10), range(1, 10)


def extreme_number(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The largest or smallest number."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL)
    largest = sampler.chance(0.5)
    gold = gold_steps.extreme_number(chosen.find(), chosen.mentions, largest=largest)
    text = chosen.text(sampler.choose(order_words[not largest]))
    return SyntheticQuestion(text, "extract-number", gold)


def extreme_argument(
    sampler: Sampler,
    topic: Topic,
    *,
    templates: Templates,
    order_words: OrderWords,
    trait_types: Sequence[str] = (),
) -> SyntheticQuestion:
    """The argument of the largest or smallest; ``trait_types`` must not give the answer away."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL, trait_types)
    largest = sampler.chance(0.5)
    best = gold_steps.extreme(chosen.find(), chosen.mentions, largest=largest)
    target = next(f.argument for f in chosen.facts if f.mention.span in best.root_target.spans)
    text = chosen.text(sampler.choose(order_words[not largest]))
    return SyntheticQuestion(text, "extract-argument", gold_steps.argument(best, target))


def number(
    sampler: Sampler, topic: Topic, *, templates: Templates, kind: str = "extract-number"
) -> SyntheticQuestion:
    """The number of a named fact."""
    facts = select_by_name(sampler, topic, 1)
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), kind, _number(facts[0]))


def trait_number(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The number of the only fact with a trait."""
    chosen = select_by_trait(sampler, topic, templates, _EXACTLY_ONE)
    gold = plans.find_number(chosen.find(), chosen.mentions[0].number)
    return SyntheticQuestion(chosen.text(), "extract-number", gold)


def argument(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The argument of a named fact."""
    facts = select_by_name(sampler, topic, 1)
    gold = gold_steps.argument(gold_steps.find(facts[0].mention), facts[0].argument)
    return SyntheticQuestion(
        ask_by_name(sampler, topic, templates, facts), "extract-argument", gold
    )


def trait_argument(
    sampler: Sampler, topic: Topic, *, templates: Templates, trait_types: Sequence[str] = ()
) -> SyntheticQuestion:
    """The argument of the only fact with a trait."""
    chosen = select_by_trait(sampler, topic, templates, _EXACTLY_ONE, trait_types)
    gold = gold_steps.argument(chosen.find(), chosen.facts[0].argument)
    return SyntheticQuestion(chosen.text(), "extract-argument", gold)


def count(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The number of facts, with a trait or of all."""
    chosen = select_by_trait(sampler, topic, templates, _ANY)
    return SyntheticQuestion(chosen.text(), "count", gold_steps.count(chosen.find()))


def count_difference(
    sampler: Sampler, topic: Topic, *, templates: Templates, trait_type: str
) -> SyntheticQuestion:
    """How many more facts have one trait than another of the same type."""
    ranked = sorted(group_by_trait(topic, [trait_type]).items(), key=lambda group: len(group[1]))
    (few, fewer), (many, more) = ranked[0], ranked[-1]
    if len(fewer) == len(more):
        raise NoUniqueAnswerError
    agents = {"agent": many.removeprefix("by "), "other": few.removeprefix("by ")}
    text = sampler.fill(templates, many=many, few=few, **agents, **topic.slots)
    every = gold_steps.find(*mentions_of(topic.facts))
    first, second = (
        gold_steps.count(gold_steps.filter_mentions(every, mentions_of(facts)))
        for facts in (more, fewer)
    )
    return SyntheticQuestion(text, "add-sub", plans.subtract(first, second))


def difference(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The difference of two numbers."""
    facts = select_by_name(sampler, topic, 2)
    gold = plans.subtract(_number(facts[0]), _number(facts[1]))
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def extreme_difference(
    sampler: Sampler, topic: Topic, *, templates: Templates
) -> SyntheticQuestion:
    """The difference of the largest and the smallest number."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL)
    largest, smallest = (
        gold_steps.extreme_number(chosen.find(), chosen.mentions, largest=largest)
        for largest in (True, False)
    )
    return SyntheticQuestion(chosen.text(), "add-sub", plans.subtract(largest, smallest))


def sum_of_two(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The sum of two numbers."""
    facts = sampler.shuffled(select_by_name(sampler, topic, 2))
    gold = plans.add(_number(facts[0]), _number(facts[1]))
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def sum_of_three(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The sum of three numbers."""
    facts = sampler.shuffled(select_by_name(sampler, topic, 3))
    first, second, third = map(_number, facts)
    gold = plans.add(plans.add(first, second), third)
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def sum_minus_third(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The sum of two numbers minus a third, the smallest of them."""
    facts = select_by_name(sampler, topic, 3)
    first, second, third = map(_number, facts)
    gold = plans.subtract(plans.add(first, second), third)
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def remainder(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The number of the topic's first fact minus those of its second and third."""
    first, second, third = map(_number, topic.facts)
    gold = plans.subtract(plans.subtract(first, second), third)
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, topic.facts), "add-sub", gold)


def percent_complement(
    sampler: Sampler, topic: Topic, *, templates: Templates
) -> SyntheticQuestion:
    """A hundred minus a number."""
    facts = select_by_name(sampler, topic, 1)
    gold = plans.subtract(gold_steps.constant(100), _number(facts[0]))
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def compare_number(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The one of two with the larger or smaller number."""
    facts = sampler.shuffled(select_by_name(sampler, topic, 2))
    larger = sampler.chance(0.5)
    order_word = sampler.choose(order_words[not larger])
    text = ask_by_name(sampler, topic, templates, facts, order_word)
    gold = gold_steps.compare_numbers(*map(_argument_mention, facts), larger=larger)
    return SyntheticQuestion(text, "number-compare", gold)


def compare_date(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The one of two with the earlier or later date."""
    facts = sampler.shuffled(select_by_name(sampler, topic, 2))
    earliest = sampler.chance(0.5)
    order_word = sampler.choose(order_words[not earliest])
    text = ask_by_name(sampler, topic, templates, facts, order_word)
    gold = gold_steps.compare_dates(*map(_argument_mention, facts), earliest=earliest)
    return SyntheticQuestion(text, "date-compare", gold)


def years_between(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The years between two events, in the order in which the question names them."""
    facts = select_by_name(sampler, topic, 2)
    facts.sort(key=lambda fact: fact.mention.dates[0].year or 0)
    template = sampler.choose(templates)
    text = template.format(early=facts[0].name, late=facts[1].name, **topic.slots)
    if template.index("{late}") < template.index("{early}"):
        facts.reverse()
    gold = gold_steps.years_between(*mentions_of(facts))
    return SyntheticQuestion(text, "date-difference", gold)


def duration(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The years from the start to the end of one event."""
    facts = select_by_name(sampler, topic, 1)
    text = ask_by_name(sampler, topic, templates, facts)
    return SyntheticQuestion(text, "date-difference", gold_steps.years_between(facts[0].mention))


def span(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """A question of no kind with one span of the passage as its answer."""
    facts = select_by_name(sampler, topic, 1)
    answer = facts[0].argument
    gold = gold_steps.answer_span(gold_steps.find(Mention(answer)), answer)
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), None, gold)


def spans(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """A question of no kind with several spans of the passage as its answer."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL)
    events = gold_steps.find(*(Mention(fact.argument) for fact in chosen.facts))
    return SyntheticQuestion(chosen.text(), None, gold_steps.answer_spans(events))


def _number(fact: Fact) -> Plan:
    return gold_steps.number_of(fact.mention)


def _argument_mention(fact: Fact) -> Mention:
    """The fact's value at the span of its argument, which is the answer."""
    return replace(fact.mention, span=fact.argument)
