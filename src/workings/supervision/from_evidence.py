"""Rules that derive answers from evidence.

A rule reads evidence in one way, and gives the plans that agree with it and with the answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias, TypeVar

from workings.supervision import plans
from workings.supervision.case import MAX_COUNT, Case
from workings.supervision.derivation import Plan, Span
from workings.supervision.evidence import EvidenceItem
from workings.supervision.expressions import match_operands
from workings.supervision.module_lookup import (
    Compared,
    comparison_name,
    extreme_of,
    other_operations,
)
from workings.supervision.question_patterns import (
    alternatives,
    asks_to_count,
    asks_who,
    chosen_alternative,
    comparison_module,
    extreme_modules,
    needs_filter,
)
from workings.supervision.question_plans import (
    argument_plan,
    count_plan,
    count_sum_plan,
    operand_plans,
    sum_plans,
    years_plan,
)
from workings.values import Date, earlier, years_between

Rule: TypeAlias = Callable[[Case], Iterable[Plan]]

MAX_OPERANDS = 3

_T = TypeVar("_T")

_MEASURE = re.compile(r"^\W*[\w.,]+[\s-]*(?:yards?|yds?)\b", re.IGNORECASE)


def derive_from_evidence(case: Case) -> list[Plan]:
    """The plans of the first rule of the question's kind that gives any."""
    if not case.question.evidence.strip():
        return []
    results = (list(rule(case)) for rule in _RULES[case.question.kind])
    return next((found for found in results if found), [])


def is_out_of_reach(case: Case) -> bool:
    """Whether evidence gives the answer as a sum.

    If no rule derives that sum, it has too many terms, or terms that the passage does not state.
    Whatever else gives the same number is then wrong.
    """
    return len(case.evidence.terms) > 1 and abs(case.evidence.total) == case.answer_number


def sum_rule(case: Case) -> Iterator[Plan]:
    """``34-21``: a sum of numbers of the passage, or of counts."""
    added, subtracted = case.evidence.added, case.evidence.subtracted
    if case.answer_number is None or not 2 <= len(case.evidence.terms) <= MAX_OPERANDS:
        return
    if subtracted and case.evidence.total == -case.answer_number:
        added, subtracted = subtracted, added
    elif case.evidence.total != case.answer_number:
        return
    terms = (*added, *subtracted)
    if len(terms) == 2 and asks_to_count(case.question.text) and all(map(_is_count, terms)):
        yield count_sum_plan(added, subtracted)
    if case.operands.issuperset(terms):
        yield from sum_plans(case.question.text, added, subtracted)


def operation_rule(case: Case) -> Iterator[Plan]:
    """``12*350``: the formula of a module, over two numbers of the passage."""
    expression = case.evidence.expression
    if expression is None or case.answer_number is None:
        return
    for module, operation in other_operations():
        operands = match_operands(operation.tree, expression)
        if operands is None or not case.numbers.issuperset(operands):
            continue
        if operation.exact(*operands) == case.answer_number:
            left, right = operand_plans(case.question.text, operands)
            yield plans.combine(module.name, left, right, case.answer_number)


def years_rule(case: Case) -> Iterator[Plan]:
    """``1689-1683``: the years between two dates of the passage."""
    added, subtracted = case.evidence.added, case.evidence.subtracted
    dates = case.evidence.date_pair
    if len(added) == len(subtracted) == 1 and not dates:
        dates = tuple(Date(int(term), None, None) for term in (*added, *subtracted))
    if len(dates) != 2 or "year" not in case.question.text.lower():
        return
    for first, second in product(*map(case.dates_like, dates)):
        if years_between(first, second) in (case.answer_number, -(case.answer_number or 0)):
            yield years_plan(case.question.text, (first, second))


def days_rule(case: Case) -> Iterator[Plan]:
    """``July 19-July 17``: the days between two dates of one month."""
    dates = case.evidence.date_pair
    days = sorted(Fraction(date.day) for date in dates if date.day is not None)
    months = {(date.year, date.month) for date in dates}
    if "day" not in case.question.text.lower() or len(days) != 2 or len(months) != 1:
        return
    if days[1] - days[0] == case.answer_number and case.numbers.issuperset(days):
        yield from sum_plans(case.question.text, days[1:], days[:1])


def count_rule(case: Case) -> Iterator[Plan]:
    """``33-yard;30-yard``: as many mentions as the answer says."""
    count, items = case.answer_count, () if case.evidence.is_none else case.evidence.items
    if count is None or len(items) != count or _states_count(items, count):
        return
    yield count_plan(case.question.text, count, _distinct_spans(case, items))


def stated_number_rule(case: Case) -> Iterator[Plan]:
    """``53;24;40``: a number of the passage, the first of some candidates."""
    items, number = case.evidence.items, case.answer_number
    if not items or number not in items[0].numbers or number not in case.numbers:
        return
    if len(case.evidence.terms) > 2:
        return
    assert number is not None
    in_passage = [n for item in items for n in item.numbers if n in case.numbers]
    candidates = tuple(dict.fromkeys((number, *in_passage)))
    filtered, asked = needs_filter(case.question.text), set(extreme_modules(case.question.text))
    if len(asked) == 1 and extreme_of(module := asked.pop(), candidates) == number:
        yield plans.extreme_number(number, module, candidates, filtered=filtered)
    else:
        yield plans.number_of(number, filtered=filtered)


