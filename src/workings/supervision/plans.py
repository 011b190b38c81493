"""The plans all derivations are made of, from the values they pick."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from workings.supervision.derivation import Plan, Span, plan
from workings.supervision.question_patterns import (
    extremes,
    names_earlier_first,
    sought,
    spans_two_events,
)
from workings.values import Date, earlier, years_between


def nest(modules: Sequence[str], spans: Sequence[Span] = ()) -> Plan:
    """Modules inside each other, outermost first; the outermost points at the spans."""
    inner = nest(modules[1:]) if len(modules) > 1 else None
    return plan(modules[0], *([inner] if inner else []), spans=spans)


def number_plan(value: Fraction, modules: Sequence[str] = ("find",)) -> Plan:
    """A number read off what the modules find."""
    return plan("find-num", nest(modules), numbers=(value,))


def extreme_plan(
    value: Fraction, module: str, candidates: Sequence[Fraction], modules: Sequence[str]
) -> Plan:
    """A number read off the greatest or least of some candidates."""
    top = plan(module, nest(modules), numbers=candidates)
    return plan("find-num", top, numbers=(value,))


def count_plan(
    count: int, spans: Sequence[Span] = (), modules: Sequence[str] = ("filter", "find")
) -> Plan:
    """The number of things found, which stand at the spans where those are known."""
    return plan("count", nest(modules, spans), numbers=(Fraction(count),), spans=spans)


def count_sum_plan(gains: Sequence[Fraction], losses: Sequence[Fraction]) -> Plan:
    """The sum or the difference of two numbers of things."""
    first, second = (count_plan(int(term)) for term in (*gains, *losses))
    return _sub(first, second) if losses else _add(first, second)


def sum_plans(question: str, gains: Sequence[Fraction], losses: Sequence[Fraction]) -> list[Plan]:
    """The ways to write the sum of the gains less the losses as a program."""
    operands = _operands(question, [*gains, *losses])
    plus = reduce(_add, operands[: len(gains)])
    minus = operands[len(gains) :]
    if not minus:
        return [plus]
    plans = [_sub(plus, reduce(_add, minus))]
    if len(minus) > 1:
        plans.append(reduce(_sub, minus, plus))
    return plans


def comparison_plan(module: str, picked: Sequence[Date] | Sequence[Fraction]) -> Plan:
    """The one of two things, in the question's order, that a comparison singles out."""
    finds = [
        plan("find", dates=(value,)) if isinstance(value, Date) else plan("find", numbers=(value,))
        for value in picked
    ]
    return plan("span", plan(module, *finds))


def lapse_plan(question: str, dates: tuple[Date, Date]) -> Plan:
    """The years between two dates, of two events in the question's order or of a single one."""
    late, early = dates if earlier(dates[1], dates[0]) else dates[::-1]
    ordered = (early, late) if names_earlier_first(question) else (late, early)
    groups = [(date,) for date in ordered] if spans_two_events(question) else [(late, early)]
    years = Fraction(years_between(late, early) or 0)
    return plan("time-diff", *(plan("find", dates=group) for group in groups), numbers=(years,))


def argument_plan(
    question: str,
    answers: Sequence[Span],
    spans: Sequence[Span] = (),
    numbers: Sequence[Fraction] = (),
) -> Plan:
    """Who did what the question describes, which stands at the spans, with the number if known."""
    modules, extreme = sought(question), extremes(question)[:1]
    if extreme:
        event = plan(extreme[0], nest(modules), numbers=numbers, spans=spans)
    else:
        event = nest(modules, spans)
    return plan("span", plan("relocate", event, spans=answers))


def _operands(question: str, values: Sequence[Fraction]) -> list[Plan]:
    """Each operand is read off a find, the longest and the shortest off their extremes."""
    asked = extremes(question)
    modules: dict[int, str] = {}
    if len(asked) == len(values) and len(set(asked)) == 1:
        modules = dict(enumerate(asked))
    elif asked:
        places = {"find-max-num": max(values), "find-min-num": min(values)}
        modules = {list(values).index(places[module]): module for module in asked}
    return [
        extreme_plan(value, modules[place], (value,), ("find",))
        if place in modules
        else number_plan(value)
        for place, value in enumerate(values)
    ]


def _add(left: Plan, right: Plan) -> Plan:
    return plan("add", left, right, numbers=(_outcome(left) + _outcome(right),))


def _sub(left: Plan, right: Plan) -> Plan:
    return plan("sub", left, right, numbers=(_outcome(left) - _outcome(right),))


def _outcome(part: Plan) -> Fraction:
    """The number a plan comes to, which its topmost step picks."""
    return part.picks[0].numbers[0]
