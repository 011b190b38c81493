"""Programs without text filters: the steps and the targets that remain."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from workings.program import Program
from workings.supervision.derivation import StepTarget
from workings.supervision.unfiltered import without_filters

ATTENTION = st.recursive(
    st.just(Program("find")),
    lambda inner: st.one_of(
        st.builds(lambda child: Program("filter", (child,)), inner),
        st.builds(lambda child: Program("relocate", (child,)), inner),
        st.builds(lambda *both: Program("compare-num-gt", both), inner, inner),
    ),
    max_leaves=5,
)


def target(step: int, *numbers: int) -> StepTarget:
    return StepTarget(step, numbers=tuple(map(Fraction, numbers)))


def test_steps_are_numbered_anew() -> None:
    program = Program.parse("sub(count(filter(find)), count(filter(filter(find))))")
    # sub 0, count 1, filter 2, find 3, count 4, filter 5, filter 6, find 7
    shorter, targets = without_filters(program, [target(0, 10), target(3, 13), target(4, 14)])
    assert str(shorter) == "sub(count(find), count(find))"
    assert targets == (target(0, 10), target(2, 13), target(3, 14))


def test_find_takes_over_the_target_of_its_filter() -> None:
    program = Program.parse("count(filter(filter(find)))")
    all_targets = [target(3, 13), target(1, 11), target(2, 12)]
    assert without_filters(program, all_targets)[1] == (target(1, 11),)
    assert without_filters(program, [target(2, 12), target(3, 13)])[1] == (target(1, 12),)
    assert without_filters(program, [target(3, 13)])[1] == (target(1, 13),)
    assert without_filters(program, [])[1] == ()


def test_program_without_filters_stays_as_it_is() -> None:
    program = Program.parse("find-num(find-max-num(find))")
    targets = (target(0, 1), target(2, 3))
    assert without_filters(program, targets) == (program, targets)


@given(inner=ATTENTION, chosen=st.sets(st.integers(0, 20)))
def test_other_steps_keep_their_module_and_target(inner: Program, chosen: set[int]) -> None:
    program = Program("count", (inner,))
    names = [step.name for step in program.walk()]
    targets = [target(step, step) for step in range(len(names)) if step in chosen]
    shorter, moved = without_filters(program, targets)
    remaining = [step for step, name in enumerate(names) if name != "filter"]
    assert [step.name for step in shorter.walk()] == [names[step] for step in remaining]
    by_step = {entry.step: int(entry.numbers[0]) for entry in moved}
    assert len(by_step) == len(moved)
    for new, old in enumerate(remaining):
        filters: list[int] = []  # those directly above the step, the outermost first
        while names[old - 1 - len(filters)] == "filter":
            filters.insert(0, old - 1 - len(filters))
        with_target = [step for step in (*filters, old) if step in chosen]
        assert by_step.get(new) == (with_target[0] if with_target else None)
