"""Gold steps of hand-made mentions: programs and targets."""

from fractions import Fraction

import pytest

from workings.supervision import plans
from workings.supervision.derivation import Plan, StepTarget
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.values import Date

LOW = Mention((0, 3), Fraction(5), (Date(1500, 4),))
HIGH = Mention((10, 13), Fraction(17, 2), (Date(1512),))
MIDDLE = Mention((20, 23), Fraction(8), (Date(1512, 1),))


def test_spans_are_in_text_order() -> None:
    assert gold_steps.find(HIGH, LOW).targets == (StepTarget(0, spans=((0, 3), (10, 13))),)


def test_extreme_of_a_filter() -> None:
    mentions = [LOW, MIDDLE]
    events = gold_steps.filter_mentions(gold_steps.find(LOW, HIGH, MIDDLE), mentions)
    gold = gold_steps.extreme_number(events, mentions, largest=True)
    assert str(gold.program) == "find-num(find-max-num(filter(find)))"
    assert gold.targets == (
        StepTarget(0, numbers=(Fraction(8),)),
        StepTarget(1, numbers=(Fraction(5), Fraction(8)), spans=((20, 23),)),
        StepTarget(2, spans=((0, 3), (20, 23))),
        StepTarget(3, spans=((0, 3), (10, 13), (20, 23))),
    )
    smallest = gold_steps.extreme_number(events, mentions, largest=False)
    assert smallest.root_target.numbers == (Fraction(5),)


def test_arithmetic_is_exact() -> None:
    high, low, middle = map(gold_steps.number_of, (HIGH, LOW, MIDDLE))
    gold = plans.subtract(plans.add(high, low), middle)
    assert str(gold.program) == "sub(add(find-num(find), find-num(find)), find-num(find))"
    assert gold.root_target.numbers == (Fraction(11, 2),)
    assert [target.step for target in gold.targets] == list(range(8))


def test_constant_has_no_span() -> None:
    gold = plans.subtract(plans.hundred(), gold_steps.number_of(HIGH))
    assert gold.root_target.numbers == (Fraction(183, 2),)
    assert [target.step for target in gold.targets] == [0, 1, 2, 3]
    assert gold.targets[1] == StepTarget(1, numbers=(Fraction(100),))


def test_count() -> None:
    gold = gold_steps.count(gold_steps.find(LOW, HIGH))
    assert gold.root_target == StepTarget(0, numbers=(Fraction(2),), spans=((0, 3), (10, 13)))


@pytest.mark.parametrize(
    ("gold", "module", "winner"),
    [
        (gold_steps.compare_numbers(LOW, HIGH, larger=True), "compare-num-gt", HIGH),
        (gold_steps.compare_numbers(LOW, HIGH, larger=False), "compare-num-lt", LOW),
        (gold_steps.compare_dates(LOW, HIGH, earliest=True), "compare-date-lt", LOW),
        (gold_steps.compare_dates(LOW, HIGH, earliest=False), "compare-date-gt", HIGH),
    ],
)
def test_compare(gold: Plan, module: str, winner: Mention) -> None:
    assert str(gold.program) == f"span({module}(find, find))"
    assert [target.spans for target in gold.targets] == [
        (winner.span,),
        (winner.span,),
        (LOW.span,),
        (HIGH.span,),
    ]
    assert all(target.numbers or target.dates for target in gold.targets[2:])


def test_years_between_two_events_in_any_order() -> None:
    for events in ((LOW, HIGH), (HIGH, LOW)):
        gold = gold_steps.time_between(*events)
        assert gold.root_target.numbers == (Fraction(12),)
        assert [target.dates for target in gold.targets[1:]] == [event.dates for event in events]


def test_years_of_one_event() -> None:
    gold = gold_steps.time_between(Mention((0, 3), dates=(Date(1500), Date(1507))))
    assert str(gold.program) == "time-diff(find)"
    assert gold.root_target.numbers == (Fraction(7),)


def test_argument_and_spans() -> None:
    gold = gold_steps.argument(gold_steps.find(LOW), (30, 35))
    assert [target.spans for target in gold.targets] == [((30, 35),), ((30, 35),), ((0, 3),)]
    assert gold_steps.answer_spans(gold_steps.find(LOW, HIGH)).root_target.spans == (
        (0, 3),
        (10, 13),
    )


def test_days_and_months() -> None:
    first = Mention((0, 3), dates=(Date(1512, 1, 30),))
    second = Mention((5, 9), dates=(Date(1512, 3, 1),))
    days = gold_steps.time_between(first, second, unit="days")
    assert str(days.program) == "days-diff(find, find)"
    assert days.root_target.numbers == (Fraction(31),)  # 1512 was a leap year
    months = gold_steps.time_between(second, first, unit="months")
    assert str(months.program) == "months-diff(find, find)"
    assert months.root_target.numbers == (Fraction(2),)


def test_second_largest() -> None:
    mentions = [LOW, HIGH, MIDDLE]
    gold = gold_steps.ranked_number(gold_steps.find(*mentions), mentions, largest=True, place=2)
    assert str(gold.program) == "find-num(find-max-num(find, question-num))"
    assert gold.targets == (
        StepTarget(0, numbers=(Fraction(8),)),
        StepTarget(1, numbers=(Fraction(5), Fraction(8), Fraction(17, 2)), spans=((20, 23),)),
        StepTarget(2, spans=((0, 3), (10, 13), (20, 23))),
        StepTarget(3, numbers=(Fraction(2),)),
    )
    smallest = gold_steps.ranked_number(
        gold_steps.find(*mentions), mentions, largest=False, place=3
    )
    assert smallest.root_target.numbers == (Fraction(17, 2),)


def test_between_two_limits() -> None:
    mentions = [LOW, HIGH, MIDDLE]
    over = gold_steps.above(gold_steps.find(*mentions), mentions, 6)
    gold = gold_steps.count(gold_steps.below(over, [HIGH, MIDDLE], 9))
    assert str(gold.program) == (
        "count(filter-num-lt(filter-num-gt(find, question-num), question-num))"
    )
    assert gold.root_target.numbers == (Fraction(2),)
    assert [target.numbers for target in gold.targets[-2:]] == [(Fraction(6),), (Fraction(9),)]
