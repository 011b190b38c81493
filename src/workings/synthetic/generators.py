"""Generators of questions. Each asks one type of question about the facts of a topic.

Every generator takes the sampler, the topic and templates from the scene's TOML file, and raises
``NoUniqueAnswerError`` if the facts do not allow the question.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

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
from workings.synthetic.sampler import ITEMS, PEOPLES, PLACES, Sampler
from workings.synthetic.selection import (
    Selection,
    Templates,
    ask_by_name,
    group_by_trait,
    mentions_of,
    select_by_name,
    select_by_trait,
)
from workings.values import ClockUnit, chronology, format_exact, format_number

# Two lists of words: for "largest" and "smallest", "more" and "less", or "first" and "last".
OrderWords = Sequence[Sequence[str]]

_EXACTLY_ONE, _SEVERAL, _MANY, _ANY = range(1, 2), range(2, 10), range(3, 10), range(1, 10)
_ORDINALS = {2: "second", 3: "third"}
# Limits are round numbers if one fits between two numbers.
_ROUND = (10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1)

Operation = Literal["multiply", "divide", "percent", "percent_change"]
_OPERATIONS: dict[Operation, tuple[str, Callable[[Plan, Plan], Plan]]] = {
    "multiply": ("product", plans.multiply),
    "divide": ("ratio", plans.divide),
    "percent": ("percent-of", plans.percent),
    "percent_change": ("percent-change", plans.percent_change),
}
_NAMES: dict[str, Callable[[Sampler], str]] = {
    "item": lambda sampler: sampler.draw(ITEMS),
    "people": lambda sampler: sampler.draw(PEOPLES),
    "person": Sampler.person,
    "place": lambda sampler: sampler.draw(PLACES),
}


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
    gold = plans.subtract(plans.hundred(), _number(facts[0]))
    return SyntheticQuestion(ask_by_name(sampler, topic, templates, facts), "add-sub", gold)


def compare_number(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The one of two with the larger or smaller number."""
    text, mentions, larger = _ask_to_compare(sampler, topic, templates, order_words)
    gold = gold_steps.compare_numbers(*mentions, larger=larger)
    return SyntheticQuestion(text, "number-compare", gold)


