"""Derivations that an annotator's evidence singles out."""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias, TypeVar

from workings.supervision.case import MAX_COUNT, Case
from workings.supervision.derivation import Plan, Span, plan
from workings.supervision.evidence import Item
from workings.supervision.plans import (
    argument_plan,
    comparison_plan,
    count_plan,
    count_sum_plan,
    extreme_plan,
    lapse_plan,
    number_plan,
    sum_plans,
)
from workings.supervision.question_patterns import (
    asks_to_count,
    asks_who,
    chosen,
    comparison,
    extremes,
    options,
    sought,
)
from workings.values import Date, earlier, years_between

Rule: TypeAlias = Callable[[Case], Iterable[Plan]]

MAX_OPERANDS = 3

_T = TypeVar("_T")

_MEASURE = re.compile(r"^\W*[\w.,]+[\s-]*(?:yards?|yds?)\b", re.IGNORECASE)


def beyond_reach(case: Case) -> bool:
    """Whether the answer is a sum of too many numbers, or of some the passage does not state.

    What else gives the same number is then known to be wrong.
    """
    terms = len(case.evidence.gains) + len(case.evidence.losses)
    return terms > 1 and abs(case.evidence.total) == case.number


def by_evidence(case: Case) -> list[Plan]:
    """The plans of the first reading of the evidence that gives the answer."""
    if not case.question.evidence.strip():
        return []
    found = (list(rule(case)) for rule in _RULES[case.question.kind])
    return next((plans for plans in found if plans), [])


def summed(case: Case) -> Iterator[Plan]:
    """``34-21``: a sum over the passage's numbers, or over things to count."""
    gains, losses = case.evidence.gains, case.evidence.losses
    if case.number is None or not 2 <= len(gains) + len(losses) <= MAX_OPERANDS:
        return
    if losses and case.evidence.total == -case.number:
        gains, losses = losses, gains
    elif case.evidence.total != case.number:
        return
    terms = (*gains, *losses)
    if len(terms) == 2 and asks_to_count(case.question.text) and all(map(_countable, terms)):
        yield count_sum_plan(gains, losses)
    if case.operands.issuperset(terms):
        yield from sum_plans(case.question.text, gains, losses)


def lapsed(case: Case) -> Iterator[Plan]:
    """``1689-1683``: the years between two dates of the passage."""
    gains, losses = case.evidence.gains, case.evidence.losses
    sides = case.evidence.sides
    if len(gains) == len(losses) == 1 and not sides:
        sides = tuple(Date(int(term), None, None) for term in (*gains, *losses))
    if len(sides) != 2 or "year" not in case.question.text.lower():
        return
    for one, other in product(*map(case.dates_like, sides)):
        if years_between(one, other) in (case.number, -(case.number or 0)):
            yield lapse_plan(case.question.text, (one, other))


def days_passed(case: Case) -> Iterator[Plan]:
    """``July 19-July 17``: the days between two dates of one month."""
    days = sorted(Fraction(side.day) for side in case.evidence.sides if side.day is not None)
    months = {(side.year, side.month) for side in case.evidence.sides}
    if "day" not in case.question.text.lower() or len(days) != 2 or len(months) != 1:
        return
    if days[1] - days[0] == case.number and case.numbers.issuperset(days):
        yield from sum_plans(case.question.text, days[1:], days[:1])


def counted(case: Case) -> Iterator[Plan]:
    """``33-yard;30-yard``: as many mentions as the answer says."""
    items = () if case.evidence.nothing else case.evidence.items
    if case.count is None or len(items) != case.count or _states(items, case.count):
        return
    yield count_plan(case.count, _places(case, items), sought(case.question.text))


def stated(case: Case) -> Iterator[Plan]:
    """``53;24;40``: the answer stands in the passage, first among the candidates."""
    items = case.evidence.items
    if not items or case.number not in items[0].numbers or case.number not in case.numbers:
        return
    if len(case.evidence.gains) + len(case.evidence.losses) > 2:
        return
    assert case.number is not None
    firsts = [number for item in items for number in item.numbers if number in case.numbers]
    candidates = (case.number, *(n for n in dict.fromkeys(firsts) if n != case.number))
    modules = sought(case.question.text)
    for module, best in (("find-max-num", max), ("find-min-num", min)):
        if set(extremes(case.question.text)) == {module} and best(candidates) == case.number:
            yield extreme_plan(case.number, module, candidates, modules)
            return
    yield number_plan(case.number, modules)


