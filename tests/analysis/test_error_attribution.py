"""The blamed step is known by hand, for every sort of fault."""

import pytest
from steps_by_hand import (
    FIRST,
    INPUT,
    LATER,
    WORDS,
    dates,
    find,
    known,
    looks,
    number_pick,
    numbers,
    result,
    row,
    span,
    step,
    tried,
    words_pick,
)

from workings.analysis.error_attribution import FAULTS, LABELS, attribute_error
from workings.network.interpreter import Step
from workings.ops.results import Dates, TokenProbabilities
from workings.settings import ModuleSettings
from workings.supervision.supervise import StepTarget, Supervision

BEN, ADA, CLEO = find(Ben=0.6, Ada=0.4), find(Ada=0.6, Ben=0.4), find(Cleo=1.0)
NUMBER = known("find-num(find)", (number_pick(0, 30),))
ORDERED, ABSOLUTE = ModuleSettings(difference="ordered"), ModuleSettings(difference="absolute")


def fault(
    root: Step, supervision: Supervision, settings: ModuleSettings = ORDERED
) -> tuple[str, int | None]:
    found = attribute_error(tried(root), supervision, settings)
    assert found.fault in FAULTS
    return found.fault, found.step


def test_the_passage_is_as_assumed() -> None:
    assert len(INPUT) == len(WORDS)
    assert INPUT.dates == (FIRST, LATER)
    assert int(INPUT.sentences.max()) == 2
    assert set(LABELS) == set(FAULTS)


def test_no_derivation_is_known() -> None:
    assert fault(step("find-num", numbers(n12=1.0), BEN), Supervision()) == ("unknown", None)


def test_another_program_was_wanted() -> None:
    root = step("count", result(1), BEN, counted=TokenProbabilities(row(Ben=1.0)))
    assert fault(root, NUMBER) == ("program", None)
    told = str(attribute_error(tried(root), NUMBER, ORDERED))
    assert told == "The program is count(find); it should be find-num(find)."


def test_a_find_looks_at_another_sentence() -> None:
    assert fault(step("find-num", numbers(n12=1.0), ADA), NUMBER) == ("find", 1)


def test_a_find_is_right_if_the_right_number_is_read_off_it() -> None:
    first = step("find-num", numbers(n30=1.0), CLEO)
    assert fault(difference(first, TWELVE, 0), DIFFERENCE) == ("arithmetic", 5)


def test_a_number_is_picked_beside_the_one_wanted() -> None:
    root = step("find-num", numbers(n12=0.6, n30=0.4), BEN)
    assert fault(root, NUMBER) == ("pick", 2)
    assert (
        str(attribute_error(tried(root), NUMBER, ORDERED))
        == "Step 2, find-num, is 12; it should be 30."
    )


def test_a_filter_drops_what_was_found() -> None:
    wanted = known("find-num(filter(find))", (number_pick(0, 30),))
    # An even share of three sentences is enough for what is yet to be filtered.
    kept, dropped = find(Ada=0.6, Ben=0.4), find(Ada=0.8, Ben=0.2)
    narrowed = looks(Ada=0.9, Ben=0.1)
    root = step("find-num", numbers(n12=1.0), step("filter", narrowed, kept))
    assert fault(root, wanted) == ("filter", 2)
    root = step("find-num", numbers(n12=1.0), step("filter", narrowed, dropped))
    assert fault(root, wanted) == ("find", 1)


def test_a_date_is_picked_beside_the_one_wanted() -> None:
    wanted = known("find-date(find)", (StepTarget(0, dates=(LATER,)),))
    assert fault(step("find-date", dates(0.9, 0.1), BEN), wanted) == ("pick", 2)


def test_the_wrong_number_is_the_largest() -> None:
    wanted = known("find-num(find-max-num(find))", (number_pick(0, 30), number_pick(1, 30, 12)))
    best = step("find-max-num", looks(n12=1.0), BEN, candidates=TokenProbabilities(row(n12=1.0)))
    assert fault(step("find-num", numbers(n12=1.0), best), wanted) == ("pick", 2)
    missed = step(
        "find-max-num", looks(n12=1.0), find(Ben=1.0), candidates=TokenProbabilities(row(n12=1.0))
    )
    assert fault(step("find-num", numbers(n12=1.0), missed), wanted) == ("find", 1)


SUM = "sub(find-num(find), find-num(find))"
DIFFERENCE = known(SUM, (number_pick(0, 18), number_pick(1, 30), number_pick(3, 12)))


def difference(first: Step, second: Step, outcome: int, name: str = "sub") -> Step:
    return step(name, result(outcome), first, second)


THIRTY, TWELVE = step("find-num", numbers(n30=1.0), BEN), step("find-num", numbers(n12=1.0), ADA)


def test_right_numbers_are_reckoned_wrongly() -> None:
    assert fault(difference(THIRTY, TWELVE, 0), DIFFERENCE) == ("arithmetic", 5)


