"""Rules that derive answers from evidence.

A rule reads evidence in one way, and gives the plans that agree with it and with the answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias, TypeVar

from workings.supervision import plans
from workings.supervision.case import MAX_COUNT, Case
from workings.supervision.conditions import read_conditions
from workings.supervision.derivation import Plan
from workings.supervision.evidence import EvidenceItem
from workings.supervision.expression_plans import expression_plan
from workings.supervision.expressions import (
    BinaryExpression,
    match_operands,
    negated,
    value_of,
)
from workings.supervision.intervals import date_interval
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
    ranked_extreme,
)
from workings.supervision.question_plans import (
    argument_plan,
    count_plan,
    count_sum_plan,
    extreme_plan,
    interval_plan,
    operand_plans,
    sum_plan,
)
from workings.values import CharSpan, Date, earlier

Rule: TypeAlias = Callable[[Case], Iterable[Plan]]

_T = TypeVar("_T")

# A mention without a number has the nearest one, at most so many characters away.
_NEAR = 40
_MEASURE = re.compile(r"^\W*[\w.,]+[\s-]*(?:yards?|yds?)\b", re.IGNORECASE)


def derive_by_kind(case: Case) -> list[Plan]:
    """The plans of the first rule of the question's kind that gives any."""
    return first_plans(case, _RULES[case.question.kind])


def first_plans(case: Case, rules: Iterable[Rule]) -> list[Plan]:
    """The plans of the first rule that gives any."""
    results = (list(rule(case)) for rule in rules)
    return next((found for found in results if found), [])


def is_out_of_reach(case: Case) -> bool:
    """Whether evidence gives the answer by arithmetic, or from times of day.

    If no rule derives it, it has numbers that the passage does not state. Whatever else gives the
    same number is then wrong.
    """
    expression = case.evidence.expression
    value = None if expression is None else value_of(expression)
    is_computed = isinstance(expression, BinaryExpression) and value is not None
    is_time = case.question.type == "duration" and case.evidence.has_clock_time
    return is_time or (is_computed and value is not None and case.accepts(abs(value)))


def expression_rule(case: Case) -> Iterator[Plan]:
    """``34-21``, ``(34+21+18)/3``: arithmetic over numbers that the passage or question states."""
    expression = case.evidence.expression
    if isinstance(expression, BinaryExpression):
        yield from computed(case, expression)


def computed(case: Case, expression: BinaryExpression) -> Iterator[Plan]:
    """The plan of an expression, if the expression gives the answer.

    The distance of two numbers may be written either way round.
    """
    value = value_of(expression)
    if value is None or not case.accepts(abs(value)):
        return
    positive = expression if value >= 0 else negated(expression)
    found = None if positive is None else expression_plan(case, positive)
    if found is not None:
        yield found


def counts_rule(case: Case) -> Iterator[Plan]:
    """``3-1``: the sum or the difference of two counts."""
    added, subtracted = case.evidence.added, case.evidence.subtracted
    if len(case.evidence.terms) != 2 or not all(map(_is_count, case.evidence.terms)):
        return
    if case.evidence.total < 0:
        added, subtracted = subtracted, added
    if abs(case.evidence.total) == case.answer_number:
        yield count_sum_plan(added, subtracted)


def count_terms_rule(case: Case) -> Iterator[Plan]:
    """The counts rule for questions of no type that ask for countable things."""
    return counts_rule(case) if asks_to_count(case.question.text) else iter(())


def operation_rule(case: Case) -> Iterator[Plan]:
    """The formula of an added module, over two numbers of the passage."""
    expression = case.evidence.expression
    if expression is None or case.answer_number is None:
        return
    for module, operation in other_operations():
        if module.name in plans.NAMED_OPERATIONS:
            continue
        operands = match_operands(operation.tree, expression)
        if operands is None or not case.numbers.issuperset(operands):
            continue
        result = operation.exact(*operands)
        if result is not None and case.accepts(result):
            left, right = operand_plans(case.question.text, operands)
            yield plans.combine(module.name, left, right, result)


def years_rule(case: Case) -> Iterator[Plan]:
    """``1689-1683``: the years between two dates of the passage."""
    return interval_rule(case, "years") if "year" in case.question.text.lower() else iter(())


