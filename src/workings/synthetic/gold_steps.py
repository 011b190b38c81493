"""Gold steps: plans in which every step has its target, built from mentions of the passage.

The target of a step has the spans that it must attend to, and the numbers or dates that it finds
or gives. The target of an extreme has all the numbers to choose from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.supervision import plans
from workings.supervision.derivation import Plan
from workings.supervision.module_lookup import comparison_name, extreme_name
from workings.values import (
    CharSpan,
    ClockUnit,
    Date,
    Timing,
    amount_of,
    days_between,
    earlier,
    months_between,
    time_apart,
    time_from,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase of the passage with the number, dates or times that belong to it, if any."""

    span: CharSpan
    number: Fraction = Fraction(0)
    dates: tuple[Date, ...] = ()
    timings: tuple[Timing, ...] = ()


def find(*mentions: Mention) -> Plan:
    """Attend to some mentions."""
    return plans.find(spans=_spans(mentions))


def filter_mentions(events: Plan, mentions: Sequence[Mention]) -> Plan:
    """Attend to those of the events that are mentioned by ``mentions``."""
    return plans.filter_events(events, _spans(mentions))


def extreme(events: Plan, mentions: Sequence[Mention], *, largest: bool) -> Plan:
    """Attend to the mention with the largest or smallest number.

    Args:
        events: The plan that attends to the mentions.
        mentions: The mentions to choose from.
        largest: Whether to choose the largest number; otherwise the smallest.
    """
    best = (max if largest else min)(mentions, key=lambda mention: mention.number)
    numbers = sorted({mention.number for mention in mentions})
    return plans.find_extreme(extreme_name(smallest=not largest), events, numbers, [best.span])


def extreme_number(events: Plan, mentions: Sequence[Mention], *, largest: bool) -> Plan:
    """The largest or smallest number of some mentions."""
    best = extreme(events, mentions, largest=largest)
    return plans.find_number(best, best.root_target.numbers[-1 if largest else 0])


def ranked(events: Plan, mentions: Sequence[Mention], *, largest: bool, place: int) -> Plan:
    """Attend to the mention with the second, third, … largest or smallest number.

    Args:
        events: The plan that attends to the mentions.
        mentions: The mentions to choose from, of different numbers.
        largest: Whether to count from the largest number; otherwise from the smallest.
        place: The place, which the question states.
    """
    order = sorted(mentions, key=lambda mention: mention.number, reverse=largest)
    return plans.find_extreme(
        extreme_name(smallest=not largest),
        events,
        sorted({mention.number for mention in mentions}),
        [order[place - 1].span],
        plans.question_number(Fraction(place)),
    )


def ranked_number(events: Plan, mentions: Sequence[Mention], *, largest: bool, place: int) -> Plan:
    """The second, third, … largest or smallest number of some mentions."""
    order = sorted((mention.number for mention in mentions), reverse=largest)
    best = ranked(events, mentions, largest=largest, place=place)
    return plans.find_number(best, order[place - 1])


def above(events: Plan, mentions: Sequence[Mention], limit: int) -> Plan:
    """Attend to the mentions whose number is above a number of the question."""
    kept = [mention for mention in mentions if mention.number > limit]
    return plans.keep_above(events, plans.question_number(Fraction(limit)), _spans(kept))


def below(events: Plan, mentions: Sequence[Mention], limit: int) -> Plan:
    """Attend to the mentions whose number is below a number of the question."""
    kept = [mention for mention in mentions if mention.number < limit]
    return plans.keep_below(events, plans.question_number(Fraction(limit)), _spans(kept))


def number_of(mention: Mention) -> Plan:
    """The number of one mention."""
    return plans.find_number(find(mention), mention.number)


def count(events: Plan) -> Plan:
    """The number of mentions that a plan attends to."""
    spans = events.root_target.spans
    return plans.count(events, len(spans), spans)


def compare_numbers(first: Mention, second: Mention, *, larger: bool) -> Plan:
    """The mention with the larger or smaller of two numbers, as the answer."""
    winner = first if (first.number > second.number) == larger else second
    left, right = (plans.find(numbers=[m.number], spans=[m.span]) for m in (first, second))
    module = comparison_name("num", smaller=not larger)
    return answer_span(plans.compare(module, left, right, [winner.span]), winner.span)


def compare_dates(first: Mention, second: Mention, *, earliest: bool) -> Plan:
    """The mention with the earlier or later of two dates, as the answer."""
    winner = first if earlier(first.dates[0], second.dates[0]) == earliest else second
    left, right = map(_find_dated, (first, second))
    module = comparison_name("date", smaller=earliest)
    return answer_span(plans.compare(module, left, right, [winner.span]), winner.span)


def time_between(*events: Mention, unit: plans.TimeUnit = "years") -> Plan:
    """The time between two events, or from the start to the end of one."""
    first, second = (date for event in events for date in event.dates)
    amount = {
        "years": abs((first.year or 0) - (second.year or 0)),
        "months": months_between(first, second),
        "days": days_between(first, second),
    }[unit]
    assert amount is not None, "a part of a date is missing"
    return plans.time_between(*map(_find_dated, events), amount=Fraction(amount), unit=unit)


def clock_distance(*events: Mention, unit: ClockUnit) -> Plan:
    """The time between the times of two events, or from the start to the end of one."""
    end, start = (timing for event in events for timing in event.timings)
    amount = time_from(start, end, unit) if len(events) == 1 else time_apart(end, start, unit)
    assert amount is not None, "one is a clock time, the other a duration"
    finds = (plans.find(timings=event.timings, spans=[event.span]) for event in events)
    return plans.clock_distance(*finds, amount=amount, unit=unit)


def duration_in(event: Mention, unit: ClockUnit) -> Plan:
    """The duration of an event in a unit."""
    amount = amount_of(event.timings[0], unit)
    assert amount is not None, "it is a clock time"
    return plans.duration_in(unit, event.timings[0], amount, [event.span])


def argument(events: Plan, target: CharSpan) -> Plan:
    """An argument of the event that a plan attends to, as the answer."""
    return answer_span(plans.relocate(events, [target]), target)


def answer_span(events: Plan, answer: CharSpan) -> Plan:
    """Answer with one span."""
    return plans.answer_span(events, [answer])


def answer_spans(events: Plan) -> Plan:
    """Answer with every span that a plan attends to."""
    return plans.answer_spans(events, events.root_target.spans)


def _spans(mentions: Sequence[Mention]) -> list[CharSpan]:
    return sorted(mention.span for mention in mentions)


def _find_dated(event: Mention) -> Plan:
    return plans.find(dates=event.dates, spans=[event.span])
