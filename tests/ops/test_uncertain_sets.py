"""Uncertain sets, against slow loops and enumeration of all sets."""

from itertools import product
from math import log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import encode, spread, uniform, zeroed
from workings.ops.results import Attention
from workings.ops.uncertain_sets import Membership, above, attended, largest_member, total

chances = st.lists(st.integers(0, 10).map(lambda tenths: tenths / 10), min_size=1, max_size=9)


def slow_total(probabilities: list[float], largest: int) -> list[float]:
    known = [1.0]
    for chance in probabilities:
        grown = [0.0, *known]
        known = [
            (known[k] * (1 - chance) if k < len(known) else 0.0) + grown[k] * chance
            for k in range(len(known) + 1)
        ]
    return (known + [0.0] * (largest + 1))[: largest + 1]


@given(chances, st.integers(1, 12))
def test_total_against_a_slow_loop(probabilities: list[float], largest: int) -> None:
    found = total(torch.tensor([probabilities], dtype=torch.float64), largest)
    assert found[0].tolist() == pytest.approx(slow_total(probabilities, largest))


def test_total_of_fair_coins_is_binomial() -> None:
    found = total(torch.full((1, 3), 0.5), 4)
    assert found.tolist() == [[0.125, 0.375, 0.375, 0.125, 0.0]]


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_total_of_certainties(chance: float) -> None:
    found = total(torch.full((1, 5), chance), 8)
    assert found.argmax().item() == 5 * chance
    assert found.max().item() == 1


def test_total_of_many_unlikely_things_keeps_its_precision() -> None:
    found = total(torch.full((1, 600), 1e-9, dtype=torch.float64), 3)
    assert found[0, 1].item() == pytest.approx(6e-7, rel=1e-5)
    assert found[0, 2].item() == pytest.approx(600 * 599 / 2 * 1e-18, rel=1e-5)


def test_total_gradients() -> None:
    chances = torch.tensor([[0.2, 0.7, 0.5, 0.0, 1.0]], dtype=torch.float64, requires_grad=True)
    total(chances, 3).square().sum().backward()
    assert chances.grad is not None and bool(chances.grad.isfinite().all())
    inner = torch.tensor([[0.2, 0.7, 0.5]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: total(x, 2), inner)


def test_largest_member_against_all_sets() -> None:
    logits = torch.tensor([[0.3, -1.0, 2.0, -0.5]], dtype=torch.float64)
    ranks = [2, 3, 0, 1]
    inside = torch.sigmoid(logits)[0].tolist()
    expected, some = [0.0] * 4, 0.0
    for members in product([False, True], repeat=4):
        chance = 1.0
        for member, probability in zip(members, inside, strict=True):
            chance *= probability if member else 1 - probability
        if any(members):
            some += chance
            expected[max((i for i in range(4) if members[i]), key=ranks.__getitem__)] += chance
    found = largest_member(logits, torch.tensor([ranks]), torch.ones(1, 4, dtype=torch.bool))
    assert found[0].tolist() == pytest.approx([chance / some for chance in expected])


def test_above_against_a_loop() -> None:
    weights = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.5, 0.0, 0.25, 0.25]], dtype=torch.float64)
    rank = torch.tensor([[7, -1, 9, 3], [0, 1, 2, 3]])
    expected = [
        [sum(w for w, other in zip(row, ranks, strict=True) if other > mine) for mine in ranks]
        for row, ranks in zip(weights.tolist(), rank.tolist(), strict=True)
    ]
    torch.testing.assert_close(above(weights, rank), torch.tensor(expected).double())
    assert above(weights[:, :0], rank[:, :0]).shape == (2, 0)


@pytest.mark.parametrize("level", [-1e4, 0.0, 1e4])
def test_largest_member_at_extremes(level: float) -> None:
    logits = torch.full((1, 300), level, requires_grad=True)
    found = largest_member(logits, torch.arange(300)[None], torch.ones(1, 300, dtype=torch.bool))
    assert found.sum().item() == pytest.approx(1)
    found.square().sum().backward()
    assert logits.grad is not None and bool(logits.grad.isfinite().all())


def test_no_candidate_no_winner() -> None:
    found = largest_member(
        torch.zeros(1, 3), torch.arange(3)[None], torch.zeros(1, 3, dtype=torch.bool)
    )
    assert found.tolist() == [[0.0, 0.0, 0.0]]


def test_attended_words_of_passage_and_question_add_up() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    first = torch.zeros_like(encoding.passage_mask, dtype=torch.float64)
    first[0, 1] = 1
    asked = torch.zeros_like(encoding.question_mask, dtype=torch.float64)
    asked[0, 0] = 1
    expected = encoding.passage[0, 1] + encoding.question[0, 0]
    torch.testing.assert_close(attended(Attention(first, asked), encoding)[0], expected)


def test_membership_by_hand() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    membership = zeroed(Membership(4))
    membership.attention_weight.data.fill_(2.0)
    membership.prior.bias.data.fill_(-1.0)
    mask = encoding.passage_mask
    weights = torch.tensor([[0.5, 0.5, 0.0, 0.0]], dtype=torch.float64)
    found = membership(spread(encoding), encoding, encoding.passage, weights, mask)
    assert found[0, :2].tolist() == pytest.approx([2 * log(0.5 * 4) - 1] * 2)
    even = membership(spread(encoding), encoding, encoding.passage, uniform(mask), mask)
    assert even[0].tolist() == pytest.approx([-1.0] * 4)  # evenly spread attention says nothing


def test_membership_does_not_see_padding() -> None:
    membership = Membership(4).double()
    texts = [("Who won?", "Ada won."), ("Who lost the second round?", "Ben lost to Cal and Dee.")]
    both = encode(texts)
    spreads = spread(both)
    found = membership(spreads, both, both.passage, spreads.passage, both.passage_mask)
    alone = encode(texts[:1])
    length, asked = alone.passage.shape[1], alone.question.shape[1]
    short = Attention(spreads.passage[:1, :length], spreads.question[:1, :asked])
    again = membership(short, alone, alone.passage, short.passage, alone.passage_mask)
    torch.testing.assert_close(found[:1, :length], again)
