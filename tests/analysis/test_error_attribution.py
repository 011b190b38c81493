"""Error attribution against wrong steps worked out by hand, for every category."""

import pytest
from steps_by_hand import (
    EARLIER,
    INPUT,
    LATER,
    WORDS,
    attention,
    candidate,
    computed,
    dates,
    find,
    number_target,
    numbers,
    row,
    span,
    step,
    supervision,
    word_target,
)

from workings.analysis.error_attribution import CATEGORIES, CATEGORY_LABELS, attribute_error
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.results import Dates, StepDetails, TokenProbabilities
from workings.settings import ModuleSettings
from workings.supervision.derivation import StepTarget, Supervision

BEN, ADA, CLEO = find(Ben=0.6, Ada=0.4), find(Ada=0.6, Ben=0.4), find(Cleo=1.0)
NUMBER = supervision("find-num(find)", (number_target(0, 30),))
ORDERED, ABSOLUTE = ModuleSettings(difference="ordered"), ModuleSettings(difference="absolute")


def first_error(
    root: Step, known: Supervision, settings: ModuleSettings = ORDERED
) -> tuple[str, int | None]:
    attribution = attribute_error(candidate(root), known, settings)
    assert attribution.category in CATEGORIES
    return attribution.category, attribution.step


def test_hand_made_passage_is_as_assumed() -> None:
    assert len(INPUT) == len(WORDS)
    assert INPUT.dates == (EARLIER, LATER)
    assert int(INPUT.sentences.max()) == 2


def test_every_category_has_a_label_and_every_module_a_category() -> None:
    assert set(CATEGORY_LABELS) == set(CATEGORIES)
    assert {module.error_category for module in REGISTRY.values()} <= set(CATEGORIES)


def test_unknown_without_derivation() -> None:
    root = step("find-num", numbers(n12=1.0), BEN)
    assert first_error(root, Supervision()) == ("unknown", None)


def test_program_without_derivation() -> None:
    details = StepDetails(counted=TokenProbabilities(row(Ben=1.0)))
    root = step("count", computed(1), BEN, details=details)
    assert first_error(root, NUMBER) == ("program", None)
    message = str(attribute_error(candidate(root), NUMBER, ORDERED))
    assert message == "The program is count(find); it should be find-num(find)."


def test_find_attends_to_another_sentence() -> None:
    assert first_error(step("find-num", numbers(n12=1.0), ADA), NUMBER) == ("find", 1)


def test_find_is_correct_if_the_right_number_is_read_off_it() -> None:
    first = step("find-num", numbers(n30=1.0), CLEO)
    assert first_error(difference(first, TWELVE, 0), DIFFERENCE) == ("arithmetic", 5)


def test_find_under_filter_is_correct_if_the_right_number_is_read_off_the_filter() -> None:
    known = supervision("find-num(filter(find))", (number_target(0, 30),))
    root = step("find-num", numbers(n30=1.0), step("filter", attention(Cleo=1.0), CLEO))
    assert first_error(root, known) == ("span", 3)


def test_wrong_number() -> None:
    root = step("find-num", numbers(n12=0.6, n30=0.4), BEN)
    assert first_error(root, NUMBER) == ("pick", 2)
    message = str(attribute_error(candidate(root), NUMBER, ORDERED))
    assert message == "Step 2, find-num, is 12; it should be 30."


def test_filter_drops_the_target() -> None:
    known = supervision("find-num(filter(find))", (number_target(0, 30),))
    # An even share of three sentences is enough for the input of a filter.
    enough, too_little = find(Ada=0.6, Ben=0.4), find(Ada=0.8, Ben=0.2)
    output = attention(Ada=0.9, Ben=0.1)
    root = step("find-num", numbers(n12=1.0), step("filter", output, enough))
    assert first_error(root, known) == ("filter", 2)
    root = step("find-num", numbers(n12=1.0), step("filter", output, too_little))
    assert first_error(root, known) == ("find", 1)


def test_wrong_date() -> None:
    known = supervision("find-date(find)", (StepTarget(0, dates=(LATER,)),))
    assert first_error(step("find-date", dates(0.9, 0.1), BEN), known) == ("pick", 2)


@pytest.mark.parametrize(
    ("module", "chosen", "expected"),
    [
        ("find-max-num", "n12", ("pick", 2)),
        ("find-max-num", "n30", ("span", 3)),
        ("find-min-num", "n30", ("pick", 2)),
        ("find-min-num", "n12", ("span", 3)),
    ],
)
def test_extreme_must_choose_the_largest_or_smallest(
    module: str, chosen: str, expected: tuple[str, int]
) -> None:
    answer = 30 if module == "find-max-num" else 12
    program = f"find-num({module}(find))"
    known = supervision(program, (number_target(0, answer), number_target(1, 30, 12)))
    details = StepDetails(candidates=TokenProbabilities(row(**{chosen: 1.0})))
    extreme = step(module, attention(**{chosen: 1.0}), BEN, details=details)
    assert first_error(step("find-num", numbers(**{chosen: 1.0}), extreme), known) == expected


def test_find_under_extreme_must_cover_every_candidate() -> None:
    known = supervision(
        "find-num(find-max-num(find))", (number_target(0, 30), number_target(1, 30, 12))
    )
    details = StepDetails(candidates=TokenProbabilities(row(n12=1.0)))
    extreme = step("find-max-num", attention(n12=1.0), find(Ben=1.0), details=details)
    assert first_error(step("find-num", numbers(n12=1.0), extreme), known) == ("find", 1)


