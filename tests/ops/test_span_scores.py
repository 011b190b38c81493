"""Tests of span scores against an enumeration of all spans."""

from math import exp, log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from workings.ops import span_scores
from workings.ops.span_scores import MAX_SPAN_TOKENS, score_spans

SCORE = st.floats(-4, 4, width=32)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[float]], list[bool], int]:
    """Start score, end score and cost of each token, the mask, and the length of the question."""
    tokens = draw(st.integers(2, 7))
    score = st.tuples(SCORE, SCORE, st.floats(0, 3, width=32))
    mask = draw(st.lists(st.booleans(), min_size=tokens, max_size=tokens).filter(any))
    return (
        [list(draw(score)) for _ in range(tokens)],
        mask,
        draw(st.integers(0, tokens)),
    )


@given(cases())
def test_agrees_with_enumeration(case: tuple[list[list[float]], list[bool], int]) -> None:
    scores, mask, question_length = case
    weights = {
        (first, last): exp(
            scores[first][0] + scores[last][1] - sum(s[2] for s in scores[first + 1 : last + 1])
        )
        for first in range(len(mask))
        for last in range(first, len(mask))
        if mask[first] and mask[last] and (first < question_length) == (last < question_length)
    }
    total = sum(weights.values())
    tensor = torch.tensor(scores, dtype=torch.float64)[None]
    span = score_spans(tensor[..., :2], tensor[..., 2], torch.tensor([mask]), question_length)
    for (first, last), weight in weights.items():
        likelihood = span.log_likelihood([[(first, last)]])
        assert likelihood.item() == pytest.approx(log(weight / total), abs=1e-6)
    for index in range(len(mask)):
        starts = sum(weight for (first, _), weight in weights.items() if first == index)
        ends = sum(weight for (_, last), weight in weights.items() if last == index)
        assert span.start[0, index].exp().item() == pytest.approx(starts / total, abs=1e-9)
        assert span.end[0, index].exp().item() == pytest.approx(ends / total, abs=1e-9)


def test_spans_over_the_maximum_length_are_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(span_scores, "MAX_SPAN_TOKENS", 2)
    span = score_spans(torch.zeros(1, 3, 2), torch.zeros(1, 3), torch.ones(1, 3).bool(), 0)
    # Five equally likely spans: three of one token, two of two tokens.
    assert span.log_likelihood([[(0, 1)]]).item() == pytest.approx(log(1 / 5))
    assert span.log_likelihood([[(0, 2)]]).item() == -1e4


def test_cost_keeps_a_span_from_joining_two_candidates() -> None:
    # "Ada Ray or Ben Fox": both names have good ends, and a span over "or" has a high cost.
    ends = torch.tensor([[[3.0, 0.0], [0.0, 3.0], [0.0, 0.0], [3.1, 0.0], [0.0, 3.1]]])
    costs = torch.tensor([[0.0, 0.0, 4.0, 0.0, 0.0]])
    span = score_spans(ends, costs, torch.ones(1, 5).bool(), 0)
    assert span.phrases is not None
    first, further = divmod(int(span.phrases[0].argmax()), MAX_SPAN_TOKENS)
    assert (first, first + further) == (3, 4)
