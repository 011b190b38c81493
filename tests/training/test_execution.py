"""Supervision of single steps, by hand: each known pick on the very step it belongs to."""

from fractions import Fraction
from math import log

import pytest
import torch
from examples_by_hand import example, span_of

from workings.arithmetic.support import Support
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Result, TokenProbabilities
from workings.program import Program
from workings.supervision.supervise import StepTarget
from workings.training.execution import execution_loss
from workings.values import Date

PASSAGE = "Ada ran 12 yards in 1990, Ben ran 30 yards in 1995."
WORDS = 14
ONE = example("How many?", PASSAGE)
SUPPORT = Support((Fraction(12), Fraction(30)))
ASKED = torch.zeros(1, 3)


def step(name: str, output: Result, *inputs: Step, **notes: Result) -> Step:
    program = Program(name, tuple(one.program for one in inputs))
    return Step(program, ASKED, inputs, output, notes)


def attention(**weights: float) -> Attention:
    """Weights of words by their places, as p2=0.5."""
    passage = torch.zeros(1, WORDS)
    for place, weight in weights.items():
        passage[0, int(place[1:])] = weight
    return Attention(passage, ASKED)


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights]), [SUPPORT])


def dates(*weights: float) -> Dates:
    return Dates(torch.tensor([weights]))


def loss(root: Step, *picks: StepTarget) -> float:
    return execution_loss(root, [ONE], [picks]).item()


FIND = step("find", attention(p0=1.0))


def test_the_passage_is_as_assumed() -> None:
    assert len(ONE.passage) == WORDS
    assert ONE.passage.dates == (Date(1990), Date(1995))


def test_a_number_of_its_own() -> None:
    root = step("find-num", numbers(0.25, 0.75), FIND)
    assert loss(root, StepTarget(0, numbers=(Fraction(12),))) == pytest.approx(log(4))
    assert (
        loss(root, StepTarget(0, numbers=(Fraction(99),))) == 0
    )  # nowhere to be found: not taught
    assert loss(root) == 0


def test_several_picks_are_averaged() -> None:
    parts = step("find-num", numbers(0.25, 0.75), FIND), step("find-num", numbers(0.5, 0.5), FIND)
    root = step("sub", Numbers(torch.tensor([[1.0]]), [Support((Fraction(18),))]), *parts)
    picks = StepTarget(1, numbers=(Fraction(12),)), StepTarget(3, numbers=(Fraction(30),))
    assert loss(root, *picks) == pytest.approx((log(4) + log(2)) / 2)


def test_compared_events_are_taught_what_their_parent_read_off_them() -> None:
    notes = {"first": dates(0.25, 0.75), "second": dates(0.5, 0.5)}
    compared = step("compare-date-lt", attention(p0=1.0), FIND, FIND, **notes)
    picks = StepTarget(2, dates=(Date(1990),)), StepTarget(3, dates=(Date(1995),))
    root = step("span", attention(), compared)
    assert loss(root, *picks) == pytest.approx((log(4) + log(2)) / 2)


def test_a_lapse_has_an_end_and_a_beginning() -> None:
    notes = {"first": dates(0.2, 0.8), "second": dates(0.5, 0.5)}
    root = step("time-diff", numbers(0.5, 0.5), FIND, **notes)
    pick = StepTarget(1, dates=(Date(1995), Date(1990)))
    assert loss(root, pick) == pytest.approx((-log(0.8) - log(0.5)) / 2)


def test_attention_should_lie_on_every_span() -> None:
    found = step("find", attention(p0=0.25, p1=0.25, p7=0.125))
    spans = span_of(PASSAGE, "Ada ran"), span_of(PASSAGE, "Ben")
    root = step("find-num", numbers(1.0, 0.0), found)
    assert loss(root, StepTarget(1, spans=spans)) == pytest.approx((log(2) + log(8)) / 2)


def test_counted_mentions_are_marked_and_nothing_else() -> None:
    marks = torch.full((1, WORDS), 0.1)
    marks[0, 2] = 0.8  # the number stands for its mention
    found = step("find", attention(p2=1.0))
    root = step("count", numbers(0.5, 0.5), found, counted=TokenProbabilities(marks))
    pick = StepTarget(1, spans=(span_of(PASSAGE, "Ada ran 12"),))
    on_marks = -log(0.8) - (WORDS - 1) * log(0.9)
    on_words = 0.0
    assert loss(root, pick) == pytest.approx((on_marks + on_words) / 2, rel=1e-5)


def extreme(*marks: float) -> Step:
    """Chances of 12, 1990, 30 and 1995 to be candidates."""
    spread = torch.zeros(1, WORDS)
    for place, mark in zip(ONE.passage.number_mentions.first.tolist(), marks, strict=False):
        spread[0, place] = mark
    found = step("find-max-num", attention(p2=1.0), FIND, candidates=TokenProbabilities(spread))
    return step("find-num", numbers(0.5, 0.5), found)


def test_candidates_are_in_and_of_a_full_list_the_others_out() -> None:
    both = StepTarget(1, numbers=(Fraction(12), Fraction(30)))
    expected = -log(0.5) - log(0.25) - log(0.9) - log(0.8)
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), both) == pytest.approx(expected, rel=1e-5)


def test_a_single_candidate_need_not_be_the_whole_list() -> None:
    one = StepTarget(1, numbers=(Fraction(12),))
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), one) == pytest.approx(-log(0.5), rel=1e-5)
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), StepTarget(1, numbers=(Fraction(99),))) == 0


def test_rows_are_taught_apart() -> None:
    weights = torch.tensor([[0.25, 0.75], [0.5, 0.5], [0.1, 0.9]])
    find = Step(
        Program("find"), torch.zeros(3, 3), (), Attention(torch.zeros(3, WORDS), torch.zeros(3, 3))
    )
    output = Numbers(weights, [SUPPORT] * 3)
    root = Step(Program("find-num", (find.program,)), torch.zeros(3, 3), (find,), output)
    picks = [
        (StepTarget(0, numbers=(Fraction(12),)),),
        (),
        (StepTarget(0, numbers=(Fraction(30),)),),
    ]
    found = execution_loss(root, [ONE] * 3, picks).tolist()
    assert found == pytest.approx([log(4), 0, -log(0.9)], rel=1e-5)


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_certainties_stay_finite(level: float) -> None:
    marks = torch.full((1, WORDS), level, requires_grad=True)
    weights = torch.full((1, 2), level, requires_grad=True)
    found = step("find-max-num", attention(), FIND, candidates=TokenProbabilities(marks))
    root = step("count", Numbers(weights, [SUPPORT]), found, counted=TokenProbabilities(marks))
    pick = StepTarget(1, numbers=(Fraction(12), Fraction(30)), spans=(span_of(PASSAGE, "Ben"),))
    taught = execution_loss(root, [ONE], [(StepTarget(0, numbers=(Fraction(12),)), pick)])
    taught.sum().backward()
    for leaf in (marks, weights):
        assert leaf.grad is not None and bool(leaf.grad.isfinite().all())
    assert bool(taught.isfinite().all())
