"""Builders of plans, one for each module. No other file names the modules.

The modules that the registry can find by their attributes are not named at all: comparisons,
extremes, and operations other than addition and subtraction.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import Literal, TypeAlias

from workings.supervision.derivation import Plan, plan
from workings.values import CharSpan, ClockUnit, Date, Timing

TimeUnit: TypeAlias = Literal["years", "months", "days"]

# Evidence with these operations has rules of its own.
PRODUCT, QUOTIENT, PERCENT, PERCENT_CHANGE = "mul", "div", "percent", "percent-change"
NAMED_OPERATIONS = frozenset((PRODUCT, QUOTIENT, PERCENT, PERCENT_CHANGE))

_DIFFERENCES: dict[TimeUnit, str] = {
    "years": "time-diff",
    "months": "months-diff",
    "days": "days-diff",
}


def find(
    *,
    numbers: Sequence[Fraction] = (),
    dates: Sequence[Date] = (),
    spans: Sequence[CharSpan] = (),
    timings: Sequence[Timing] = (),
) -> Plan:
    """Find events by the words of the question."""
    return plan("find", numbers=numbers, dates=dates, spans=spans, timings=timings)


def filter_events(events: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Keep those events that further words of the question describe."""
    return plan("filter", events, spans=spans)


def relocate(events: Plan, spans: Sequence[CharSpan]) -> Plan:
    """Find an argument of the events, such as the player."""
    return plan("relocate", events, spans=spans)


def find_number(events: Plan, value: Fraction) -> Plan:
    """Find the number that belongs to the events."""
    return plan("find-num", events, numbers=(value,))


def find_date(events: Plan, date: Date) -> Plan:
    """Find the date that belongs to the events."""
    return plan("find-date", events, dates=(date,))


def question_number(value: Fraction) -> Plan:
    """A number that the question states."""
    return plan("question-num", numbers=(value,))


def hundred() -> Plan:
    """The constant 100, the whole of a percentage."""
    return plan("hundred", numbers=(Fraction(100),))


def one() -> Plan:
    """The constant 1, one more or one less."""
    return plan("one", numbers=(Fraction(1),))


def unknown() -> Plan:
    """The passage does not contain the answer."""
    return plan("unknown")