SUB = "sub(find-num(find), find-num(find))"
DIFFERENCE = supervision(SUB, (number_target(0, 18), number_target(1, 30), number_target(3, 12)))
THIRTY, TWELVE = step("find-num", numbers(n30=1.0), BEN), step("find-num", numbers(n12=1.0), ADA)


def difference(first: Step, second: Step, value: int, name: str = "sub") -> Step:
    return step(name, computed(value), first, second)


def test_wrong_result_of_right_numbers() -> None:
    assert first_error(difference(THIRTY, TWELVE, 0), DIFFERENCE) == ("arithmetic", 5)


def test_wrong_second_number() -> None:
    assert first_error(difference(THIRTY, THIRTY, 0), DIFFERENCE) == ("find", 3)


def test_operands_of_commutative_modules_may_be_exchanged() -> None:
    exchanged = difference(TWELVE, TWELVE, 0)
    assert first_error(exchanged, DIFFERENCE, ORDERED) == ("find", 1)
    assert first_error(exchanged, DIFFERENCE, ABSOLUTE) == ("find", 3)
    total = supervision(SUB.replace("sub", "add", 1), DIFFERENCE.derivations[0].targets)
    assert first_error(difference(TWELVE, TWELVE, 24, "add"), total, ORDERED) == ("find", 3)


def test_derivation_that_agrees_longest_is_used() -> None:
    other = (number_target(0, 18), number_target(1, 1990), number_target(3, 12))
    both = supervision(SUB, other, DIFFERENCE.derivations[0].targets)
    assert first_error(difference(THIRTY, TWELVE, 0), both) == ("arithmetic", 5)


def count(value: int, **weights: float) -> Step:
    details = StepDetails(counted=TokenProbabilities(row(**weights)))
    return step("count", computed(value), find(Cleo=1.0), details=details)


def test_wrong_count() -> None:
    known = supervision("count(find)", (number_target(0, 2),))
    assert first_error(count(1, Ben=1.0), known) == ("count", 2)


def test_find_under_count_must_cover_counted_mentions() -> None:
    known = supervision("count(find)", (number_target(0, 2), word_target(1, "Ada", "Ben")))
    assert first_error(count(1, Ben=1.0), known) == ("find", 1)


def test_wrong_difference_is_attributed_to_a_count_without_target() -> None:
    known = supervision("sub(count(find), count(find))", (number_target(0, 1),))
    assert first_error(step("sub", computed(2), count(3), count(1)), known) == ("count", 2)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [({"Ben": 1.0}, ("span", 2)), ({"ran": 1.0}, ("find", 1))],
)
def test_span_of_other_words(weights: dict[str, float], expected: tuple[str, int]) -> None:
    known = supervision("span(find)", (word_target(1, "Ben"),))
    assert first_error(step("span", span("Cleo"), find(**weights)), known) == expected


def test_wrong_relocation_counts_as_find() -> None:
    known = supervision("span(relocate(find))", (word_target(1, "Ben"),))
    relocate = step("relocate", attention(Ada=1.0), CLEO)
    assert first_error(step("span", span("Ada"), relocate), known) == ("find", 2)


def test_relocation_must_attend_to_the_exact_words_under_any_module() -> None:
    known = supervision("find-num(relocate(find))", (number_target(0, 30), word_target(1, "Ben")))
    relocate = step("relocate", attention(yards=1.0), CLEO)
    assert first_error(step("find-num", numbers(n12=1.0), relocate), known) == ("find", 2)
    relocate = step("relocate", attention(Ben=1.0), CLEO)
    assert first_error(step("find-num", numbers(n12=1.0), relocate), known) == ("pick", 3)


def test_right_number_in_a_wrong_answer_counts_as_span() -> None:
    assert first_error(step("find-num", numbers(n30=1.0), BEN), NUMBER) == ("span", 2)


COMPARISON = supervision(
    "span(compare-date-lt(find, find))",
    (StepTarget(2, dates=(LATER,)), StepTarget(3, dates=(EARLIER,))),
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
def test_date_comparison(
    first: Dates, second: Dates, chosen: dict[str, float], expected: tuple[str, int]
) -> None:
    events, details = (find(Ben=1.0), find(Ada=1.0)), StepDetails(operands=(first, second))
    root = step("compare-date-lt", attention(**chosen), *events, details=details)
    assert first_error(step("span", span("Ben"), root), COMPARISON) == expected


def test_number_comparison() -> None:
    known = supervision(
        "span(compare-num-gt(find, find))", (number_target(2, 30), number_target(3, 12))
    )
    details = StepDetails(operands=(numbers(n30=1.0), numbers(n12=1.0)))
    events = find(Ben=1.0), find(Ada=1.0)
    root = step("compare-num-gt", attention(Ada=1.0), *events, details=details)
    assert first_error(step("span", span("Ada"), root), known) == ("arithmetic", 3)


@pytest.mark.parametrize(
    ("end", "expected"), [(dates(0.9, 0.1), "pick"), (dates(0.1, 0.9), "arithmetic")]
)
def test_time_difference_of_one_event(end: Dates, expected: str) -> None:
    known = supervision(
        "time-diff(find)", (number_target(0, 5), StepTarget(1, dates=(LATER, EARLIER)))
    )
    details = StepDetails(operands=(end, dates(0.9, 0.1)))
    root = step("time-diff", computed(0), BEN, details=details)
    assert first_error(root, known) == (expected, 2)
