"""Gold gold_steps by hand: the program, and what every step of it comes to."""

from fractions import Fraction

import pytest

from workings.supervision.derivation import Plan, StepTarget
from workings.synthetic import gold_steps
from workings.synthetic.gold_steps import Mention
from workings.values import Date

LOW = Mention((0, 3), Fraction(5), (Date(1500, 4),))
HIGH = Mention((10, 13), Fraction(17, 2), (Date(1512),))
MIDDLE = Mention((20, 23), Fraction(8), (Date(1512, 1),))


def test_find_keeps_text_order() -> None:
    assert gold_steps.find(HIGH, LOW).targets == (StepTarget(0, spans=((0, 3), (10, 13))),)


def test_extreme_of_a_filter() -> None:
    kept = [LOW, MIDDLE]
    seen = gold_steps.keep(gold_steps.find(LOW, HIGH, MIDDLE), kept)
    gold = gold_steps.extreme_num(seen, kept, largest=True)
    assert str(gold.program) == "find-num(find-max-num(filter(find)))"
    assert gold.targets == (
        StepTarget(0, numbers=(Fraction(8),)),
        StepTarget(1, numbers=(Fraction(5), Fraction(8)), spans=((20, 23),)),
        StepTarget(2, spans=((0, 3), (20, 23))),
        StepTarget(3, spans=((0, 3), (10, 13), (20, 23))),
    )
    assert gold_steps.outcome(gold_steps.extreme_num(seen, kept, largest=False)).numbers == (
        Fraction(5),
    )


def test_arithmetic_is_exact() -> None:
    high, low, middle = map(gold_steps.number_of, (HIGH, LOW, MIDDLE))
    gold = gold_steps.sub(gold_steps.add(high, low), middle)
    assert str(gold.program) == "sub(add(find-num(find), find-num(find)), find-num(find))"
    assert gold_steps.outcome(gold).numbers == (Fraction(11, 2),)
    assert [pick.step for pick in gold.targets] == list(range(8))


def test_a_constant_is_found_nowhere() -> None:
    gold = gold_steps.sub(gold_steps.constant(100), gold_steps.number_of(HIGH))
    assert gold_steps.outcome(gold).numbers == (Fraction(183, 2),)
    assert [pick.step for pick in gold.targets] == [0, 1, 3, 4]


def test_count() -> None:
    gold = gold_steps.count(gold_steps.find(LOW, HIGH))
    assert gold_steps.outcome(gold) == StepTarget(
        0, numbers=(Fraction(2),), spans=((0, 3), (10, 13))
    )


@pytest.mark.parametrize(
    ("gold", "module", "winner"),
    [
        (gold_steps.compare_num(LOW, HIGH, more=True), "compare-num-gt", HIGH),
        (gold_steps.compare_num(LOW, HIGH, more=False), "compare-num-lt", LOW),
        (gold_steps.compare_date(LOW, HIGH, before=True), "compare-date-lt", LOW),
        (gold_steps.compare_date(LOW, HIGH, before=False), "compare-date-gt", HIGH),
    ],
)
def test_compare(gold: Plan, module: str, winner: Mention) -> None:
    assert str(gold.program) == f"span({module}(find, find))"
    assert [pick.spans for pick in gold.targets] == [
        (winner.span,),
        (winner.span,),
        (LOW.span,),
        (HIGH.span,),
    ]
    assert all(pick.numbers or pick.dates for pick in gold.targets[2:])


def test_time_diff_of_two_events_in_any_order() -> None:
    for events in ((LOW, HIGH), (HIGH, LOW)):
        gold = gold_steps.time_diff(*events)
        assert gold_steps.outcome(gold).numbers == (Fraction(12),)
        assert [pick.dates for pick in gold.targets[1:]] == [event.dates for event in events]


def test_time_diff_of_one_event() -> None:
    gold = gold_steps.time_diff(Mention((0, 3), dates=(Date(1500), Date(1507))))
    assert str(gold.program) == "time-diff(find)"
    assert gold_steps.outcome(gold).numbers == (Fraction(7),)


def test_relocate_and_spans() -> None:
    gold = gold_steps.relocate(gold_steps.find(LOW), (30, 35))
    assert [pick.spans for pick in gold.targets] == [((30, 35),), ((30, 35),), ((0, 3),)]
    assert gold_steps.outcome(gold_steps.spans(gold_steps.find(LOW, HIGH))).spans == (
        (0, 3),
        (10, 13),
    )
