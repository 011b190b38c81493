"""Replacements worked out by hand: where the attention of each step may be put instead."""

from fractions import Fraction
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from steps_by_hand import (
    EARLIER,
    ENCODING,
    INPUT,
    LATER,
    PASSAGE,
    WORDS,
    attention,
    candidate,
    computed,
    dates,
    find,
    numbers,
    row,
    span,
    step,
)

from workings.analysis.replacements import Replacement, replacements
from workings.analysis.step_values import nearest_number, recompute
from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation
from workings.network.interpreter import Step
from workings.ops.results import Attention, StepDetails, TokenProbabilities

SENTENCES = (range(7), range(7, 14), range(14, 19))  # tokens of the three sentences


def made(root: Step, seed: int = 0) -> list[Replacement]:
    return replacements(root, 0, INPUT, candidate(root).answer, Random(seed))


def named(root: Step, name: str, position: int, seed: int = 0) -> Replacement | None:
    found = [r for r in made(root, seed) if (r.name, r.position) == (name, position)]
    assert len(found) <= 1
    return found[0] if found else None


def every_draw(root: Step, name: str, position: int) -> list[Replacement]:
    drawn = [named(root, name, position, seed) for seed in range(30)]
    return [replacement for replacement in drawn if replacement is not None]


def attended(replacement: Replacement) -> set[int]:
    return set(replacement.passage.nonzero()[:, 0].tolist())


def difference(first: Step, second: Step, operation: Operation = DISTANCE) -> Step:
    return step("sub", computed(18), first, second, details=StepDetails(operation=operation))


TWELVE = step("find-num", numbers(n12=0.9, n30=0.1), find(Ada=1.0))
THIRTY = step("find-num", numbers(n30=0.9, n12=0.1), find(Ben=1.0))
HUNDRED = step("find-num", numbers(n100=0.9), find(Cleo=1.0))


def test_sentence_without_attended_words() -> None:
    root = step("span", span("Ada"), find(Ada=1.0))
    drawn = every_draw(root, "other sentence", 1)
    assert {frozenset(attended(r)) for r in drawn} == set(map(frozenset, SENTENCES[1:]))
    assert all(torch.allclose(r.passage[list(attended(r))], r.passage.max()) for r in drawn)
    # "ran" is in the first two sentences.
    root = step("span", span("Ada"), find(ran=1.0))
    drawn = every_draw(root, "other sentence", 1)
    assert {frozenset(attended(r)) for r in drawn} == {frozenset(SENTENCES[2])}
    assert {r.words for r in drawn} == {"Cleo rested all day."}


def test_sentence_without_the_value_read() -> None:
    number = step("find-num", numbers(n30=0.9), find(Ada=1.0))
    drawn = every_draw(number, "other sentence", 1)
    assert {frozenset(attended(r)) for r in drawn} == {frozenset(SENTENCES[2])}


def test_stop_words_do_not_exclude_other_sentences() -> None:
    root = step("span", span("Ada"), find(**{"in": 1.0}))
    drawn = every_draw(root, "other sentence", 1)
    assert {frozenset(attended(r)) for r in drawn} == set(map(frozenset, SENTENCES[1:]))


def test_no_sentence_left() -> None:
    root = step("span", span("Ada"), find(Ada=0.3, Ben=0.3, Cleo=0.4))
    assert made(root) == []


def test_other_value_with_its_answer() -> None:
    root = difference(TWELVE, HUNDRED)
    drawn = every_draw(root, "other value", 2)
    assert {(r.value, r.answer) for r in drawn} == {(Fraction(30), Fraction(70))}
    weights = drawn[0].passage
    # Half on "30"; the other half evenly on the seven tokens of its clause.
    assert float(weights[WORDS.index("30")]) == pytest.approx(0.5 + 0.5 / 7)
    assert float(weights[WORDS.index("Ben")]) == pytest.approx(0.5 / 7)
    assert attended(drawn[0]) == set(SENTENCES[1])


def test_value_of_the_other_operand_is_not_drawn() -> None:
    drawn = every_draw(difference(TWELVE, THIRTY), "other value", 2)
    assert {r.value for r in drawn} == {1990, 1995}  # a year only if there is no other number


def test_negative_answer_is_not_drawn() -> None:
    root = difference(TWELVE, THIRTY, SUBTRACTION)
    assert recompute(root, THIRTY.output, Fraction(5), INPUT, 0) == 7
    assert recompute(root, THIRTY.output, Fraction(13), INPUT, 0) is None


def test_other_date_of_a_difference() -> None:
    details = StepDetails(operands=(dates(0.9, 0.1), dates(0.8, 0.2)), operation=DISTANCE)
    root = step("time-diff", computed(0), find(Ada=1.0), find(Ada=1.0), details=details)
    replacement = named(root, "other value", 1)
    assert replacement is not None
    assert (replacement.value, replacement.answer) == (LATER, Fraction(5))


