"""Rules that derive answers from evidence, by the type of the question."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from workings.supervision import plans
from workings.supervision.case import MAX_COUNT, Case
from workings.supervision.derivation import Plan
from workings.supervision.evidence import EvidenceItem
from workings.supervision.expressions import BinaryExpression, parse_expression
from workings.supervision.from_clock_times import clock_rule
from workings.supervision.from_evidence import (
    Rule,
    candidate_numbers,
    computed,
    count_rule,
    day_numbers_rule,
    derive_by_kind,
    expression_rule,
    first_plans,
    has_rank,
    interval_rule,
    multiple_count_rule,
    nearest,
    operation_rule,
    span_rule,
)
from workings.supervision.intervals import completes_last_year_later, date_interval
from workings.supervision.module_lookup import Compared, comparison_name, extreme_name, extreme_of
from workings.supervision.question_patterns import (
    alternatives,
    chosen_alternative,
    comparison_module,
    needs_filter,
    rank_of,
    ranked_extreme,
)
from workings.supervision.question_plans import count_plan, extreme_plan, interval_plan, sum_plan
from workings.supervision.text_search import SearchableText
from workings.values import Date, earlier

# Larger numbers are stated, never counted by a writer of evidence.
_MAX_COUNTED = 6

_TIME_UNIT = re.compile(r"\b(?:hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|days?|weeks?)\b\.?")
_PLUS = re.compile(r"\b(?:plus|and)\b")
_MINUS = re.compile(r"\b(?:minus|less)\b")
_NEXT_OPTION = re.compile(r"\W*(?:or|and|vs|versus|than)\b|\s*,", re.IGNORECASE)
_PREVIOUS_OPTION = re.compile(
    r"(?:\b(?:or|and|vs|versus|than|to|not)|,)\W*(?:(?:the|an?)\W+)?$", re.IGNORECASE
)


def derive_from_evidence(case: Case) -> list[Plan]:
    """The plans that evidence singles out, by the rules of the question's type or kind."""
    question = case.question
    if question.unanswerable or question.type == "none":
        return [plans.unknown()]
    if question.start is not None and case.answer_spans:
        return [plans.answer_span(plans.find(spans=case.answer_spans))]
    if not question.evidence.strip():
        return []
    return first_plans(case, _RULES[question.type]) if question.type else derive_by_kind(case)


def extreme_rule(case: Case, *, smallest: bool) -> Iterator[Plan]:
    """``53;24;40``: the largest or smallest of some candidates, or the one of a stated rank."""
    number, text = case.answer_number, case.question.text
    if number is None or number not in case.numbers:
        return
    candidates, module = candidate_numbers(case, number), extreme_name(smallest=smallest)
    ranked = ranked_extreme(text)
    if extreme_of(module, candidates) == number:
        yield plans.find_number(extreme_plan(text, module, candidates), number)
    elif ranked is not None and has_rank(number, candidates, *ranked):
        yield plans.find_number(extreme_plan(text, ranked[0], candidates, ranked[1]), number)
    else:
        yield plans.number_of(number)


def order_rule(case: Case) -> Iterator[Plan]:
    """``720;460;156``: the thing with the first value, which is an extreme or has a stated rank."""
    items, text = case.evidence.items, case.question.text
    values = [n for item in items for n in item.numbers[:1] if n in case.numbers]
    if len(values) < max(2, len(items)) or not case.answer_spans or any(i.dates for i in items):
        return
    mentions = tuple((n.start, n.end) for n in case.values.numbers if n.value == values[0])
    answers = nearest(case.answer_spans, mentions) or case.answer_spans
    rank = rank_of(text)
    for module in _extremes_in_order(text):
        is_extreme = rank is None and extreme_of(module, values) == values[0]
        if is_extreme or (rank is not None and has_rank(values[0], values, module, rank)):
            event = extreme_plan(text, module, tuple(dict.fromkeys(values)), rank)
            yield plans.answer_span(plans.relocate(event, answers))
            return


