"""Gold steps by hand: the program, and what every step of it comes to."""

from fractions import Fraction

import pytest

from workings.data.derive_types import Pick, Plan
from workings.values import Date
from workings.world import steps
from workings.world.steps import Mention

LOW = Mention((0, 3), Fraction(5), (Date(1500, 4),))
HIGH = Mention((10, 13), Fraction(17, 2), (Date(1512),))
MIDDLE = Mention((20, 23), Fraction(8), (Date(1512, 1),))


def test_find_keeps_text_order() -> None:
    assert steps.find(HIGH, LOW).picks == (Pick(0, spans=((0, 3), (10, 13))),)


def test_extreme_of_a_filter() -> None:
    kept = [LOW, MIDDLE]
    seen = steps.keep(steps.find(LOW, HIGH, MIDDLE), kept)
    gold = steps.extreme_num(seen, kept, largest=True)
    assert str(gold.program) == "find-num(find-max-num(filter(find)))"
    assert gold.picks == (
        Pick(0, numbers=(Fraction(8),)),
        Pick(1, numbers=(Fraction(5), Fraction(8)), spans=((20, 23),)),
        Pick(2, spans=((0, 3), (20, 23))),
        Pick(3, spans=((0, 3), (10, 13), (20, 23))),
    )
    assert steps.outcome(steps.extreme_num(seen, kept, largest=False)).numbers == (Fraction(5),)


def test_arithmetic_is_exact() -> None:
    high, low, middle = map(steps.number_of, (HIGH, LOW, MIDDLE))
    gold = steps.sub(steps.add(high, low), middle)
    assert str(gold.program) == "sub(add(find-num(find), find-num(find)), find-num(find))"
    assert steps.outcome(gold).numbers == (Fraction(11, 2),)
    assert [pick.step for pick in gold.picks] == list(range(8))


def test_a_constant_is_found_nowhere() -> None:
    gold = steps.sub(steps.constant(100), steps.number_of(HIGH))
    assert steps.outcome(gold).numbers == (Fraction(183, 2),)
    assert [pick.step for pick in gold.picks] == [0, 1, 3, 4]


def test_count() -> None:
    gold = steps.count(steps.find(LOW, HIGH))
    assert steps.outcome(gold) == Pick(0, numbers=(Fraction(2),), spans=((0, 3), (10, 13)))


@pytest.mark.parametrize(
    ("gold", "module", "winner"),
    [
        (steps.compare_num(LOW, HIGH, more=True), "compare-num-gt", HIGH),
        (steps.compare_num(LOW, HIGH, more=False), "compare-num-lt", LOW),
        (steps.compare_date(LOW, HIGH, before=True), "compare-date-lt", LOW),
        (steps.compare_date(LOW, HIGH, before=False), "compare-date-gt", HIGH),
    ],
)
def test_compare(gold: Plan, module: str, winner: Mention) -> None:
    assert str(gold.program) == f"span({module}(find, find))"
    assert [pick.spans for pick in gold.picks] == [
        (winner.span,),
        (winner.span,),
        (LOW.span,),
        (HIGH.span,),
    ]
    assert all(pick.numbers or pick.dates for pick in gold.picks[2:])


def test_time_diff_of_two_events_in_any_order() -> None:
    for events in ((LOW, HIGH), (HIGH, LOW)):
        gold = steps.time_diff(*events)
        assert steps.outcome(gold).numbers == (Fraction(12),)
        assert [pick.dates for pick in gold.picks[1:]] == [event.dates for event in events]


def test_time_diff_of_one_event() -> None:
    gold = steps.time_diff(Mention((0, 3), dates=(Date(1500), Date(1507))))
    assert str(gold.program) == "time-diff(find)"
    assert steps.outcome(gold).numbers == (Fraction(7),)


def test_relocate_and_spans() -> None:
    gold = steps.relocate(steps.find(LOW), (30, 35))
    assert [pick.spans for pick in gold.picks] == [((30, 35),), ((30, 35),), ((0, 3),)]
    assert steps.outcome(steps.spans(steps.find(LOW, HIGH))).spans == ((0, 3), (10, 13))
