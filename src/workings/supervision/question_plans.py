"""Plans whose shape depends on the words of the question."""

from collections.abc import Sequence
from fractions import Fraction

from workings.supervision import plans
from workings.supervision.conditions import Condition, conditions_met, keep, without_conditions
from workings.supervision.derivation import Plan
from workings.supervision.module_lookup import extreme_of
from workings.supervision.question_patterns import (
    extreme_modules,
    names_earlier_first,
    names_two_events,
    needs_filter,
    without_ranks,
)
from workings.values import CharSpan, Date, earlier


def count_plan(
    question: str,
    count: int,
    spans: Sequence[CharSpan] = (),
    conditions: Sequence[Condition] = (),
) -> Plan:
    """The number of events that a question describes.

    Args:
        question: The question.
        count: The number of events.
        spans: Where the events are mentioned, if known.
        conditions: The conditions that the numbers of the events meet.
    """
    filtered = needs_filter(without_conditions(question, conditions))
    found = plans.find_described(filtered=filtered, spans=() if conditions else spans)
    return plans.count(keep(found, conditions, spans), count, spans)


def count_sum_plan(added: Sequence[Fraction], subtracted: Sequence[Fraction]) -> Plan:
    """The sum or the difference of two counts."""
    first, second = (
        plans.count(plans.find_described(filtered=True), int(term))
        for term in (*added, *subtracted)
    )
    return plans.subtract(first, second) if subtracted else plans.add(first, second)


def sum_plan(question: str, added: Sequence[Fraction], subtracted: Sequence[Fraction]) -> Plan:
    """The program that adds some numbers of the passage and subtracts others."""
    operands = operand_plans(question, (*added, *subtracted))
    return plans.difference(operands[: len(added)], operands[len(added) :])


def rest_plan(question: str, parts: Sequence[Fraction]) -> Plan:
    """100 minus the parts of a whole, in per cent."""
    return plans.difference([plans.hundred()], operand_plans(question, parts))


def operand_plans(question: str, values: Sequence[Fraction]) -> list[Plan]:
    """The plan of each operand: a find, or an extreme if the question asks for one."""
    extremes = _extremes_by_operand(question, values)
    return [
        plans.extreme_number(value, extremes[index], (value,))
        if index in extremes
        else plans.number_of(value)
        for index, value in enumerate(values)
    ]


def interval_plan(
    question: str, dates: tuple[Date, Date], amount: Fraction, unit: plans.TimeUnit = "years"
) -> Plan:
    """The time between two dates, of two events in the order of the question or of one event."""
    late, early = dates if earlier(dates[1], dates[0]) else dates[::-1]
    ordered = (early, late) if names_earlier_first(question) else (late, early)
    groups = [(date,) for date in ordered] if names_two_events(question) else [(late, early)]
    events = (plans.find(dates=group) for group in groups)
    return plans.time_between(*events, amount=amount, unit=unit)


def extreme_plan(
    question: str, module: str, candidates: Sequence[Fraction], rank: Fraction | None = None
) -> Plan:
    """The event with the largest or smallest of some numbers, or with one of a given rank.

    Args:
        question: The question.
        module: The extreme module.
        candidates: The numbers of the events.
        rank: The rank that the question states; None for the first.
    """
    conditions = conditions_met(question, candidates)
    filtered = needs_filter(without_ranks(without_conditions(question, conditions)))
    events = keep(plans.find_described(filtered=filtered), conditions)
    stated = None if rank is None else plans.question_number(rank)
    return plans.find_extreme(module, events, candidates, rank=stated)


def argument_plan(
    question: str,
    answers: Sequence[CharSpan],
    spans: Sequence[CharSpan] = (),
    numbers: Sequence[Fraction] = (),
) -> Plan:
    """The argument of the event that a question describes, such as the player.

    Args:
        question: The question.
        answers: Where the answer is mentioned.
        spans: Where the event is mentioned, if known.
        numbers: The number of the event, if known and if the question asks for an extreme.
    """
    filtered, extremes = needs_filter(question), extreme_modules(question)
    if extremes:
        events = plans.find_described(filtered=filtered)
        event = plans.find_extreme(extremes[0], events, numbers, spans)
    else:
        event = plans.find_described(filtered=filtered, spans=spans)
    return plans.answer_span(plans.relocate(event, answers))


def _extremes_by_operand(question: str, values: Sequence[Fraction]) -> dict[int, str]:
    """The extreme module of each operand that has one, by the operand's index."""
    asked = extreme_modules(question) if values else ()
    if len(asked) == len(values) and len(set(asked)) == 1:
        return dict(enumerate(asked))
    return {list(values).index(extreme_of(module, values)): module for module in asked}
