"""Gold gold_steps: programs together with what each of their modules must point at.

A step's pick holds where its attention comes to lie and the numbers or dates it takes or gives;
that of find-max-num and find-min-num holds all the numbers to choose from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.supervision.derivation import Plan, Span, StepTarget, plan
from workings.values import Date, earlier


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase of the passage with the number or the dates it stands beside, if any."""

    span: Span
    number: Fraction = Fraction(0)
    dates: tuple[Date, ...] = ()


def outcome(step: Plan) -> StepTarget:
    """What the topmost module of a plan comes to."""
    return step.targets[0]


def _spans(mentions: Sequence[Mention]) -> list[Span]:
    return sorted(mention.span for mention in mentions)


def find(*mentions: Mention) -> Plan:
    """Look at all these mentions."""
    return plan("find", spans=_spans(mentions))


def keep(seen: Plan, kept: Sequence[Mention]) -> Plan:
    """Of what was seen, look at the kept mentions only."""
    return plan("filter", seen, spans=_spans(kept))


def extreme(seen: Plan, kept: Sequence[Mention], largest: bool) -> Plan:
    """Of the kept mentions, all of them seen, the one with the largest or smallest number."""
    best = (max if largest else min)(kept, key=lambda mention: mention.number)
    numbers = sorted({mention.number for mention in kept})
    name = "find-max-num" if largest else "find-min-num"
    return plan(name, seen, numbers=numbers, spans=[best.span])


def find_num(seen: Plan, number: Fraction) -> Plan:
    return plan("find-num", seen, numbers=[number])


def extreme_num(seen: Plan, kept: Sequence[Mention], largest: bool) -> Plan:
    """The largest or smallest number itself."""
    best = extreme(seen, kept, largest)
    return find_num(best, outcome(best).numbers[-1 if largest else 0])


def number_of(mention: Mention) -> Plan:
    """The number beside one mention."""
    return find_num(find(mention), mention.number)


def constant(number: int) -> Plan:
    """A number every passage is given, such as the 100 of a hundred per cent."""
    return find_num(plan("find"), Fraction(number))


def count(seen: Plan) -> Plan:
    spans = outcome(seen).spans
    return plan("count", seen, numbers=[Fraction(len(spans))], spans=spans)


def add(first: Plan, second: Plan) -> Plan:
    return plan("add", first, second, numbers=[_number(first) + _number(second)])


def sub(first: Plan, second: Plan) -> Plan:
    return plan("sub", first, second, numbers=[_number(first) - _number(second)])


def _number(step: Plan) -> Fraction:
    (number,) = outcome(step).numbers
    return number


def compare_num(first: Mention, second: Mention, *, more: bool) -> Plan:
    """The name beside the larger (or smaller) of two numbers."""
    winner = first if (first.number > second.number) == more else second
    finds = (plan("find", numbers=[m.number], spans=[m.span]) for m in (first, second))
    name = "compare-num-gt" if more else "compare-num-lt"
    return span(plan(name, *finds, spans=[winner.span]), winner.span)


def compare_date(first: Mention, second: Mention, *, before: bool) -> Plan:
    """The event with the earlier (or later) of two dates."""
    winner = first if earlier(first.dates[0], second.dates[0]) == before else second
    name = "compare-date-lt" if before else "compare-date-gt"
    return span(plan(name, *_dated(first, second), spans=[winner.span]), winner.span)


def time_diff(*events: Mention) -> Plan:
    """Years between two events, or from the start to the end of one."""
    start, end = sorted(date.year or 0 for event in events for date in event.dates)
    return plan("time-diff", *_dated(*events), numbers=[Fraction(end - start)])


def _dated(*events: Mention) -> list[Plan]:
    return [plan("find", dates=event.dates, spans=[event.span]) for event in events]


def relocate(seen: Plan, target: Span) -> Plan:
    """The argument that goes with what was seen, as an answer."""
    return span(plan("relocate", seen, spans=[target]), target)


def span(seen: Plan, answer: Span) -> Plan:
    return plan("span", seen, spans=[answer])


def spans(seen: Plan) -> Plan:
    return plan("spans", seen, spans=outcome(seen).spans)
