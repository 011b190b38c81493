"""Plans of hand-made values: programs, targets, and names of modules."""

from fractions import Fraction

import pytest

from workings.modules import REGISTRY
from workings.program import Program
from workings.supervision import plans
from workings.supervision.derivation import Plan
from workings.supervision.module_lookup import comparison_name, extreme_name
from workings.supervision.question_plans import argument_plan, sum_plans, years_plan
from workings.values import Date

ONE, TWO, SIX = (plans.number_of(Fraction(n)) for n in (1, 2, 6))
SPAN = (3, 7)
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
    plans.years_between(plans.find(dates=[Date(1640), Date(1652)]), years=Fraction(12)),
    plans.compare_values(comparison_name("num", smaller=True), [Fraction(6), Fraction(2)]),
    plans.compare_values(comparison_name("num", smaller=False), [Fraction(6), Fraction(2)]),
    plans.compare_values(comparison_name("date", smaller=True), [Date(1640), Date(1652)]),
    plans.compare_values(comparison_name("date", smaller=False), [Date(1640), Date(1652)]),
    plans.answer_spans(plans.find(spans=[SPAN])),
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
    ("added", "subtracted", "programs"),
    [
        ([SIX], [], ["find-num(find)"]),
        ([SIX], [TWO], ["sub(find-num(find), find-num(find))"]),
        (
            [SIX],
            [TWO, ONE],
            [
                "sub(find-num(find), add(find-num(find), find-num(find)))",
                "sub(sub(find-num(find), find-num(find)), find-num(find))",
            ],
        ),
    ],
)
def test_sums(added: list[Plan], subtracted: list[Plan], programs: list[str]) -> None:
    built = plans.sums(added, subtracted)
    assert [str(one.program) for one in built] == programs
    assert len({plans.result_of(one) for one in built}) == 1


def test_sum_of_two_longest() -> None:
    question = "How many yards were Orlin's longest run and Tamm's longest run together?"
    (built,) = sum_plans(question, [Fraction(9), Fraction(4)], [])
    longest = "find-num(find-max-num(find))"
    assert str(built.program) == f"add({longest}, {longest})"


def test_years_of_two_events_follow_the_question() -> None:
    dates = Date(1652), Date(1640)
    after = years_plan("How many years after the siege was the truce?", dates)
    assert [target.dates for target in after.targets[1:]] == [(dates[1],), (dates[0],)]
    before = years_plan("How many years before the truce was the siege?", dates)
    assert [target.dates for target in before.targets[1:]] == [(dates[0],), (dates[1],)]
    within = years_plan("How many years did the war last?", dates)
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
