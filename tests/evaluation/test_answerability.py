"""Answerable against unanswerable questions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.evaluation.answerability import AnswerConfidence, answerability_auroc, auroc


@pytest.mark.parametrize(
    ("positives", "negatives", "area"),
    [
        ([0.9, 0.8], [0.1], 1.0),
        ([0.1], [0.9, 0.8], 0.0),
        ([0.5], [0.5], 0.5),
        # Of six pairs, four are in order and one is a tie.
        ([0.9, 0.4, 0.4], [0.4, 0.2], 5 / 6),
        ([0.9, 0.3], [0.5, 0.1, 0.3], 4.5 / 6),
    ],
)
def test_area_by_hand(positives: list[float], negatives: list[float], area: float) -> None:
    assert auroc(np.array(positives), np.array(negatives)) == pytest.approx(area)


SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.5, 0.9, 1.0]), min_size=1, max_size=12)


@given(SCORES, SCORES)
def test_area_is_the_share_of_ordered_pairs(left: list[float], right: list[float]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a, b in product(left, right)]
    expected = sum(pairs) / len(pairs)
    assert auroc(np.array(left), np.array(right)) == pytest.approx(expected)


def test_unknown_decides_where_it_is_said() -> None:
    sure = AnswerConfidence(confidence=0.2, unknown=0.0)
    unsure = AnswerConfidence(confidence=0.9, unknown=0.8)
    assert answerability_auroc([sure], [unsure]) == 1.0


def test_confidence_decides_otherwise() -> None:
    low = AnswerConfidence(confidence=0.2, unknown=0.0)
    high = AnswerConfidence(confidence=0.9, unknown=0.0)
    assert answerability_auroc([low], [high]) == 0.0
