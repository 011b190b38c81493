"""Rules that search for every derivation of an answer, for questions without usable evidence."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TypeAlias

from workings.arithmetic.operation_search import operand_pairs
from workings.arithmetic.signed_sums import MINUS, PLUS, Signs, signed_sums
from workings.data.content_words import words_in
from workings.supervision import plans
from workings.supervision.case import Case
from workings.supervision.derivation import Plan
from workings.supervision.module_lookup import Compared, chooses_first, other_operations
from workings.supervision.question_patterns import (
    alternatives,
    asks_percent,
    asks_to_add,
    asks_to_count,
    asks_to_measure,
    chosen_alternative,
    comparison_module,
    extreme_modules,
    needs_filter,
)
from workings.supervision.question_plans import (
    argument_plan,
    count_plan,
    interval_plan,
    operand_plans,
    rest_plan,
    sum_plan,
)
from workings.values import earlier, years_between

# Plans are built late: an ambiguous question has thousands, of which only a few are stored.
PlanBuilder: TypeAlias = Callable[[], Plan]
Rule: TypeAlias = Callable[[Case], Iterator[PlanBuilder]]


def derive_from_search(case: Case) -> list[PlanBuilder]:
    """Builders of all plans of the question's type or kind; if its kind has none, of any kind.

    The most plausible plans come first.
    """
    question = case.question
    by_kind = (_RULES[question.kind], _RULES[None], _LAST_RESORT)
    for rules in (_TYPE_RULES[question.type],) if question.type else by_kind:
        builders = [builder for rule in rules for builder in rule(case)]
        if builders:
            return builders
    return []


def _stated_number(case: Case) -> Iterator[PlanBuilder]:
    number = case.answer_number
    if number is None or number not in case.numbers:
        return
    asked, filtered = set(extreme_modules(case.question.text)), needs_filter(case.question.text)
    if len(asked) == 1:
        yield partial(plans.extreme_number, number, asked.pop(), (number,), filtered=filtered)
    else:
        yield partial(plans.number_of, number, filtered=filtered)


def _count(case: Case) -> Iterator[PlanBuilder]:
    if case.answer_count is not None and not asks_to_measure(case.question.text):
        yield partial(count_plan, case.question.text, case.answer_count)


def _years(case: Case) -> Iterator[PlanBuilder]:
    if case.answer_number is None or "year" not in case.question.text.lower():
        return
    pairs = [
        (first, second)
        for first, second in combinations(case.values.distinct_dates, 2)
        if years_between(first, second) in (case.answer_number, -case.answer_number)
    ]
    pairs.sort(key=lambda pair: -sum(case.question_dates[date] for date in pair))
    for pair in pairs:
        yield partial(interval_plan, case.question.text, pair, case.answer_number)


def _operations(case: Case) -> Iterator[PlanBuilder]:
    """Operations of modules with a cue in the question, over two numbers of the passage."""
    if case.answer_number is None:
        return
    words, values = set(words_in(case.question.text)), case.values.distinct_numbers
    for module, operation in other_operations():
        if not words.isdisjoint(module.cues):
            pairs = operand_pairs(operation, values, case.answer_number)
            for row in _ranked(case, ((values[i], values[j]) for i, j in pairs)):
                yield partial(_operation, case, module.name, row)


def _pairs(case: Case) -> Iterator[PlanBuilder]:
    return _two_terms(case, sorted(case.numbers))


def _rest_of_hundred(case: Case) -> Iterator[PlanBuilder]:
    """100 per cent minus one number of the passage."""
    answer = case.answer_number
    if answer is not None and asks_percent(case.question) and 100 - answer in case.numbers:
        yield partial(rest_plan, case.question.text, (100 - answer,))


def _two_terms(case: Case, values: Sequence[Fraction]) -> Iterator[PlanBuilder]:
    # Every number less itself is 0, which answers only a question for a difference.
    if case.answer_number is None or (case.answer_number == 0 and case.question.kind != "add-sub"):
        return
    patterns = ((PLUS, MINUS), (PLUS, PLUS))
    if asks_to_add(case.question.text):
        patterns = patterns[::-1]
    for signs in patterns:
        yield from _sums(case, values, signs, reuse=True)


def _three_terms(case: Case) -> Iterator[PlanBuilder]:
    if case.answer_number is None:
        return
    values = sorted(case.numbers)
    if asks_percent(case.question):
        parts = signed_sums(values, 100 - case.answer_number, (PLUS, PLUS), reuse=False)
        for row in _ranked(case, (tuple(values[index] for index, _ in pair) for pair in parts)):
            yield partial(rest_plan, case.question.text, row)
    for signs in ((PLUS, PLUS, PLUS), (PLUS, PLUS, MINUS), (PLUS, MINUS, MINUS)):
        yield from _sums(case, values, signs, reuse=False)


def _sums(
    case: Case, values: Sequence[Fraction], signs: tuple[Signs, ...], *, reuse: bool
) -> Iterator[PlanBuilder]:
    """Sums with given signs, first those whose numbers are near words of the question."""
    assert case.answer_number is not None
    added = signs.count(PLUS)
    found = signed_sums(values, case.answer_number, signs, reuse=reuse)
    for row in _ranked(case, (tuple(values[index] for index, _ in terms) for terms in found)):
        yield partial(sum_plan, case.question.text, row[:added], row[added:])


def _count_differences(case: Case) -> Iterator[PlanBuilder]:
    """The difference of two counts, neither of which is known."""
    if case.answer_count is not None and asks_to_count(case.question.text):
        yield partial(plans.difference_of_counts, Fraction(case.answer_count))


def _compare_dates(case: Case) -> Iterator[PlanBuilder]:
    asked = _asked_comparison(case, "date")
    if asked is None:
        return
    offered, module, is_first = asked
    scores = [case.date_relevance(alternative) for alternative in offered]
    dates = case.values.distinct_dates
    pairs = [
        (first, second)
        for first in dates
        for second in dates
        if (earlier(first, second) or earlier(second, first))
        and chooses_first(module, first_is_smaller=earlier(first, second)) == is_first
    ]
    pairs.sort(key=lambda pair: -scores[0][pair[0]] - scores[1][pair[1]])
    for pair in pairs:
        yield partial(plans.compare_values, module, pair)


def _compare_numbers(case: Case) -> Iterator[PlanBuilder]:
    asked = _asked_comparison(case, "num")
    if asked is None:
        return
    offered, module, is_first = asked
    scores = [case.number_relevance(alternative) for alternative in offered]
    pairs = list(combinations(case.values.distinct_numbers, 2))
    if chooses_first(module, first_is_smaller=True) != is_first:
        pairs = [(larger, smaller) for smaller, larger in pairs]
    pairs.sort(key=lambda pair: -scores[0][pair[0]] - scores[1][pair[1]])
    for pair in pairs:
        yield partial(plans.compare_values, module, pair)


def _asked_comparison(case: Case, compared: Compared) -> tuple[tuple[str, str], str, bool] | None:
    """The alternatives, the module asked for, and whether the first alternative is the answer."""
    offered = alternatives(case.question.text)
    module = comparison_module(case.question.text, compared)
    chosen = chosen_alternative(offered, " ".join(case.answer.spans)) if offered else None
    if offered is None or module is None or chosen is None:
        return None
    return offered, module, chosen == 0


def _argument(case: Case) -> Iterator[PlanBuilder]:
    if case.answer_spans:
        yield partial(argument_plan, case.question.text, case.answer_spans)


def _spans(case: Case) -> Iterator[PlanBuilder]:
    if case.answer_spans:
        answer = plans.answer_spans if len(case.answer.spans) > 1 else plans.answer_span
        yield partial(answer, plans.find(spans=case.answer_spans))


def _date(case: Case) -> Iterator[PlanBuilder]:
    for date in case.dates_like(case.answer_date) if case.answer_date else ():
        yield partial(plans.find_date, plans.find(), date)


def _operation(case: Case, module: str, operands: Sequence[Fraction]) -> Plan:
    assert case.answer_number is not None
    left, right = operand_plans(case.question.text, operands)
    return plans.combine(module, left, right, case.answer_number)


def _ranked(case: Case, rows: Iterable[tuple[Fraction, ...]]) -> list[tuple[Fraction, ...]]:
    """Rows of numbers, first those whose numbers are near words of the question."""
    relevance = case.question_numbers
    return sorted(rows, key=lambda row: -sum(relevance.get(value, 0) for value in row))


_RULES: dict[str | None, tuple[Rule, ...]] = {
    "date-compare": (_compare_dates,),
    "number-compare": (_compare_numbers,),
    "extract-number": (_operations, _stated_number),
    "count": (_operations, _count, _stated_number),
    "extract-argument": (_argument,),
    "date-difference": (_operations, _years, _stated_number),
    "add-sub": (_operations, _count_differences, _rest_of_hundred, _pairs),
    None: (
        _operations, _stated_number, _count, _years, _rest_of_hundred, _pairs, _spans, _date,
    ),
}  # fmt: skip
_LAST_RESORT: tuple[Rule, ...] = (_three_terms, _compare_dates, _compare_numbers)
_TYPE_RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("sub", "add2"), (_pairs,)),
    **dict.fromkeys(("add3", "addsub3"), (_three_terms,)),
    **dict.fromkeys(("product", "ratio", "percent-of", "percent-change"), (_operations,)),
    **dict.fromkeys(("add4", "average", "days", "months", "none"), ()),
    "percent-rest": (_rest_of_hundred, _three_terms),
    "count": (_count,),
    "count-diff": (_count_differences,),
    **dict.fromkeys(("max", "min", "number"), (_stated_number,)),
    **dict.fromkeys(("order", "span", "spans"), (_spans,)),
    "compare-num": (_compare_numbers,),
    "compare-date": (_compare_dates,),
    "years": (_years,),
    "duration": (_stated_number, _pairs),
    "date": (_date,),
}