def _extremes_in_order(question: str) -> list[str]:
    """Both extreme modules, first the one that the words of the question ask for."""
    smaller_first = comparison_module(question, "num") == comparison_name("num", smaller=True)
    return [extreme_name(smallest=smaller_first), extreme_name(smallest=not smaller_first)]


def compare_rule(case: Case, compared: Compared) -> Iterator[Plan]:
    """``12;15``: the values of two options, in the order of the question."""
    items = case.evidence.items
    if len(items) != 2 or len(case.answer.spans) != 1:
        return
    chosen = chosen_option(case.question.text, case.answer.spans[0])
    asked = comparison_module(case.question.text, compared)
    noted = [item.dates for item in items] if compared == "date" else []
    order = noted if all(noted) else []
    for first, second in product(*(_values(case, item, compared) for item in items)):
        is_smaller = _is_smaller(first, second)
        if is_smaller == _is_smaller(second, first):
            continue
        # The evidence determines the order: dates of the passage may be less exact.
        if order and _is_smaller(order[is_smaller][0], order[not is_smaller][0]):
            continue
        if chosen is None:
            module = asked
        else:
            module = comparison_name(compared, smaller=is_smaller == (chosen == 0))
        if module is not None:
            yield plans.compare_values(module, (first, second))


def chosen_option(question: str, answer: str) -> int | None:
    """The index of the option that an answer names; None if the words do not decide."""
    offered = alternatives(question)
    chosen = None if offered is None else chosen_alternative(offered, answer)
    if chosen is not None:
        return chosen
    for start, end in SearchableText.cached(question).find(answer):
        if _PREVIOUS_OPTION.search(question[:start]):
            return 1
        if _NEXT_OPTION.match(question[end:]):
            return 0
    return None


def _values(case: Case, item: EvidenceItem, compared: Compared) -> list[Date | Fraction]:
    if compared == "num":
        return [number for number in item.numbers if number in case.numbers]
    years = (Date(int(item.text)),) if item.text.isdecimal() and len(item.text) < 5 else ()
    return [like for date in item.dates or years for like in case.dates_like(date)]


def _is_smaller(first: Date | Fraction, second: Date | Fraction) -> bool:
    if isinstance(first, Date) and isinstance(second, Date):
        return earlier(first, second)
    return isinstance(first, Fraction) and isinstance(second, Fraction) and first < second


def number_rule(case: Case) -> Iterator[Plan]:
    """A number of the passage."""
    number = case.answer_number
    if number is not None and number in case.numbers:
        yield plans.number_of(number, filtered=needs_filter(case.question.text))


def count_difference_rule(case: Case) -> Iterator[Plan]:
    """``19-11``: terms that are counts, or numbers of the passage too large to be counted."""
    added, subtracted = case.evidence.added, case.evidence.subtracted
    if len(case.evidence.terms) != 2 or abs(case.evidence.total) != case.answer_number:
        return
    if case.evidence.total < 0:
        added, subtracted = subtracted, added
    terms = [
        plans.number_of(term)
        if term in case.numbers and term > _MAX_COUNTED
        else plans.count(plans.find_described(filtered=True), int(term))
        for term in (*added, *subtracted)
        if term in case.numbers or (term.denominator == 1 and term <= MAX_COUNT)
    ]
    if len(terms) == 2:
        yield plans.difference(terms[: len(added)], terms[len(added) :])


def any_count_rule(case: Case) -> Iterator[Plan]:
    """A count whose mentions the evidence does not list one by one, or which is stated."""
    count, items = case.answer_count, case.evidence.items
    if len(items) == 1 and case.answer_number in items[0].numbers and items[0].numbers:
        yield from number_rule(case)
    elif count is not None:
        yield count_plan(case.question.text, count)


