"""The execution loss by hand: each target supervises the step it belongs to."""

from fractions import Fraction
from math import log

import pytest
import torch
from examples_by_hand import example, span_of

from workings.arithmetic.support import Support
from workings.network.interpreter import Step
from workings.ops.results import (
    Attention,
    Dates,
    Numbers,
    Result,
    StepDetails,
    TokenProbabilities,
)
from workings.program import Program
from workings.supervision.supervise import StepTarget
from workings.training.execution import execution_loss
from workings.values import Date

PASSAGE = "Ada ran 12 yards in 1990, Ben ran 30 yards in 1995."
TOKENS = 14
EXAMPLE = example("How many?", PASSAGE)
SUPPORT = Support((Fraction(12), Fraction(30)))
QUESTION_ATTENTION = torch.zeros(1, 3)


def step(name: str, output: Result, *inputs: Step, details: StepDetails | None = None) -> Step:
    program = Program(name, tuple(child.program for child in inputs))
    return Step(program, QUESTION_ATTENTION, inputs, output, details or StepDetails())


def attention(weights: dict[int, float] | None = None) -> Attention:
    """An attention with the given weights at passage tokens."""
    passage = torch.zeros(1, TOKENS)
    for token, weight in (weights or {}).items():
        passage[0, token] = weight
    return Attention(passage, QUESTION_ATTENTION)


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights]), [SUPPORT])


def dates(*weights: float) -> Dates:
    return Dates(torch.tensor([weights]))


def loss(root: Step, *targets: StepTarget) -> float:
    return execution_loss(root, [EXAMPLE], [targets]).item()


FIND = step("find", attention({0: 1.0}))


def test_the_passage_is_as_assumed() -> None:
    assert len(EXAMPLE.passage) == TOKENS
    assert EXAMPLE.passage.dates == (Date(1990), Date(1995))


def test_number_of_a_step() -> None:
    root = step("find-num", numbers(0.25, 0.75), FIND)
    assert loss(root, StepTarget(0, numbers=(Fraction(12),))) == pytest.approx(log(4))
    assert loss(root, StepTarget(0, numbers=(Fraction(99),))) == 0  # not in the support
    assert loss(root) == 0


def test_averages_over_targets() -> None:
    parts = step("find-num", numbers(0.25, 0.75), FIND), step("find-num", numbers(0.5, 0.5), FIND)
    root = step("sub", Numbers(torch.tensor([[1.0]]), [Support((Fraction(18),))]), *parts)
    targets = StepTarget(1, numbers=(Fraction(12),)), StepTarget(3, numbers=(Fraction(30),))
    assert loss(root, *targets) == pytest.approx((log(4) + log(2)) / 2)


def test_compared_events_are_supervised_by_the_operands_of_their_parent() -> None:
    details = StepDetails(operands=(dates(0.25, 0.75), dates(0.5, 0.5)))
    compared = step("compare-date-lt", attention({0: 1.0}), FIND, FIND, details=details)
    targets = StepTarget(2, dates=(Date(1990),)), StepTarget(3, dates=(Date(1995),))
    root = step("span", attention(), compared)
    assert loss(root, *targets) == pytest.approx((log(4) + log(2)) / 2)


def test_a_single_event_has_an_end_and_a_start() -> None:
    details = StepDetails(operands=(dates(0.2, 0.8), dates(0.5, 0.5)))
    root = step("time-diff", numbers(0.5, 0.5), FIND, details=details)
    target = StepTarget(1, dates=(Date(1995), Date(1990)))
    assert loss(root, target) == pytest.approx((-log(0.8) - log(0.5)) / 2)


def test_attention_covers_every_span() -> None:
    find = step("find", attention({0: 0.25, 1: 0.25, 7: 0.125}))
    spans = span_of(PASSAGE, "Ada ran"), span_of(PASSAGE, "Ben")
    root = step("find-num", numbers(1.0, 0.0), find)
    assert loss(root, StepTarget(1, spans=spans)) == pytest.approx((log(2) + log(8)) / 2)