def compare_dates_rule(case: Case) -> Iterator[Plan]:
    """``1595;1596``: the dates of the two alternatives."""
    for first, second in _pairs(
        case, lambda item: [like for date in item.dates for like in case.dates_like(date)]
    ):
        if earlier(first, second) or earlier(second, first):
            module = _comparison(case, "date", first_is_smaller=earlier(first, second))
            if module:
                yield plans.compare_values(module, (first, second))


def compare_numbers_rule(case: Case) -> Iterator[Plan]:
    """``48.9;51.1``: the numbers of the two alternatives."""
    for first, second in _pairs(
        case, lambda item: [number for number in item.numbers if number in case.numbers]
    ):
        if first != second:
            module = _comparison(case, "num", first_is_smaller=first < second)
            if module:
                yield plans.compare_values(module, (first, second))


def argument_rule(case: Case) -> Iterator[Plan]:
    """``53-yard field goal``: the event whose argument is the answer."""
    items = case.evidence.items
    if not case.answer_spans or not items:
        return
    spans = _nearest(_find(case, items[0]), case.answer_spans)
    numbers = [number for number in items[0].numbers if number in case.numbers][:1]
    if spans or (numbers and extreme_modules(case.question.text)):
        answers = _nearest(case.answer_spans, spans) or case.answer_spans
        yield argument_plan(case.question.text, answers, spans, numbers)


def player_rule(case: Case) -> Iterator[Plan]:
    """The argument rule for questions of no kind that ask who made a play."""
    return argument_rule(case) if asks_who(case.question.text) else iter(())


def span_rule(case: Case) -> Iterator[Plan]:
    """A phrase of the passage: of all mentions of the answer, those nearest to it are meant."""
    phrases = tuple(span for item in case.evidence.items for span in _find(case, item))
    spans = [_nearest(case.passage.find(answer), phrases) for answer in case.answer.spans]
    if spans and all(spans):
        answer = plans.answer_span if len(spans) == 1 else plans.answer_spans
        yield answer(plans.find(spans=sorted(set(sum(spans, ())))))


def _comparison(case: Case, compared: Compared, *, first_is_smaller: bool) -> str | None:
    """The module that chooses the answer; None if the words of the question ask for another."""
    offered, answer = alternatives(case.question.text), " ".join(case.answer.spans)
    chosen = chosen_alternative(offered, answer) if offered else None
    asked = comparison_module(case.question.text, compared)
    if chosen is None:
        return asked
    needed = comparison_name(compared, smaller=first_is_smaller == (chosen == 0))
    return needed if asked in (needed, None) else None


def _pairs(case: Case, values: Callable[[EvidenceItem], list[_T]]) -> Iterator[tuple[_T, _T]]:
    """Pairs of a value of the first alternative and one of the second."""
    items = case.evidence.items
    if len(items) == 2 and len(case.answer.spans) == 1 and alternatives(case.question.text):
        yield from product(values(items[0]), values(items[1]))


def _is_count(term: Fraction) -> bool:
    return term.denominator == 1 and 0 <= term <= MAX_COUNT


def _states_count(items: tuple[EvidenceItem, ...], count: int) -> bool:
    """Whether a single mention states the count: "1 interception" does, "1-yard run" does not."""
    return count == 1 and 1 in items[0].numbers and not _MEASURE.match(items[0].text)


def _distinct_spans(case: Case, items: Iterable[EvidenceItem]) -> tuple[Span, ...]:
    """A different span for each item; empty if any item has none."""
    spans: list[Span] = []
    for item in items:
        unused = [span for span in _find(case, item) if span not in spans]
        if not unused:
            return ()
        spans.append(unused[0])
    return tuple(sorted(spans))


def _find(case: Case, item: EvidenceItem) -> tuple[Span, ...]:
    """The mentions of an item: its exact words, else its number, else most of its words."""
    exact = case.passage.find(item.text)
    if exact:
        return exact
    by_number = [(n.start, n.end) for n in case.values.numbers if n.value in item.numbers[:1]]
    approximate = case.passage.find_approximate(item.text)
    return tuple(by_number) or ((approximate,) if approximate else ())


def _nearest(spans: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    """The span that is nearest to any of the others."""
    if not spans or not others:
        return ()
    return (min(spans, key=lambda span: min(_gap(span, other) for other in others)),)


def _gap(first: Span, second: Span) -> int:
    return max(0, first[0] - second[1], second[0] - first[1])


_NUMERIC: tuple[Rule, ...] = (
    operation_rule, years_rule, days_rule, sum_rule, count_rule, stated_number_rule,
)  # fmt: skip
_RULES: dict[str | None, tuple[Rule, ...]] = {
    "date-compare": (compare_dates_rule,),
    "number-compare": (compare_numbers_rule,),
    "extract-number": (operation_rule, stated_number_rule, sum_rule),
    "count": (operation_rule, count_rule, sum_rule, stated_number_rule),
    "extract-argument": (argument_rule,),
    "date-difference": (operation_rule, years_rule, stated_number_rule, sum_rule),
    "add-sub": (operation_rule, sum_rule, years_rule, stated_number_rule, count_rule),
    None: (compare_dates_rule, compare_numbers_rule, *_NUMERIC, player_rule, span_rule),
}