def interval_rule(case: Case, unit: plans.TimeUnit) -> Iterator[Plan]:
    """``1641-05;1644-03``: the time between two dates of the passage."""
    dates, answer = _evidence_dates(case), case.answer_number
    if len(dates) != 2 or answer is None:
        return
    for first, second in product(*map(case.dates_like, dates)):
        if date_interval(first, second, unit) == answer:
            yield interval_plan(case.question.text, (first, second), answer, unit)


def months_rule(case: Case) -> Iterator[Plan]:
    """``July 1920-March 1920``: the months between two dates of the passage."""
    return interval_rule(case, "months") if "month" in case.question.text.lower() else iter(())


def days_rule(case: Case) -> Iterator[Plan]:
    """``July 19-June 17``: the days between two dates of the passage, or two days of one month."""
    if "day" in case.question.text.lower():
        yield from first_plans(case, (partial(interval_rule, unit="days"), day_numbers_rule))


def day_numbers_rule(case: Case) -> Iterator[Plan]:
    """The difference of two days of one month, which the passage states as numbers."""
    dates = case.evidence.date_pair
    days = sorted(Fraction(date.day) for date in dates if date.day is not None)
    months = {(date.year, date.month) for date in dates}
    if len(days) != 2 or len(months) != 1:
        return
    if days[1] - days[0] == case.answer_number and case.numbers.issuperset(days):
        yield sum_plan(case.question.text, days[1:], days[:1])


def count_rule(case: Case) -> Iterator[Plan]:
    """``33-yard;30-yard``: one mention for each thing that the answer counts."""
    count, items = case.answer_count, () if case.evidence.is_none else case.evidence.items
    if count is None or len(items) != count or _states_count(items, count):
        return
    yield _count_plan(case, count, items)


def multiple_count_rule(case: Case) -> Iterator[Plan]:
    """``two 1-yard runs;a pass``: mentions of which some stand for several things."""
    count, items = case.answer_count, case.evidence.items
    spans = _distinct_spans(case, items)
    if count is None or not 1 < len(items) < count or not spans:
        return
    before = (case.numbers_before(span) for span in spans)
    one = [Fraction(1)]
    multiples = [max(one + [n for n in numbers if n <= MAX_COUNT]) for numbers in before]
    if sum(multiples) == count:
        yield _count_plan(case, count, items)


def stated_number_rule(case: Case) -> Iterator[Plan]:
    """``53;24;40``: a number of the passage, the first of some candidates."""
    items, number = case.evidence.items, case.answer_number
    if not items or number not in items[0].numbers or number not in case.numbers:
        return
    if len(case.evidence.terms) > 2:
        return
    assert number is not None
    candidates = candidate_numbers(case, number)
    text = case.question.text
    asked, ranked = set(extreme_modules(text)), ranked_extreme(text)
    if len(asked) == 1 and extreme_of(module := asked.pop(), candidates) == number:
        yield plans.find_number(extreme_plan(text, module, candidates), number)
    elif ranked is not None and has_rank(number, candidates, *ranked):
        yield plans.find_number(extreme_plan(text, ranked[0], candidates, ranked[1]), number)
    else:
        yield plans.number_of(number, filtered=needs_filter(text))


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
    spans = nearest(_find(case, items[0]), case.answer_spans)
    numbers = [number for number in items[0].numbers if number in case.numbers][:1]
    if spans or (numbers and extreme_modules(case.question.text)):
        answers = nearest(case.answer_spans, spans) or case.answer_spans
        yield argument_plan(case.question.text, answers, spans, numbers)


def player_rule(case: Case) -> Iterator[Plan]:
    """The argument rule for questions of no kind that ask who made a play."""
    return argument_rule(case) if asks_who(case.question.text) else iter(())


def span_rule(case: Case) -> Iterator[Plan]:
    """A phrase of the passage, with the mentions of the answer that are nearest to it."""
    phrases = tuple(span for item in case.evidence.items for span in _find(case, item))
    spans = [nearest(case.passage.find(answer), phrases) for answer in case.answer.spans]
    if spans and all(spans):
        answer = plans.answer_span if len(spans) == 1 else plans.answer_spans
        yield answer(plans.find(spans=sorted(set(sum(spans, ())))))


def has_rank(number: Fraction, candidates: Sequence[Fraction], module: str, rank: Fraction) -> bool:
    """Whether an extreme module with a rank chooses a number among some candidates."""
    smallest = extreme_of(module, (Fraction(0), Fraction(1))) == 0
    ordered = sorted(set(candidates), reverse=not smallest)
    return rank <= len(ordered) and ordered[int(rank) - 1] == number


