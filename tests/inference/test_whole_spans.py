"""Whole phrases, against every phrase written out."""

from math import exp, log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from workings import phrases
from workings.ops.span_scores import score_spans

SCORE = st.floats(-4, 4, width=32)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[float]], list[bool], int]:
    """Start, end and cost of each token, which tokens there are, and how many are asked."""
    tokens = draw(st.integers(2, 7))
    score = st.tuples(SCORE, SCORE, st.floats(0, 3, width=32))
    mask = draw(st.lists(st.booleans(), min_size=tokens, max_size=tokens).filter(any))
    return (
        [list(draw(score)) for _ in range(tokens)],
        mask,
        draw(st.integers(0, tokens)),
    )


@given(cases())
def test_against_every_phrase(case: tuple[list[list[float]], list[bool], int]) -> None:
    scores, mask, asked = case
    weight = {
        (first, last): exp(
            scores[first][0] + scores[last][1] - sum(s[2] for s in scores[first + 1 : last + 1])
        )
        for first in range(len(mask))
        for last in range(first, len(mask))
        if mask[first] and mask[last] and (first < asked) == (last < asked)
    }
    whole = sum(weight.values())
    tensor = torch.tensor(scores, dtype=torch.float64)[None]
    found = score_spans(tensor[..., :2], tensor[..., 2], torch.tensor([mask]), asked)
    for (first, last), one in weight.items():
        likelihood = found.log_likelihood([[(first, last)]])
        assert likelihood.item() == pytest.approx(log(one / whole), abs=1e-6)
    for place in range(len(mask)):
        begun = sum(one for (first, _), one in weight.items() if first == place)
        ended = sum(one for (_, last), one in weight.items() if last == place)
        assert found.start[0, place].exp().item() == pytest.approx(begun / whole, abs=1e-9)
        assert found.end[0, place].exp().item() == pytest.approx(ended / whole, abs=1e-9)


def test_a_phrase_too_long_is_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "MAX_SPAN_TOKENS", 2)
    found = score_spans(torch.zeros(1, 3, 2), torch.zeros(1, 3), torch.ones(1, 3).bool(), 0)
    # Three phrases of one token, two of two.
    assert found.log_likelihood([[(0, 1)]]).item() == pytest.approx(log(1 / 5))
    assert found.log_likelihood([[(0, 2)]]).item() == -1e4


def test_torn_between_two_phrases_one_of_them_is_likeliest() -> None:
    # "Ada Ray or Ben Fox": both names begin and end well, and going on past "or" is dear.
    ends = torch.tensor([[[3.0, 0.0], [0.0, 3.0], [0.0, 0.0], [3.1, 0.0], [0.0, 3.1]]])
    costs = torch.tensor([[0.0, 0.0, 4.0, 0.0, 0.0]])
    found = score_spans(ends, costs, torch.ones(1, 5).bool(), 0)
    assert found.phrases is not None
    first, more = divmod(int(found.phrases[0].argmax()), phrases.MAX_SPAN_TOKENS)
    assert (first, first + more) == (3, 4)
