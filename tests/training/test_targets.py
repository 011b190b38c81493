"""Positions of answers and targets in tensors, by hand."""

from fractions import Fraction

import torch
from examples_by_hand import example, span_of

from workings.arithmetic.support import Support
from workings.supervision.supervise import StepTarget
from workings.training.targets import (
    answer_token_spans,
    candidate_positions,
    counted_positions,
    date_positions,
    mask_at,
    number_positions,
    token_span,
)
from workings.values import Date

PASSAGE = "Ada ran 12 yards, Ben ran 30 yards, then Ada ran 12 more in May 1990."
EXAMPLE = example(
    "Was it Ada or Ben?",
    PASSAGE,
    spans=(span_of(PASSAGE, "Ben"), span_of(PASSAGE, "12 yards")),
    question_spans=((7, 10),),
)


def test_mask() -> None:
    like = torch.zeros(2, 3, dtype=torch.float64)
    assert mask_at([(0, 2), (1, 0), (0, 2)], like).tolist() == [[0, 0, 1], [1, 0, 0]]
    assert mask_at([], like).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert mask_at([], like).dtype == like.dtype


def test_numbers_of_the_support() -> None:
    support = Support((Fraction(3), Fraction(7, 2)))
    assert number_positions(4, [Fraction(7, 2), Fraction(9)], support) == [(4, 1)]


def test_dates_of_the_passage() -> None:
    assert date_positions(2, [Date(1990, 5), Date(1991)], EXAMPLE.passage) == [(2, 0)]


def test_tokens_of_a_character_span() -> None:
    assert token_span(EXAMPLE.passage, span_of(PASSAGE, "Ben ran 30")) == (5, 7)


def test_answer_spans_of_passage_and_question() -> None:
    assert answer_token_spans(EXAMPLE, 6) == [(5 + 6, 5 + 6), (2 + 6, 3 + 6), (2, 2)]


def test_a_counted_mention_is_its_number_or_its_first_token() -> None:
    spans = (span_of(PASSAGE, "Ada ran 12 yards"), span_of(PASSAGE, "Ben ran"))
    assert counted_positions(1, StepTarget(0, spans=spans), EXAMPLE) == [(1, 2), (1, 5)]


def test_mentions_of_targets_and_of_other_numbers() -> None:
    target = StepTarget(0, numbers=(Fraction(12), Fraction(99)))
    others, mentions = candidate_positions(1, target, EXAMPLE)
    assert mentions == [[2, 13]]  # twelve is mentioned twice, 99 never
    assert others == [(1, 7), (1, 17)]  # 30 and 1990


def test_a_number_repeated_in_the_target_has_all_its_mentions() -> None:
    target = StepTarget(0, numbers=(Fraction(12), Fraction(30), Fraction(12)))
    others, mentions = candidate_positions(0, target, EXAMPLE)
    assert mentions == [[2], [13], [7]]
    assert others == [(0, 17)]


def test_a_first_token_of_two_numbers_belongs_to_the_target() -> None:
    passage = "They sold 3 million and 5 hens."  # 3 and 3,000,000 have the same first token
    target = StepTarget(0, numbers=(Fraction(3_000_000),))
    others, mentions = candidate_positions(0, target, example("How many?", passage))
    assert mentions == [[2]] and others == [(0, 5)]