def candidate_numbers(case: Case, number: Fraction) -> tuple[Fraction, ...]:
    """The candidate numbers of the evidence that the passage states, the answer first."""
    in_passage = [n for item in case.evidence.items for n in item.numbers if n in case.numbers]
    return tuple(dict.fromkeys((number, *in_passage)))


def _count_plan(case: Case, count: int, items: Sequence[EvidenceItem]) -> Plan:
    """The plan of a count, with the conditions that the numbers of all its mentions meet."""
    spans, text = _distinct_spans(case, items), case.question.text
    own = [_own_numbers(case, item, span) for item, span in zip(items, spans, strict=False)]
    conditions = read_conditions(text)
    met = own and all(
        any(all(each.holds(number) for each in conditions) for number in numbers) for numbers in own
    )
    return count_plan(text, count, tuple(sorted(spans)), conditions if met else ())


def _own_numbers(case: Case, item: EvidenceItem, span: CharSpan) -> Sequence[Fraction]:
    """The numbers of a counted mention: those in it, or else the nearest one beside it."""
    if item.numbers:
        return item.numbers
    gaps = [(_gap(span, (n.start, n.end)), n.value) for n in case.values.numbers]
    gap, nearest = min(gaps, default=(_NEAR + 1, Fraction(0)))
    return (nearest,) if gap <= _NEAR else ()


def _evidence_dates(case: Case) -> tuple[Date, ...]:
    """The two dates of the evidence; two numbers with nothing else are years."""
    dates = case.evidence.date_pair
    added, subtracted = case.evidence.added, case.evidence.subtracted
    if len(added) == len(subtracted) == 1 and not dates:
        return tuple(Date(int(term)) for term in (*added, *subtracted))
    items = case.evidence.items
    if not dates and len(items) == 2 and all(item.text.isdecimal() for item in items):
        return tuple(Date(int(item.text)) for item in items)
    return dates


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


def _distinct_spans(case: Case, items: Iterable[EvidenceItem]) -> tuple[CharSpan, ...]:
    """A different span for each item, in their order; empty if any item has none."""
    spans: list[CharSpan] = []
    for item in items:
        unused = [span for span in _find(case, item) if span not in spans]
        if not unused:
            return ()
        spans.append(unused[0])
    return tuple(spans)


def _find(case: Case, item: EvidenceItem) -> tuple[CharSpan, ...]:
    """The mentions of an item: its exact words, else its number, else most of its words."""
    exact = case.passage.find(item.text)
    if exact:
        return exact
    by_number = [(n.start, n.end) for n in case.values.numbers if n.value in item.numbers[:1]]
    approximate = case.passage.find_approximate(item.text)
    return tuple(by_number) or ((approximate,) if approximate else ())


def nearest(spans: tuple[CharSpan, ...], others: tuple[CharSpan, ...]) -> tuple[CharSpan, ...]:
    """The span that is nearest to any of the others."""
    if not spans or not others:
        return ()
    return (min(spans, key=lambda span: min(_gap(span, other) for other in others)),)


def _gap(first: CharSpan, second: CharSpan) -> int:
    return max(0, first[0] - second[1], second[0] - first[1])


_ARITHMETIC: tuple[Rule, ...] = (operation_rule, count_terms_rule, expression_rule)
_NUMERIC: tuple[Rule, ...] = (
    operation_rule, years_rule, months_rule, days_rule, count_terms_rule, expression_rule,
    count_rule, multiple_count_rule, stated_number_rule,
)  # fmt: skip
_RULES: dict[str | None, tuple[Rule, ...]] = {
    "date-compare": (compare_dates_rule,),
    "number-compare": (compare_numbers_rule,),
    "extract-number": (operation_rule, stated_number_rule, count_terms_rule, expression_rule),
    "count": (
        operation_rule, count_rule, multiple_count_rule, count_terms_rule, expression_rule,
        stated_number_rule,
    ),
    "extract-argument": (argument_rule,),
    "date-difference": (operation_rule, years_rule, stated_number_rule, expression_rule),
    "add-sub": (*_ARITHMETIC, years_rule, stated_number_rule, count_rule),
    None: (compare_dates_rule, compare_numbers_rule, *_NUMERIC, player_rule, span_rule),
}  # fmt: skip
