"""Every derivation that gives the answer, where no evidence says which one is meant."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from workings.arithmetic.signed_sums import (
    Ways,
    one_less_sums,
    pair_differences,
    pair_sums,
    sums_less_one,
    triple_sums,
)
from workings.supervision.case import Case
from workings.supervision.derivation import Plan, plan
from workings.supervision.plans import (
    argument_plan,
    comparison_plan,
    count_plan,
    extreme_plan,
    lapse_plan,
    number_plan,
    sum_plans,
)
from workings.supervision.question_patterns import (
    asks_to_add,
    asks_to_count,
    asks_to_measure,
    chosen,
    comparison,
    extremes,
    options,
    sought,
)
from workings.values import CONSTANTS, Date, earlier, years_between

# Ambiguous questions have thousands of derivations of which few are kept: only those are built.
Draft: TypeAlias = Callable[[], Plan]
Rule: TypeAlias = Callable[[Case], Iterator[Draft]]


def by_search(case: Case) -> list[Draft]:
    """All drafts of the question's kind, or of any kind if those fail; most plausible first."""
    for rules in (_RULES[case.question.kind], _RULES[None], _LAST):
        drafts = [draft for rule in rules for draft in rule(case)]
        if drafts:
            return drafts
    return []


def _stated(case: Case) -> Iterator[Draft]:
    if case.number is None or case.number not in case.numbers:
        return
    asked, modules = set(extremes(case.question.text)), sought(case.question.text)
    if len(asked) == 1:
        yield partial(extreme_plan, case.number, asked.pop(), (case.number,), modules)
    else:
        yield partial(number_plan, case.number, modules)


def _counted(case: Case) -> Iterator[Draft]:
    if case.count is not None and not asks_to_measure(case.question.text):
        yield partial(count_plan, case.count, (), sought(case.question.text))


def _lapses(case: Case) -> Iterator[Draft]:
    if case.number is None or "year" not in case.question.text.lower():
        return
    relevance = case.date_relevance(case.question.text)
    pairs = [
        (one, other)
        for one, other in combinations(case.values.distinct_dates, 2)
        if years_between(one, other) in (case.number, -case.number)
    ]
    pairs.sort(key=lambda pair: -sum(relevance[date] for date in pair))
    for pair in pairs:
        yield partial(lapse_plan, case.question.text, pair)


def _pairs(case: Case) -> Iterator[Draft]:
    percent = any(word in case.question.text.lower() for word in ("percent", "%"))
    extra = CONSTANTS[2:] if percent else ()
    return _two(case, sorted(case.numbers.union(extra)))


def _constants(case: Case) -> Iterator[Draft]:
    return _two(case, sorted(case.operands))


def _two(case: Case, values: Sequence[Fraction]) -> Iterator[Draft]:
    # A number less itself is always there: it means something only where a difference is asked for.
    if case.number is None or (case.number == 0 and case.question.kind != "add-sub"):
        return
    sums = _ranked(case, values, pair_sums(values, case.number))
    differences = _ranked(case, values, pair_differences(values, case.number))
    ways = [(2, row) for row in sums] + [(1, row) for row in differences]
    # A stable sort: each half keeps its order.
    for split, row in sorted(ways, reverse=asks_to_add(case.question.text), key=itemgetter(0)):
        yield partial(_sum, case, row[:split], row[split:])


def _triples(case: Case) -> Iterator[Draft]:
    if case.number is None:
        return
    values = sorted(case.numbers.union(CONSTANTS[2:]))
    for search, split in ((triple_sums, 3), (sums_less_one, 2), (one_less_sums, 1)):
        for row in _ranked(case, values, search(values, case.number)):
            yield partial(_sum, case, row[:split], row[split:])


def _count_differences(case: Case) -> Iterator[Draft]:
    """Only the difference is known: both counts are left to be found."""
    if case.count is not None and asks_to_count(case.question.text):
        yield partial(_count_difference, Fraction(case.count))


def _compared_dates(case: Case) -> Iterator[Draft]:
    offered = options(case.question.text)
    module = comparison(case.question.text, "date")
    place = chosen(offered, " ".join(case.answer.spans)) if offered else None
    if offered is None or module is None or place is None:
        return
    scores = [case.date_relevance(option) for option in offered]
    dates = case.values.distinct_dates
    pairs = [(a, b) for a in dates for b in dates if _singles_out(module, a, b, place)]
    pairs.sort(key=lambda pair: -scores[0][pair[0]] - scores[1][pair[1]])
    for pair in pairs:
        yield partial(comparison_plan, module, pair)


def _compared_numbers(case: Case) -> Iterator[Draft]:
    offered, module = options(case.question.text), comparison(case.question.text, "num")
    place = chosen(offered, " ".join(case.answer.spans)) if offered else None
    if offered is None or module is None or place is None:
        return
    scores = [case.number_relevance(option) for option in offered]
    ascending = module.endswith("lt") == (place == 0)
    rising = list(combinations(case.values.distinct_numbers, 2))
    pairs = rising if ascending else [(high, low) for low, high in rising]
    pairs.sort(key=lambda pair: -scores[0][pair[0]] - scores[1][pair[1]])
    for pair in pairs:
        yield partial(comparison_plan, module, pair)


def _arguments(case: Case) -> Iterator[Draft]:
    if case.spans:
        yield partial(argument_plan, case.question.text, case.spans)


def _spans(case: Case) -> Iterator[Draft]:
    if not case.spans:
        return
    if len(case.answer.spans) > 1:
        yield partial(plan, "spans", plan("find", spans=case.spans))
    else:
        yield partial(plan, "span", plan("find", spans=case.spans))


def _dates(case: Case) -> Iterator[Draft]:
    for date in case.dates_like(case.date) if case.date else ():
        yield partial(plan, "find-date", plan("find"), dates=(date,))


def _sum(case: Case, gains: Sequence[Fraction], losses: Sequence[Fraction]) -> Plan:
    return sum_plans(case.question.text, gains, losses)[0]


def _count_difference(difference: Fraction) -> Plan:
    counted = plan("count", plan("filter", plan("find")))
    return plan("sub", counted, counted, numbers=(difference,))


def _singles_out(module: str, one: Date, other: Date, place: int) -> bool:
    first, second = (one, other) if place == 0 else (other, one)
    return earlier(first, second) if module.endswith("lt") else earlier(second, first)


def _ranked(case: Case, values: Sequence[Fraction], ways: Ways) -> list[list[Fraction]]:
    """The values of each way, first the ways whose values the question's words stand near."""
    relevance = case.number_relevance(case.question.text)
    rows = [[values[place] for place in row] for row in ways.tolist()]
    return sorted(rows, key=lambda row: -sum(relevance.get(value, 0) for value in row))


_RULES: dict[str | None, tuple[Rule, ...]] = {
    "date-compare": (_compared_dates,),
    "number-compare": (_compared_numbers,),
    "extract-number": (_stated,),
    "count": (_counted, _stated),
    "extract-argument": (_arguments,),
    "date-difference": (_lapses, _stated),
    "add-sub": (_count_differences, _pairs),
    None: (_stated, _counted, _lapses, _pairs, _spans, _dates),
}
_LAST: tuple[Rule, ...] = (_constants, _triples, _compared_dates, _compared_numbers)
