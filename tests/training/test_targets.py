"""Targets: what is known, as places in tensors."""

from fractions import Fraction

import torch
from examples_by_hand import example, span_of

from workings.arithmetic.support import Support
from workings.supervision.supervise import StepTarget
from workings.training.targets import (
    answer_spans,
    candidate_places,
    date_places,
    mark_places,
    mask_of,
    number_places,
    piece_span,
)
from workings.values import Date

PASSAGE = "Ada ran 12 yards, Ben ran 30 yards, then Ada ran 12 more in May 1990."
ONE = example(
    "Was it Ada or Ben?",
    PASSAGE,
    spans=(span_of(PASSAGE, "Ben"), span_of(PASSAGE, "12 yards")),
    question_spans=((7, 10),),
)


def test_mask() -> None:
    like = torch.zeros(2, 3, dtype=torch.float64)
    assert mask_of([(0, 2), (1, 0), (0, 2)], like).tolist() == [[0, 0, 1], [1, 0, 0]]
    assert mask_of([], like).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert mask_of([], like).dtype == like.dtype


def test_numbers_have_places_where_the_support_has_them() -> None:
    support = Support((Fraction(3), Fraction(7, 2)))
    assert number_places(4, [Fraction(7, 2), Fraction(9)], support) == [(4, 1)]


def test_dates() -> None:
    assert date_places(2, [Date(1990, 5), Date(1991)], ONE.passage) == [(2, 0)]


def test_spans_of_characters_become_pieces() -> None:
    assert piece_span(ONE.passage, span_of(PASSAGE, "Ben ran 30")) == (5, 7)


def test_answers_stand_in_passage_and_question() -> None:
    assert answer_spans(ONE, 6) == [(5 + 6, 5 + 6), (2 + 6, 3 + 6), (2, 2)]


def test_a_mark_is_on_the_number_or_the_first_word() -> None:
    spans = (span_of(PASSAGE, "Ada ran 12 yards"), span_of(PASSAGE, "Ben ran"))
    assert mark_places(1, StepTarget(0, spans=spans), ONE) == [(1, 2), (1, 5)]


def test_candidates_and_the_others() -> None:
    pick = StepTarget(0, numbers=(Fraction(12), Fraction(99)))
    others, wanted = candidate_places(1, pick, ONE)
    assert wanted == [[2, 13]]  # twelve stands twice
    assert others == [(1, 7), (1, 17)]  # 30 and 1990


def test_a_piece_that_two_numbers_begin_with_is_a_candidate() -> None:
    both = example("How many?", "They sold 3 million and 5 hens.", "find-num(find)")
    others, wanted = candidate_places(0, StepTarget(0, numbers=(Fraction(3_000_000),)), both)
    assert wanted == [[2]] and others == [(0, 5)]
