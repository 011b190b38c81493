"""Plans of hand-made values: programs, targets, and names of modules."""

from fractions import Fraction

import pytest

from workings.modules import REGISTRY
from workings.program import Program
from workings.supervision import plans
from workings.supervision.derivation import Plan
from workings.supervision.module_lookup import comparison_name, extreme_name
from workings.supervision.question_plans import argument_plan, interval_plan, sum_plan
from workings.values import Date

ONE, TWO, SIX = (plans.number_of(Fraction(n)) for n in (1, 2, 6))
SPAN = (3, 7)
TWELVE = Fraction(12)
EVERY_BUILDER = [
    plans.filter_events(plans.find()),
    plans.relocate(plans.find(), [SPAN]),
    plans.find_date(plans.find(), Date(1640)),
    plans.extreme_number(Fraction(6), extreme_name(smallest=False), [Fraction(6), Fraction(2)]),
    plans.extreme_number(Fraction(2), extreme_name(smallest=True), [Fraction(6), Fraction(2)]),
    plans.count(plans.find(), 2, [SPAN]),
    plans.add(SIX, TWO),
    plans.subtract(SIX, TWO),
    plans.difference_of_counts(Fraction(3)),
    plans.time_between(plans.find(dates=[Date(1640), Date(1652)]), amount=Fraction(12)),
    plans.compare_values(comparison_name("num", smaller=True), [Fraction(6), Fraction(2)]),
    plans.compare_values(comparison_name("num", smaller=False), [Fraction(6), Fraction(2)]),
    plans.compare_values(comparison_name("date", smaller=True), [Date(1640), Date(1652)]),
    plans.compare_values(comparison_name("date", smaller=False), [Date(1640), Date(1652)]),
    plans.answer_spans(plans.find(spans=[SPAN])),
    plans.multiply(SIX, plans.question_number(Fraction(3))),
    plans.divide(SIX, TWO),
    plans.percent(ONE, SIX),
    plans.percent_change(TWO, SIX),
    plans.subtract(plans.hundred(), SIX),
    plans.add(SIX, plans.one()),
    plans.total(plans.find(), [Fraction(2), Fraction(6)]),
    plans.average(plans.find(), [Fraction(2), Fraction(6)]),
    plans.count(plans.keep_above(plans.find(), plans.question_number(Fraction(1))), 2),
    plans.count(plans.keep_below(plans.find(), plans.question_number(Fraction(7))), 2),
    plans.find_extreme(
        extreme_name(smallest=True), plans.find(), [SIX.root_target.numbers[0]], rank=TWO
    ),
    plans.time_between(plans.find(), amount=Fraction(1), unit="days"),
    plans.time_between(plans.find(), plans.find(), amount=Fraction(1), unit="months"),
    plans.unknown(),
]


def forms(program: Program) -> list[tuple[str, int]]:
    return [(step.name, len(step.children)) for step in program.walk()]


@pytest.mark.parametrize("built", EVERY_BUILDER, ids=lambda built: str(built.program))
def test_builders_use_modules_with_the_right_number_of_inputs(built: Plan) -> None:
    for name, inputs in forms(built.program):
        assert inputs in [len(signature.takes) for signature in REGISTRY[name].signatures()]


def test_results_of_operations() -> None:
    assert plans.result_of(plans.add(SIX, TWO)) == 8
    assert plans.result_of(plans.subtract(SIX, plans.add(ONE, TWO))) == 3


@pytest.mark.parametrize(
    ("added", "subtracted", "program"),
    [
        ([SIX], [], "find-num(find)"),
        ([SIX], [TWO], "sub(find-num(find), find-num(find))"),
        ([SIX], [TWO, ONE], "sub(find-num(find), add(find-num(find), find-num(find)))"),
    ],
)
def test_differences(added: list[Plan], subtracted: list[Plan], program: str) -> None:
    assert str(plans.difference(added, subtracted).program) == program


@pytest.mark.parametrize(
    ("built", "program", "result"),
    [
        (plans.multiply(SIX, TWO), "mul(find-num(find), find-num(find))", 12),
        (plans.divide(ONE, TWO), "div(find-num(find), find-num(find))", Fraction(1, 2)),
        (plans.percent(ONE, SIX), "percent(find-num(find), find-num(find))", Fraction(50, 3)),
        (plans.percent_change(TWO, SIX), "percent-change(find-num(find), find-num(find))", None),
        (plans.subtract(plans.hundred(), SIX), "sub(hundred, find-num(find))", 94),
        (plans.add(SIX, plans.one()), "add(find-num(find), one)", 7),
        (plans.multiply(plans.question_number(Fraction(3)), TWO), None, 6),
        (plans.total(plans.find(), [Fraction(2)] * 3), "sum(find)", 6),
        (plans.average(plans.find(), [Fraction(1), Fraction(2)]), "average(find)", Fraction(3, 2)),
        (
            plans.time_between(plans.find(), plans.find(), amount=Fraction(9), unit="days"),
            "days-diff(find, find)",
            9,
        ),
        (plans.time_between(plans.find(), amount=Fraction(9), unit="months"), None, 9),
    ],
)
def test_further_operations(built: Plan, program: str | None, result: Fraction | None) -> None:
    assert program is None or str(built.program) == program
    assert result is None or plans.result_of(built) == result


def test_percent_change_is_positive() -> None:
    assert plans.result_of(plans.percent_change(TWO, SIX)) == Fraction(200, 3)
    assert plans.result_of(plans.percent_change(SIX, TWO)) == 200


def test_members_of_a_sum() -> None:
    members = (Fraction(2), Fraction(2), Fraction(5))
    assert plans.total(plans.find(), members).root_target.members == members
    assert plans.total(plans.find(), members).root_target.numbers == (Fraction(9),)


def test_rank_of_an_extreme() -> None:
    rank = plans.question_number(Fraction(2))
    module = extreme_name(smallest=False)
    built = plans.find_extreme(module, plans.find(), [Fraction(6), Fraction(2)], rank=rank)
    assert str(built.program) == "find-max-num(find, question-num)"
    assert [(target.step, list(map(int, target.numbers))) for target in built.targets] == [
        (0, [6, 2]),
        (2, [2]),
    ]


def test_sum_of_two_longest() -> None:
    question = "How many yards were Orlin's longest run and Tamm's longest run together?"
    built = sum_plan(question, [Fraction(9), Fraction(4)], [])
    longest = "find-num(find-max-num(find))"
    assert str(built.program) == f"add({longest}, {longest})"


def test_years_of_two_events_follow_the_question() -> None:
    dates = Date(1652), Date(1640)
    after = interval_plan("How many years after the siege was the truce?", dates, TWELVE)
    assert [target.dates for target in after.targets[1:]] == [(dates[1],), (dates[0],)]
    before = interval_plan("How many years before the truce was the siege?", dates, TWELVE)
    assert [target.dates for target in before.targets[1:]] == [(dates[0],), (dates[1],)]
    within = interval_plan("How many years did the war last?", dates, TWELVE)
    assert str(within.program) == "time-diff(find)"
    assert within.root_target.numbers == (Fraction(12),)


def test_argument_of_a_filtered_extreme() -> None:
    question = "Who caught the longest touchdown pass of the first half?"
    built = argument_plan(question, [(0, 5)], [SPAN], [Fraction(9)])
    assert str(built.program) == "span(relocate(find-max-num(filter(find))))"
    assert [(target.step, target.spans) for target in built.targets] == [
        (1, ((0, 5),)),
        (2, (SPAN,)),
    ]