def compare_date(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The one of two with the earlier or later date."""
    text, mentions, earliest = _ask_to_compare(sampler, topic, templates, order_words)
    gold = gold_steps.compare_dates(*mentions, earliest=earliest)
    return SyntheticQuestion(text, "date-compare", gold)


def _ask_to_compare(
    sampler: Sampler, topic: Topic, templates: Templates, order_words: OrderWords
) -> tuple[str, list[Mention], bool]:
    """A comparison, its mentions, and whether its order word is from the first list."""
    facts = sampler.shuffled(select_by_name(sampler, topic, 2))
    is_first = sampler.chance(0.5)
    order_word = sampler.choose(order_words[not is_first])
    text = ask_by_name(sampler, topic, templates, facts, order_word)
    return text, [_argument_mention(fact) for fact in facts], is_first


def years_between(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The years between two events, in the order in which the question names them."""
    return _time_between(sampler, topic, templates, "years")


def months_between(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The months between two events, in the order in which the question names them."""
    return _time_between(sampler, topic, templates, "months")


def days_between(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The days between two events, in the order in which the question names them."""
    return _time_between(sampler, topic, templates, "days")


def _time_between(
    sampler: Sampler, topic: Topic, templates: Templates, unit: plans.TimeUnit
) -> SyntheticQuestion:
    facts = select_by_name(sampler, topic, 2)
    facts.sort(key=lambda fact: chronology(fact.mention.dates[0]))
    text = _ask_in_order(sampler, topic, templates, facts)
    gold = gold_steps.time_between(*mentions_of(facts), unit=unit)
    return SyntheticQuestion(text, "date-difference", gold, _type_of(unit))


def _ask_in_order(sampler: Sampler, topic: Topic, templates: Templates, facts: list[Fact]) -> str:
    """Word a question about an earlier and a later fact; put them in the order it names them."""
    template = sampler.choose(templates)
    text = template.format(early=facts[0].name, late=facts[1].name, **topic.slots)
    if template.index("{late}") < template.index("{early}"):
        facts.reverse()
    return text


def _type_of(unit: plans.TimeUnit) -> str | None:
    return None if unit == "years" else unit


def duration(
    sampler: Sampler, topic: Topic, *, templates: Templates, unit: plans.TimeUnit = "years"
) -> SyntheticQuestion:
    """The time from the start to the end of one event."""
    facts = select_by_name(sampler, topic, 1)
    text = ask_by_name(sampler, topic, templates, facts)
    gold = gold_steps.time_between(facts[0].mention, unit=unit)
    return SyntheticQuestion(text, "date-difference", gold, _type_of(unit))


def clock_duration(
    sampler: Sampler, topic: Topic, *, templates: Templates, unit: ClockUnit
) -> SyntheticQuestion:
    """The time from the start to the end of one event."""
    facts = select_by_name(sampler, topic, 1)
    text = ask_by_name(sampler, topic, templates, facts)
    gold = gold_steps.clock_distance(facts[0].mention, unit=unit)
    return SyntheticQuestion(text, None, gold, "duration")


def clock_between(
    sampler: Sampler, topic: Topic, *, templates: Templates, unit: ClockUnit
) -> SyntheticQuestion:
    """The time between two events, or by which two durations differ."""
    facts = select_by_name(sampler, topic, 2)
    facts.sort(key=lambda fact: fact.mention.timings[0].seconds)
    text = _ask_in_order(sampler, topic, templates, facts)
    gold = gold_steps.clock_distance(*mentions_of(facts), unit=unit)
    return SyntheticQuestion(text, None, gold, "duration")


def clock_amount(
    sampler: Sampler, topic: Topic, *, templates: Templates, unit: ClockUnit
) -> SyntheticQuestion:
    """A duration in another unit than the passage gives."""
    facts = select_by_name(sampler, topic, 1)
    text = ask_by_name(sampler, topic, templates, facts)
    gold = gold_steps.duration_in(facts[0].mention, unit)
    return SyntheticQuestion(text, None, gold, "duration")


def total(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The sum of all numbers, or of those with a trait."""
    chosen = select_by_trait(sampler, topic, templates, _MANY)
    gold = plans.total(chosen.find(), _numbers(chosen))
    return SyntheticQuestion(chosen.text(), None, gold, "add4")


def average(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """The mean of all numbers, or of those with a trait, if decimals can write it."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL)
    gold = plans.average(chosen.find(), _numbers(chosen))
    mean = gold.root_target.numbers[0]
    if format_exact(mean) != format_number(mean):
        raise NoUniqueAnswerError
    return SyntheticQuestion(chosen.text(), None, gold, "average")


def combined(
    sampler: Sampler, topic: Topic, *, templates: Templates, operation: Operation
) -> SyntheticQuestion:
    """An operation on the numbers of the topic's first two facts."""
    question_type, combine = _OPERATIONS[operation]
    gold = combine(*map(_number, topic.facts[:2]))
    text = ask_by_name(sampler, topic, templates, topic.facts)
    return SyntheticQuestion(text, None, gold, question_type)


def ranked_number(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The second or third largest or smallest number."""
    chosen = select_by_trait(sampler, topic, templates, _MANY)
    largest, place = sampler.chance(0.5), sampler.integer(2, 3)
    gold = gold_steps.ranked_number(chosen.find(), chosen.mentions, largest=largest, place=place)
    order_word = f"{_ORDINALS[place]} {sampler.choose(order_words[not largest])}"
    return SyntheticQuestion(chosen.text(order_word), "extract-number", gold, "order")


def ranked_argument(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """The argument of the second or third largest or smallest."""
    chosen = select_by_trait(sampler, topic, templates, _MANY)
    largest, place = sampler.chance(0.5), sampler.integer(2, 3)
    best = gold_steps.ranked(chosen.find(), chosen.mentions, largest=largest, place=place)
    target = next(f.argument for f in chosen.facts if f.mention.span in best.root_target.spans)
    order_word = f"{_ORDINALS[place]} {sampler.choose(order_words[not largest])}"
    gold = gold_steps.argument(best, target)
    return SyntheticQuestion(chosen.text(order_word), "extract-argument", gold, "order")


def threshold_count(
    sampler: Sampler, topic: Topic, *, templates: Templates, order_words: OrderWords
) -> SyntheticQuestion:
    """How many numbers are above or below a limit that the question states."""
    chosen = select_by_trait(sampler, topic, templates, _SEVERAL)
    is_above, limit = sampler.chance(0.5), sampler.choose(_limits(chosen))
    keep = gold_steps.above if is_above else gold_steps.below
    gold = gold_steps.count(keep(chosen.find(), chosen.mentions, limit))
    order_word = f"{sampler.choose(order_words[not is_above])} {limit:,}"
    return SyntheticQuestion(chosen.text(order_word), "count", gold)


def between_count(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """How many numbers lie between two limits that the question states."""
    chosen = select_by_trait(sampler, topic, templates, _MANY)
    limits = _limits(chosen)
    if len(limits) < 2:
        raise NoUniqueAnswerError
    low, high = sorted(sampler.sample(limits, 2))
    over = gold_steps.above(chosen.find(), chosen.mentions, low)
    rest = [mention for mention in chosen.mentions if mention.number > low]
    gold = gold_steps.count(gold_steps.below(over, rest, high))
    return SyntheticQuestion(chosen.text(f"between {low:,} and {high:,}"), "count", gold)


def absent_name(
    sampler: Sampler, topic: Topic, *, templates: Templates, names: str
) -> SyntheticQuestion:
    """A question about a name that the passage does not contain."""
    text = sampler.fill(templates, first=_NAMES[names](sampler), **topic.slots)
    return SyntheticQuestion(text, None, plans.unknown(), "none")


def not_stated(sampler: Sampler, topic: Topic, *, templates: Templates) -> SyntheticQuestion:
    """A question about a named fact whose answer the passage does not state."""
    text = ask_by_name(sampler, topic, templates, select_by_name(sampler, topic, 1))
    return SyntheticQuestion(text, None, plans.unknown(), "none")


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


def _limits(chosen: Selection) -> list[int]:
    """A whole number between each two neighbouring numbers, as round as possible."""
    numbers = sorted(_numbers(chosen))
    limits = []
    for low, high in pairwise(numbers):
        multiples = ((low // step + 1) * step for step in _ROUND)
        limits += [multiple for multiple in multiples if multiple < high][:1]
    if not limits:
        raise NoUniqueAnswerError
    return limits


def _numbers(chosen: Selection) -> list[Fraction]:
    return [mention.number for mention in chosen.mentions]


def _number(fact: Fact) -> Plan:
    return gold_steps.number_of(fact.mention)


def _argument_mention(fact: Fact) -> Mention:
    """The fact's value at the span of its argument, which is the answer."""
    return replace(fact.mention, span=fact.argument)