def years_of_question_rule(case: Case) -> Iterator[Plan]:
    """``2001;2015``: years of which the question states one."""
    expression = parse_expression("-".join(item.text for item in case.evidence.items[::-1]))
    if isinstance(expression, BinaryExpression):
        yield from computed(case, expression)


def full_years_rule(case: Case) -> Iterator[Plan]:
    """``1815-12-10;1833-06-05``: the year subtracted last is not complete."""
    dates, answer = case.evidence.date_pair, case.answer_number
    if len(dates) != 2 or answer is None or not completes_last_year_later(*dates):
        return
    for first, second in product(*map(case.dates_like, dates)):
        if date_interval(first, second, "years") == answer + 1:
            years = interval_plan(case.question.text, (first, second), answer + 1)
            yield plans.subtract(years, plans.one())


def expressed_duration_rule(case: Case) -> Iterator[Plan]:
    """``21 min plus 23.5 min``: arithmetic over numbers of one unit."""
    if case.evidence.has_clock_time:
        return
    worded = _MINUS.sub("-", _PLUS.sub("+", _TIME_UNIT.sub("", case.question.evidence)))
    expression = parse_expression(worded.partition("=")[0])
    if isinstance(expression, BinaryExpression):
        yield from computed(case, expression)


def plain_duration_rule(case: Case) -> Iterator[Plan]:
    """``10 to 15``: the numbers of the evidence, without their units."""
    if case.evidence.has_clock_time:
        return
    numbers = [n for item in case.evidence.items for n in item.numbers if n in case.numbers]
    answer, text = case.answer_number, case.question.text
    if len(numbers) == 2 and abs(numbers[0] - numbers[1]) == answer:
        yield sum_plan(text, (max(numbers),), (min(numbers),))
    elif len(numbers) == 2 and sum(numbers) == answer:
        yield sum_plan(text, numbers, ())
    elif answer is not None and answer in numbers:
        yield plans.number_of(answer)


def date_rule(case: Case) -> Iterator[Plan]:
    """A date of the passage."""
    for date in case.dates_like(case.answer_date) if case.answer_date else ():
        yield plans.find_date(plans.find(), date)


def spans_rule(case: Case) -> Iterator[Plan]:
    """Several phrases: the occurrence of each that is nearest to the rarest phrase."""
    found = [case.passage.find(answer) for answer in case.answer.spans]
    if not found or not all(found):
        return
    anchor = min(found, key=len)[:1]
    spans = {span for occurrences in found for span in nearest(occurrences, anchor)}
    answer = plans.answer_spans if len(found) > 1 else plans.answer_span
    yield answer(plans.find(spans=sorted(spans)))


_ARITHMETIC: tuple[Rule, ...] = (operation_rule, expression_rule)
_SPANS: tuple[Rule, ...] = (span_rule, spans_rule)
_RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(
        (
            *("sub", "add2", "add3", "add4", "addsub3", "product", "ratio", "average"),
            *("percent-of", "percent-change", "percent-rest"),
        ),
        _ARITHMETIC,
    ),
    "count": (count_rule, multiple_count_rule, any_count_rule),
    "count-diff": (count_difference_rule, expression_rule),
    "max": (partial(extreme_rule, smallest=False),),
    "min": (partial(extreme_rule, smallest=True),),
    "order": (order_rule, *_SPANS),
    "compare-num": (partial(compare_rule, compared="num"), *_SPANS),
    "compare-date": (partial(compare_rule, compared="date"), *_SPANS),
    "years": (
        partial(interval_rule, unit="years"), years_of_question_rule, full_years_rule, number_rule,
    ),
    "months": (partial(interval_rule, unit="months"), number_rule),
    "days": (partial(interval_rule, unit="days"), day_numbers_rule, number_rule),
    "duration": (expressed_duration_rule, clock_rule, plain_duration_rule),
    "number": (number_rule,),
    "date": (date_rule, *_SPANS),
    "span": _SPANS,
    "spans": _SPANS,
}  # fmt: skip