def compared_dates(case: Case) -> Iterator[Plan]:
    """``1595;1596``: the dates of the two options."""
    for one, other in _pairs(
        case, lambda item: [d for k in item.dates for d in case.dates_like(k)]
    ):
        if earlier(one, other) or earlier(other, one):
            module = _comparison(case, "date", earlier(one, other))
            if module:
                yield comparison_plan(module, (one, other))


def compared_numbers(case: Case) -> Iterator[Plan]:
    """``48.9;51.1``: the numbers of the two options."""
    for one, other in _pairs(case, lambda item: [n for n in item.numbers if n in case.numbers]):
        if one != other:
            module = _comparison(case, "num", one < other)
            if module:
                yield comparison_plan(module, (one, other))


def pointed(case: Case) -> Iterator[Plan]:
    """``53-yard field goal``: the phrase that tells whom the question means."""
    items = case.evidence.items
    if not case.spans or not items:
        return
    spans = _nearest(_find(case, items[0]), case.spans)
    numbers = [number for number in items[0].numbers if number in case.numbers][:1]
    if spans or (numbers and extremes(case.question.text)):
        answers = _nearest(case.spans, spans) or case.spans
        yield argument_plan(case.question.text, answers, spans, numbers)


def pointed_at_player(case: Case) -> Iterator[Plan]:
    """The same where the question is of no kind but asks who made a play."""
    return pointed(case) if asks_who(case.question.text) else iter(())


def located(case: Case) -> Iterator[Plan]:
    """A phrase near which, among all mentions of the answer, the right ones stand."""
    phrases = tuple(span for item in case.evidence.items for span in _find(case, item))
    spans = [_nearest(case.text.find(answer), phrases) for answer in case.answer.spans]
    if spans and all(spans):
        root = "span" if len(spans) == 1 else "spans"
        yield plan(root, plan("find", spans=sorted(set(sum(spans, ())))))


def _comparison(case: Case, about: str, ascending: bool) -> str | None:
    """The module that singles out the answer's option, unless the words say the opposite."""
    offered, answer = options(case.question.text), " ".join(case.answer.spans)
    place = chosen(offered, answer) if offered else None
    said = comparison(case.question.text, about)
    if place is None:
        return said
    needed = f"compare-{about}-{'lt' if ascending == (place == 0) else 'gt'}"
    return needed if said in (needed, None) else None


def _pairs(case: Case, values: Callable[[Item], list[_T]]) -> Iterator[tuple[_T, _T]]:
    """The values of the first option with those of the second."""
    items = case.evidence.items
    if len(items) == 2 and len(case.answer.spans) == 1 and options(case.question.text):
        yield from product(values(items[0]), values(items[1]))


def _countable(term: Fraction) -> bool:
    return term.denominator == 1 and 0 <= term <= MAX_COUNT


def _states(items: tuple[Item, ...], count: int) -> bool:
    """Whether a single mention gives the number itself: "1 interception", not "1-yard run"."""
    return count == 1 and 1 in items[0].numbers and not _MEASURE.match(items[0].text)


def _places(case: Case, items: Iterable[Item]) -> tuple[Span, ...]:
    """A different place for each item, or none at all if one cannot be found."""
    places: list[Span] = []
    for item in items:
        free = [span for span in _find(case, item) if span not in places]
        if not free:
            return ()
        places.append(free[0])
    return tuple(sorted(places))


def _find(case: Case, item: Item) -> tuple[Span, ...]:
    """Where an item stands: word for word, else by its number, else by most of its words."""
    exact = case.text.find(item.text)
    if exact:
        return exact
    by_number = [(n.start, n.end) for n in case.values.numbers if n.value in item.numbers[:1]]
    loose = case.text.find_loosely(item.text)
    return tuple(by_number) or ((loose,) if loose else ())


def _nearest(spans: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    """The span that stands nearest to any of the others."""
    if not spans or not others:
        return ()
    return (min(spans, key=lambda span: min(_gap(span, other) for other in others)),)


def _gap(one: Span, other: Span) -> int:
    return max(0, one[0] - other[1], other[0] - one[1])


_NUMERIC: tuple[Rule, ...] = (lapsed, days_passed, summed, counted, stated)
_RULES: dict[str | None, tuple[Rule, ...]] = {
    "date-compare": (compared_dates,),
    "number-compare": (compared_numbers,),
    "extract-number": (stated, summed),
    "count": (counted, summed, stated),
    "extract-argument": (pointed,),
    "date-difference": (lapsed, stated, summed),
    "add-sub": (summed, lapsed, stated, counted),
    None: (compared_dates, compared_numbers, *_NUMERIC, pointed_at_player, located),
}