def keep_above(events: Plan, threshold: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Keep the events whose own number is above a threshold; ``spans`` are their mentions."""
    return plan("filter-num-gt", events, threshold, spans=spans)


def keep_below(events: Plan, threshold: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Keep the events whose own number is below a threshold; ``spans`` are their mentions."""
    return plan("filter-num-lt", events, threshold, spans=spans)


def total(events: Plan, members: Sequence[Fraction]) -> Plan:
    """The sum of the numbers of a set of events."""
    return plan("sum", events, numbers=(sum(members, Fraction(0)),), members=members)


def average(events: Plan, members: Sequence[Fraction]) -> Plan:
    """The average of the numbers of a set of events."""
    mean = sum(members, Fraction(0)) / len(members)
    return plan("average", events, numbers=(mean,), members=members)


def find_extreme(
    module: str,
    events: Plan,
    candidates: Sequence[Fraction],
    spans: Sequence[CharSpan] = (),
    rank: Plan | None = None,
) -> Plan:
    """Find the event with the largest or smallest of some candidate numbers.

    Args:
        module: The module, by ``module_lookup.extreme_name`` or by the words of the question.
        events: The plan that finds the events.
        candidates: The numbers of the events.
        spans: Where the extreme event is mentioned, if known.
        rank: The plan of the rank, for the second largest and so on.
    """
    inputs = (events,) if rank is None else (events, rank)
    return plan(module, *inputs, numbers=candidates, spans=spans)


def count(events: Plan, number: int | None = None, spans: Sequence[CharSpan] = ()) -> Plan:
    """Count events; ``number`` and ``spans`` are their number and mentions, if known."""
    return plan("count", events, numbers=() if number is None else (Fraction(number),), spans=spans)


def combine(module: str, left: Plan, right: Plan, result: Fraction) -> Plan:
    """Combine two numbers by the operation of a module."""
    return plan(module, left, right, numbers=(result,))


def add(left: Plan, right: Plan) -> Plan:
    """Add two numbers."""
    return combine("add", left, right, result_of(left) + result_of(right))


def subtract(left: Plan, right: Plan, difference: Fraction | None = None) -> Plan:
    """Subtract the second number from the first; ``difference`` is needed if they are unknown."""
    if difference is None:
        difference = result_of(left) - result_of(right)
    return combine("sub", left, right, difference)


def multiply(left: Plan, right: Plan) -> Plan:
    """Multiply two numbers."""
    return combine(PRODUCT, left, right, result_of(left) * result_of(right))


def divide(left: Plan, right: Plan) -> Plan:
    """Divide the first number by the second, which is not 0."""
    return combine(QUOTIENT, left, right, result_of(left) / result_of(right))


def percent(part: Plan, whole: Plan) -> Plan:
    """A part of a whole, which is not 0, in per cent."""
    return combine(PERCENT, part, whole, 100 * result_of(part) / result_of(whole))


def percent_change(after: Plan, before: Plan) -> Plan:
    """The size of the change from one number, which is not 0, to another, in per cent."""
    change = (result_of(after) - result_of(before)) / result_of(before)
    return combine(PERCENT_CHANGE, after, before, abs(100 * change))


def time_between(*events: Plan, amount: Fraction, unit: TimeUnit = "years") -> Plan:
    """The time between two events, or from the beginning to the end of one."""
    return plan(_DIFFERENCES[unit], *events, numbers=(amount,))


def clock_distance(*events: Plan, amount: Fraction, unit: ClockUnit) -> Plan:
    """The time between two clock times of two events or of one, or between two durations."""
    return plan(f"{unit}-diff", *events, numbers=(amount,))


def duration_in(
    unit: ClockUnit, timing: Timing, amount: Fraction, spans: Sequence[CharSpan] = ()
) -> Plan:
    """A duration of the passage in a unit; ``spans`` are the mentions of its event, if known."""
    return plan(f"in-{unit}", find(timings=(timing,), spans=spans), numbers=(amount,))


def compare(module: str, first: Plan, second: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Choose one of two events by their numbers or dates.

    Args:
        module: The module, by ``module_lookup.comparison_name`` or by the words of the question.
        first: The plan that finds the first event of the question.
        second: The plan that finds the second event.
        spans: Where the chosen event is mentioned, if known.
    """
    return plan(module, first, second, spans=spans)


def answer_span(events: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Answer with one span of the passage."""
    return plan("span", events, spans=spans)


def answer_spans(events: Plan, spans: Sequence[CharSpan] = ()) -> Plan:
    """Answer with several spans of the passage."""
    return plan("spans", events, spans=spans)


def find_described(*, filtered: bool, spans: Sequence[CharSpan] = ()) -> Plan:
    """Find events, and filter them if the question restricts them; ``spans`` are their mentions."""
    return filter_events(find(), spans) if filtered else find(spans=spans)


def number_of(value: Fraction, *, filtered: bool = False) -> Plan:
    """A number of the passage, at the events that the question describes."""
    return find_number(find_described(filtered=filtered), value)


def extreme_number(
    value: Fraction, module: str, candidates: Sequence[Fraction], *, filtered: bool = False
) -> Plan:
    """The largest or smallest of some candidate numbers of the passage."""
    return find_number(find_extreme(module, find_described(filtered=filtered), candidates), value)


def compare_values(module: str, values: Sequence[Date | Fraction]) -> Plan:
    """The one of two events, in the order of the question, that a comparison chooses."""
    first, second = (
        find(dates=(value,)) if isinstance(value, Date) else find(numbers=(value,))
        for value in values
    )
    return answer_span(compare(module, first, second))


def difference_of_counts(difference: Fraction) -> Plan:
    """The difference of two counts that are not known themselves."""
    counted = count(find_described(filtered=True))
    return subtract(counted, counted, difference)


def difference(added: Sequence[Plan], subtracted: Sequence[Plan]) -> Plan:
    """Add some numbers and subtract the sum of others: a - (b + c)."""
    whole = reduce(add, added)
    return subtract(whole, reduce(add, subtracted)) if subtracted else whole


def result_of(step: Plan) -> Fraction:
    """The number that a plan gives."""
    return step.root_target.numbers[0]