def test_the_second_number_is_wrong() -> None:
    assert fault(difference(THIRTY, THIRTY, 0), DIFFERENCE) == ("find", 3)


def test_sides_may_change_places_where_the_result_does_not() -> None:
    swapped = difference(TWELVE, TWELVE, 0)
    assert fault(swapped, DIFFERENCE, ORDERED) == ("find", 1)
    assert fault(swapped, DIFFERENCE, ABSOLUTE) == ("find", 3)
    total = known(SUM.replace("sub", "add", 1), *(d.picks for d in DIFFERENCE.derivations))
    assert fault(difference(TWELVE, TWELVE, 24, "add"), total, ORDERED) == ("find", 3)


def test_the_derivation_that_agrees_longest_counts() -> None:
    other = (number_pick(0, 18), number_pick(1, 1990), number_pick(3, 12))
    both = known(SUM, other, DIFFERENCE.derivations[0].picks)
    assert fault(difference(THIRTY, TWELVE, 0), both) == ("arithmetic", 5)


def counting(number: int, **weights: float) -> Step:
    return step("count", result(number), find(Cleo=1.0), counted=TokenProbabilities(row(**weights)))


def test_a_count_is_off() -> None:
    wanted = known("count(find)", (number_pick(0, 2),))
    assert fault(counting(1, Ben=1.0), wanted) == ("count", 2)


def test_counted_mentions_are_looked_at_first() -> None:
    place = words_pick(1, "Ada", "Ben")
    wanted = known("count(find)", (number_pick(0, 2), place))
    assert fault(counting(1, Ben=1.0), wanted) == ("find", 1)


def test_an_unknown_count_is_to_blame_for_a_wrong_difference() -> None:
    wanted = known("sub(count(find), count(find))", (number_pick(0, 1),))
    assert fault(step("sub", result(2), counting(3), counting(1)), wanted) == ("count", 2)


@pytest.mark.parametrize(
    ("looked", "expected"),
    [({"Ben": 1.0}, ("span", 2)), ({"ran": 1.0}, ("find", 1))],
)
def test_a_span_of_other_words(looked: dict[str, float], expected: tuple[str, int]) -> None:
    wanted = known("span(find)", (words_pick(1, "Ben"),))
    assert fault(step("span", span("Cleo"), find(**looked)), wanted) == expected


def test_a_relocation_is_a_find() -> None:
    wanted = known("span(relocate(find))", (words_pick(1, "Ben"),))
    moved = step("relocate", looks(Ada=1.0), CLEO)
    assert fault(step("span", span("Ada"), moved), wanted) == ("find", 2)


def test_the_right_number_in_other_words() -> None:
    root = step("find-num", numbers(n30=1.0), BEN)
    assert fault(root, NUMBER) == ("span", 2)


COMPARED = known(
    "span(compare-date-lt(find, find))",
    (StepTarget(2, dates=(LATER,)), StepTarget(3, dates=(FIRST,))),
)


@pytest.mark.parametrize(
    ("first", "second", "chosen", "expected"),
    [
        (dates(0.9, 0.1), dates(0.9, 0.1), {"Ada": 1.0}, ("pick", 3)),
        (dates(0.1, 0.9), dates(0.1, 0.9), {"Ada": 1.0}, ("pick", 3)),
        (dates(0.1, 0.9), dates(0.9, 0.1), {"Ben": 0.7, "Ada": 0.3}, ("arithmetic", 3)),
        (dates(0.1, 0.9), dates(0.9, 0.1), {"Ben": 0.3, "Ada": 0.7}, ("span", 4)),
    ],
)
def test_events_are_compared(
    first: Dates, second: Dates, chosen: dict[str, float], expected: tuple[str, int]
) -> None:
    events = find(Ben=1.0), find(Ada=1.0)
    root = step("compare-date-lt", looks(**chosen), *events, first=first, second=second)
    assert fault(step("span", span("Ben"), root), COMPARED) == expected


def test_numbers_are_compared() -> None:
    wanted = known("span(compare-num-gt(find, find))", (number_pick(2, 30), number_pick(3, 12)))
    notes = {"first": numbers(n30=1.0), "second": numbers(n12=1.0)}
    root = step("compare-num-gt", looks(Ada=1.0), find(Ben=1.0), find(Ada=1.0), **notes)
    assert fault(step("span", span("Ada"), root), wanted) == ("arithmetic", 3)


@pytest.mark.parametrize(
    ("end", "expected"), [(dates(0.9, 0.1), "pick"), (dates(0.1, 0.9), "arithmetic")]
)
def test_the_years_of_one_event(end: Dates, expected: str) -> None:
    wanted = known("time-diff(find)", (number_pick(0, 5), StepTarget(1, dates=(LATER, FIRST))))
    notes = {"first": end, "second": dates(0.9, 0.1)}
    assert fault(step("time-diff", result(0), BEN, **notes), wanted) == (expected, 2)