def test_other_value_flips_a_comparison() -> None:
    details = StepDetails(operands=(numbers(n100=1.0), numbers(n12=1.0)))
    first, second = find(Ada=1.0), find(Cleo=1.0)
    compared = step("compare-num-gt", attention(Ada=1.0), first, second, details=details)
    root = step("span", span("Ada"), compared)
    # Every number of the passage instead of 100 is still more than 12.
    assert named(root, "other value", 2) is None
    # 30 instead of 12 is still less than 100.
    drawn = every_draw(root, "other value", 3)
    assert {r.value for r in drawn} == {1990, 1995}
    assert all(r.flips and r.answer is None for r in drawn)
    assert named(root, "other sentence", 2) is None


def test_other_event() -> None:
    first, second = find(Ada=1.0), find(Ben=1.0)
    details = StepDetails(operands=(dates(1, 0), dates(0, 1)))
    compared = step("compare-date-lt", attention(Ada=0.9, Ben=0.1), first, second, details=details)
    replacement = named(step("span", span("Ada"), compared), "other event", 1)
    assert replacement is not None
    assert attended(replacement) == {WORDS.index("Ben")}
    assert replacement.flips
    assert replacement.question is not None
    words = named(step("span", span("Ada"), compared), "other event's words", 1)
    assert words is not None
    assert attended(words) == {WORDS.index("Ben")}
    assert words.question is None
    same = step("compare-date-lt", attention(Ada=1.0), first, find(Ada=0.9, Ben=0.1))
    assert named(step("span", span("Ada"), same), "other event", 1) is None


@pytest.mark.parametrize(("kept", "replaced"), [(0.75, False), (0.6, True)])
def test_filter_only_where_it_drops_something(kept: float, replaced: bool) -> None:
    found = find(Ada=kept, Ben=1 - kept)  # the distance to the output is 1 - kept
    root = step("find-num", numbers(n12=1.0), step("filter", attention(Ada=0.9, Ben=0.1), found))
    replacement = named(root, "identity", 1)
    assert (replacement is not None) == replaced
    if replacement is not None:
        assert torch.equal(replacement.passage, row(Ada=kept, Ben=1 - kept)[0])


def extreme(output: Attention, **candidates: float) -> Step:
    details = StepDetails(candidates=TokenProbabilities(row(**candidates)))
    return step("find-max-num", output, find(ran=1.0), details=details)


def test_other_candidate() -> None:
    most = extreme(attention(n30=1.0), n12=0.6, n30=0.8)
    root = step("find-num", numbers(n30=1.0), most)
    replacement = named(root, "other candidate", 1)
    assert replacement is not None
    assert (replacement.value, replacement.answer) == (Fraction(12), Fraction(12))
    assert attended(replacement) == {WORDS.index("12")}
    person = step("span", span("Ben"), step("relocate", attention(Ben=1.0), most))
    replacement = named(person, "other candidate", 2)
    assert replacement is not None
    assert (replacement.value, replacement.answer, replacement.flips) == (None, None, False)


def test_other_place_avoids_answer_and_attention() -> None:
    moved = step("relocate", attention(Ben=1.0), find(n30=1.0))
    drawn = every_draw(step("span", span("Ben"), moved), "other place", 1)
    assert {r.words for r in drawn} == {"Ada", "Cleo"}
    assert {PASSAGE[slice(*r.place)] for r in drawn if r.place} == {"Ada", "Cleo"}
    counted = step("count", computed(1), moved)
    assert all(r.place is None for r in every_draw(counted, "other place", 1))


def test_recomputes_nested_operations() -> None:
    inner = step("add", computed(42), TWELVE, THIRTY, details=StepDetails(operation=ADDITION))
    root = difference(inner, HUNDRED)
    assert recompute(root, TWELVE.output, Fraction(7), INPUT, 0) == 63
    assert recompute(root, HUNDRED.output, EARLIER, INPUT, 0) == 1990 - 42
    assert recompute(find(Ada=1.0), TWELVE.output, Fraction(7), INPUT, 0) is None


@given(st.integers(0, 10**6))
def test_recomputes_as_arithmetic_does(value: int) -> None:
    root = difference(TWELVE, THIRTY)
    assert recompute(root, TWELVE.output, Fraction(value), INPUT, 0) == abs(value - 30)


@pytest.mark.parametrize(("word", "number"), [("Ada", 12), ("30", 30), ("Cleo", 1995)])
def test_nearest_number(word: str, number: int) -> None:
    nearest = nearest_number(INPUT, WORDS.index(word))
    assert nearest is not None
    assert nearest.value == number


@given(st.lists(st.integers(0, 9), min_size=len(WORDS), max_size=len(WORDS)), st.integers(0, 99))
def test_replacements_are_distributions_over_the_passage(counts: list[int], seed: int) -> None:
    weights = (torch.tensor(counts).float() + 0.01)[None]
    found = step("find", Attention(weights / weights.sum(), torch.zeros(1, 3)))
    kept = step("filter", attention(Ada=0.5, n12=0.5), found)
    root = step("find-num", numbers(n12=1.0), kept)
    replaced = made(root, seed)
    again = [r.passage.tolist() for r in made(root, seed)]
    assert [r.passage.tolist() for r in replaced] == again
    for replacement in replaced:
        assert replacement.passage.shape == ENCODING.passage.shape[1:2]
        assert float(replacement.passage.sum()) == pytest.approx(1)
        assert replacement.value != 12
