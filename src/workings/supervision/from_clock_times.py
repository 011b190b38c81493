"""Rules that derive answers in hours, minutes or seconds from clock times and durations."""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations
from typing import TypeAlias

from workings.supervision import plans
from workings.supervision.case import Case
from workings.supervision.derivation import Plan
from workings.supervision.question_patterns import names_earlier_first, names_two_events
from workings.values import (
    ClockUnit,
    Timing,
    amount_of,
    are_durations,
    read_values,
    time_apart,
    time_from,
)

_Rule: TypeAlias = Callable[[Case, ClockUnit, Sequence[Timing]], Iterator[Plan]]

_IN_UNIT = re.compile(r"\bin\s(hour|minute|second)s\b", re.IGNORECASE)
_ASKED_UNIT = re.compile(
    r"\b(?:how\smany|number\sof)\s(?:[\w-]+\s){0,2}?(hour|minute|second)s?\b", re.IGNORECASE
)
_ANY_UNIT = re.compile(r"\b(hour|minute|second)s\b", re.IGNORECASE)
_UNITS: dict[str, ClockUnit] = {"h": "hours", "m": "minutes", "s": "seconds"}
# The smaller of two durations is named first.
_SMALLER_FIRST = re.compile(
    r"\b(?:faster|quicker|fastest|quickest|shorter|less|beat|under|ahead|behind|sooner|win|won|winner)\b",
    re.IGNORECASE,
)
_HALF_DAY = 12 * 3600


def clock_rule(case: Case) -> Iterator[Plan]:
    """``from 9:20 to 16:05``, ``3:33.6 - 3:31.2``, ``2 h 35 min``: in the unit asked for."""
    unit, answer = asked_unit(case.question.text), case.answer_number
    if unit is None or answer is None:
        return
    stated = _stated(case)
    rules: tuple[_Rule, ...] = (
        _stated_duration, _between, _sum_of_durations, _less_durations, _sum_of_times
    )  # fmt: skip
    for rule in rules:
        found = list(rule(case, unit, stated))
        if found:
            yield from found
            return


def asked_unit(question: str) -> ClockUnit | None:
    """The unit of time that a question asks for."""
    patterns = (_IN_UNIT, _ASKED_UNIT, _ANY_UNIT)
    match = next(filter(None, (pattern.search(question) for pattern in patterns)), None)
    return _UNITS[match[1][0].lower()] if match else None


def _stated(case: Case) -> list[Timing]:
    """The clock times and durations of the evidence that the passage has, in their order.

    Where the passage writes one in several ways, such as 5:30 and 5:30 pm, each is listed.
    """
    evidence = case.question.evidence
    mentions, known = read_values(evidence).timings, case.values.distinct_timings
    found = (timing for noted in mentions for timing in known if _alike(noted.timing, timing))
    return list(dict.fromkeys(found))


def _alike(noted: Timing, timing: Timing) -> bool:
    """Whether evidence may mean a timing of the passage; it seldom states the half of the day."""
    is_clock = [each.is_bare or not each.is_duration for each in (noted, timing)]
    if all(is_clock) and (noted.seconds - timing.seconds) % _HALF_DAY == 0:
        return True
    if noted.is_bare != timing.is_bare:
        bare, other = (noted, timing) if noted.is_bare else (timing, noted)
        return other.is_duration and other.seconds in (bare.seconds, bare.seconds / 60)
    return noted.is_duration == timing.is_duration and noted.seconds == timing.seconds


def _stated_duration(case: Case, unit: ClockUnit, stated: Sequence[Timing]) -> Iterator[Plan]:
    """``2 h 35 min``: a duration of the passage."""
    answer = case.answer_number
    assert answer is not None
    noted = {number for item in case.evidence.items for number in item.numbers}
    if answer in noted and answer in case.numbers:
        return  # the passage states the answer
    for timing in stated:
        if timing.is_duration and amount_of(timing, unit) == answer:
            yield plans.duration_in(unit, timing, answer)
            return