def test_counts_target_mentions_and_no_other_token() -> None:
    probabilities = torch.full((1, TOKENS), 0.1)
    probabilities[0, 2] = 0.8  # the number represents its mention
    details = StepDetails(counted=TokenProbabilities(probabilities))
    find = step("find", attention({2: 1.0}))
    root = step("count", numbers(0.5, 0.5), find, details=details)
    target = StepTarget(1, spans=(span_of(PASSAGE, "Ada ran 12"),))
    count_loss = -log(0.8) - (TOKENS - 1) * log(0.9)
    attention_loss = 0.0
    assert loss(root, target) == pytest.approx((count_loss + attention_loss) / 2, rel=1e-5)


def extreme(*probabilities: float) -> Step:
    """A maximum with the probabilities that 12, 1990, 30 and 1995 are candidates."""
    candidates = torch.zeros(1, TOKENS)
    first_tokens = EXAMPLE.passage.number_mentions.first.tolist()
    for token, probability in zip(first_tokens, probabilities, strict=False):
        candidates[0, token] = probability
    details = StepDetails(candidates=TokenProbabilities(candidates))
    maximum = step("find-max-num", attention({2: 1.0}), FIND, details=details)
    return step("find-num", numbers(0.5, 0.5), maximum)


def test_target_numbers_are_candidates_and_others_are_not() -> None:
    both = StepTarget(1, numbers=(Fraction(12), Fraction(30)))
    expected = -log(0.5) - log(0.25) - log(0.9) - log(0.8)
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), both) == pytest.approx(expected, rel=1e-5)


def test_a_single_candidate_need_not_be_the_whole_list() -> None:
    single = StepTarget(1, numbers=(Fraction(12),))
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), single) == pytest.approx(-log(0.5), rel=1e-5)
    assert loss(extreme(0.5, 0.1, 0.25, 0.2), StepTarget(1, numbers=(Fraction(99),))) == 0


def test_rows_are_supervised_separately() -> None:
    weights = torch.tensor([[0.25, 0.75], [0.5, 0.5], [0.1, 0.9]])
    question_attention = torch.zeros(3, 3)
    output = Attention(torch.zeros(3, TOKENS), question_attention)
    find = Step(Program("find"), question_attention, (), output)
    program = Program("find-num", (find.program,))
    root = Step(program, question_attention, (find,), Numbers(weights, [SUPPORT] * 3))
    targets = [
        (StepTarget(0, numbers=(Fraction(12),)),),
        (),
        (StepTarget(0, numbers=(Fraction(30),)),),
    ]
    losses = execution_loss(root, [EXAMPLE] * 3, targets).tolist()
    assert losses == pytest.approx([log(4), 0, -log(0.9)], rel=1e-5)


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_stays_finite_at_probabilities_of_zero_and_one(level: float) -> None:
    probabilities = torch.full((1, TOKENS), level, requires_grad=True)
    weights = torch.full((1, 2), level, requires_grad=True)
    tokens = TokenProbabilities(probabilities)
    maximum = step("find-max-num", attention(), FIND, details=StepDetails(candidates=tokens))
    output = Numbers(weights, [SUPPORT])
    root = step("count", output, maximum, details=StepDetails(counted=tokens))
    target = StepTarget(1, numbers=(Fraction(12), Fraction(30)), spans=(span_of(PASSAGE, "Ben"),))
    targets = (StepTarget(0, numbers=(Fraction(12),)), target)
    losses = execution_loss(root, [EXAMPLE], [targets])
    losses.sum().backward()
    for leaf in (probabilities, weights):
        assert leaf.grad is not None and bool(leaf.grad.isfinite().all())
    assert bool(losses.isfinite().all())


def test_members_of_a_sum() -> None:
    """A sum is supervised by its result and by the numbers that it includes."""
    members = TokenProbabilities(torch.tensor([[0.0] * 2 + [0.5] + [0.0] * 6 + [0.25] + [0.0] * 4]))
    found = step("sum", numbers(0.25, 0.75), FIND, details=StepDetails(candidates=members))
    twelve, thirty = Fraction(12), Fraction(30)
    result = StepTarget(0, numbers=(twelve,))
    assert loss(found, result) == pytest.approx(log(4))  # no members are known
    both = StepTarget(0, numbers=(twelve,), members=(twelve, thirty))
    expected = (log(4) + log(2) + log(4)) / 2
    assert loss(found, both) == pytest.approx(expected, rel=1e-4)