def _between(case: Case, unit: ClockUnit, stated: Sequence[Timing]) -> Iterator[Plan]:
    """``from 9:20 to 16:05``, ``3:33.6 - 3:31.2``: the time between two of the passage."""
    pairs = [pair for pair in permutations(stated, 2) if _gives(case, unit, *pair)]
    if not pairs:
        known = permutations(case.values.distinct_timings, 2)
        every = [pair for pair in known if _gives(case, unit, *pair)]
        if len({frozenset(pair) for pair in every}) == 1 and set(every[0]) & set(stated):
            pairs = every
    if pairs:
        yield distance_plan(case.question.text, unit, *pairs[0], _answer(case))


def _answer(case: Case) -> Fraction:
    assert case.answer_number is not None
    return case.answer_number


def _gives(case: Case, unit: ClockUnit, start: Timing, end: Timing) -> bool:
    answer = case.answer_number
    return answer in (time_from(start, end, unit), time_apart(end, start, unit))


def distance_plan(
    question: str, unit: ClockUnit, start: Timing, end: Timing, amount: Fraction
) -> Plan:
    """The time between two timings, of two events in the order of the question or of one event.

    Args:
        question: The question.
        unit: The unit that it asks for.
        start: The start, or one of two durations.
        end: The end, or the other duration.
        amount: The time between them.
    """
    is_apart = amount == time_apart(start, end, unit)
    is_within = amount == time_from(start, end, unit)
    if are_durations(start, end, unit):  # of two events
        ordered = sorted((start, end), key=lambda timing: timing.seconds)
        order = ordered if _SMALLER_FIRST.search(question) else ordered[::-1]
        within_one = False
    else:
        order = [start, end] if names_earlier_first(question) else [end, start]
        within_one = is_within and not names_two_events(question)
    if is_apart and not within_one:
        finds = (plans.find(timings=(timing,)) for timing in order)
        return plans.clock_distance(*finds, amount=amount, unit=unit)
    event = plans.find(timings=(end, start))
    return plans.clock_distance(event, amount=amount, unit=unit)


def _durations(unit: ClockUnit, stated: Sequence[Timing]) -> list[tuple[Timing, Fraction]]:
    amounts = [(timing, amount_of(timing, unit)) for timing in stated]
    return [(timing, amount) for timing, amount in amounts if amount is not None]


def _sum_of_durations(case: Case, unit: ClockUnit, stated: Sequence[Timing]) -> Iterator[Plan]:
    """``2 h + 1 h 30``: durations of the passage in sum."""
    durations = _durations(unit, stated)
    for size in (2, 3):
        chosen = durations[:size]
        if len(chosen) == size and sum(amount for _, amount in chosen) == case.answer_number:
            yield reduce(plans.add, (plans.duration_in(unit, *each) for each in chosen))
            return


def _less_durations(case: Case, unit: ClockUnit, stated: Sequence[Timing]) -> Iterator[Plan]:
    """``7:10 to 10:25 less 35 min``: the time between two clock times, less a duration."""
    clock = [timing for timing in stated if not timing.is_duration][:2]
    if len(clock) < 2:
        return
    whole = time_from(clock[0], clock[1], unit)
    for timing, amount in _durations(unit, [each for each in stated if each.is_duration]):
        if whole is not None and whole - amount == case.answer_number:
            event = plans.find(timings=clock[::-1])
            time = plans.clock_distance(event, amount=whole, unit=unit)
            yield plans.subtract(time, plans.duration_in(unit, timing, amount))
            return


def _sum_of_times(case: Case, unit: ClockUnit, stated: Sequence[Timing]) -> Iterator[Plan]:
    """``9:00-12:30 and 1:15-4:25``: two times of one event in sum."""
    clock = [timing for timing in stated if not timing.is_duration]
    if len(clock) != 4:
        return
    parts = [_within(start, end, unit) for start, end in (clock[:2], clock[2:])]
    if parts[0] is None or parts[1] is None:
        return
    both = plans.add(parts[0], parts[1])
    if plans.result_of(both) == case.answer_number:
        yield both


def _within(start: Timing, end: Timing, unit: ClockUnit) -> Plan | None:
    """The time from the start to the end of one event."""
    time = time_from(start, end, unit)
    if time is None:
        return None
    return plans.clock_distance(plans.find(timings=(end, start)), amount=time, unit=unit)
