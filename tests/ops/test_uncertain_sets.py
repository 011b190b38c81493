"""Uncertain sets, compared with slow loops and with the enumeration of all sets."""

from itertools import product
from math import log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import encode, random_attention, uniform, with_zero_weights
from workings.ops.results import Attention
from workings.ops.uncertain_sets import (
    Membership,
    attended,
    count_members,
    count_with_multiples,
    largest_member,
    ranked_member,
    weight_above,
)
from workings.settings import ModuleSettings

tenths = st.integers(0, 10).map(lambda n: n / 10)


def slow_count(probabilities: list[float], largest: int) -> list[float]:
    """The distribution of the number of members, one candidate at a time."""
    counts = [1.0]
    for probability in probabilities:
        one_more = [0.0, *counts]
        counts = [
            (counts[k] * (1 - probability) if k < len(counts) else 0.0) + one_more[k] * probability
            for k in range(len(counts) + 1)
        ]
    return (counts + [0.0] * (largest + 1))[: largest + 1]


@given(st.lists(tenths, min_size=1, max_size=9), st.integers(1, 12))
def test_count_against_a_slow_loop(probabilities: list[float], largest: int) -> None:
    counts = count_members(torch.tensor([probabilities], dtype=torch.float64), largest)
    assert counts[0].tolist() == pytest.approx(slow_count(probabilities, largest))


def test_count_of_fair_coins_is_binomial() -> None:
    counts = count_members(torch.full((1, 3), 0.5), 4)
    assert counts.tolist() == [[0.125, 0.375, 0.375, 0.125, 0.0]]


@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_count_of_certain_members(probability: float) -> None:
    counts = count_members(torch.full((1, 5), probability), 8)
    assert counts.argmax().item() == 5 * probability
    assert counts.max().item() == 1


def test_count_of_many_unlikely_members_is_precise() -> None:
    counts = count_members(torch.full((1, 600), 1e-9, dtype=torch.float64), 3)
    assert counts[0, 1].item() == pytest.approx(6e-7, rel=1e-5)
    assert counts[0, 2].item() == pytest.approx(600 * 599 / 2 * 1e-18, rel=1e-5)


def test_count_gradients() -> None:
    probabilities = torch.tensor([[0.2, 0.7, 0.5, 0.0, 1.0]]).double().requires_grad_()
    torch.autograd.backward(count_members(probabilities, 3).square().sum())
    assert probabilities.grad is not None and bool(probabilities.grad.isfinite().all())
    inner = torch.tensor([[0.2, 0.7, 0.5]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: count_members(x, 2), inner)


def test_largest_member_against_all_sets() -> None:
    logits = torch.tensor([[0.3, -1.0, 2.0, -0.5]], dtype=torch.float64)
    ranks = [2, 3, 0, 1]
    inside = torch.sigmoid(logits)[0].tolist()
    expected, not_empty = [0.0] * 4, 0.0
    for members in product([False, True], repeat=4):
        joint = 1.0
        for member, probability in zip(members, inside, strict=True):
            joint *= probability if member else 1 - probability
        if any(members):
            not_empty += joint
            expected[max((i for i in range(4) if members[i]), key=ranks.__getitem__)] += joint
    largest = largest_member(logits, torch.tensor([ranks]), torch.ones(1, 4, dtype=torch.bool))
    assert largest[0].tolist() == pytest.approx([joint / not_empty for joint in expected])


def slow_ranked(inside: list[float], ranks: list[int], places: list[float]) -> list[float]:
    """The probability that each candidate has the place, over all sets and all places."""
    found = [0.0] * len(inside)
    for members in product([False, True], repeat=len(inside)):
        joint = 1.0
        for member, probability in zip(members, inside, strict=True):
            joint *= probability if member else 1 - probability
        chosen = [i for i, member in enumerate(members) if member]
        chosen.sort(key=ranks.__getitem__, reverse=True)
        for candidate, place in zip(chosen, places, strict=False):
            found[candidate] += joint * place
    total = sum(found)
    return [joint / total if total else 0.0 for joint in found]


@given(
    inside=st.lists(tenths, min_size=1, max_size=5),
    places=st.lists(st.integers(0, 4).map(float), min_size=1, max_size=3),
    seed=st.integers(0, 99),
)
def test_ranked_member_against_all_sets(
    inside: list[float], places: list[float], seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    ranks = torch.randperm(len(inside), generator=generator)
    weights = [place / max(sum(places), 1) for place in places]
    tensors = (torch.tensor([row], dtype=torch.float64) for row in (inside, weights))
    probabilities, place = tensors
    found = ranked_member(probabilities, ranks[None], place)
    expected = slow_ranked(inside, ranks.tolist(), weights)
    assert found[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_second_of_certain_members() -> None:
    members, rank = torch.tensor([[1.0, 1.0, 0.0, 1.0]]).double(), torch.tensor([[5, 9, 8, 7]])
    second = torch.tensor([[0.0, 1.0]]).double()
    assert ranked_member(members, rank, second).tolist() == [[0, 0, 0, 1]]
    # No place is requested, or no member has it.
    assert not ranked_member(members, rank, 0 * second).any()
    assert not ranked_member(torch.eye(4)[:1].double(), rank, second).any()


def test_ranked_member_gradients() -> None:
    members = torch.tensor([[0.2, 0.7, 0.5]], dtype=torch.float64, requires_grad=True)
    place = torch.tensor([[0.3, 0.7]], dtype=torch.float64, requires_grad=True)
    rank = torch.tensor([[2, 0, 1]])
    assert torch.autograd.gradcheck(lambda m, p: ranked_member(m, rank, p), [members, place])


def test_weight_above_against_a_loop() -> None:
    weights = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.5, 0.0, 0.25, 0.25]], dtype=torch.float64)
    rank = torch.tensor([[7, -1, 9, 3], [0, 1, 2, 3]])
    expected = [
        [sum(w for w, other in zip(row, ranks, strict=True) if other > own) for own in ranks]
        for row, ranks in zip(weights.tolist(), rank.tolist(), strict=True)
    ]
    torch.testing.assert_close(weight_above(weights, rank), torch.tensor(expected).double())
    assert weight_above(weights[:, :0], rank[:, :0]).shape == (2, 0)


@pytest.mark.parametrize("level", [-1e4, 0.0, 1e4])
def test_largest_member_of_extreme_logits(level: float) -> None:
    logits = torch.full((1, 300), level, requires_grad=True)
    largest = largest_member(logits, torch.arange(300)[None], torch.ones(1, 300, dtype=torch.bool))
    assert largest.sum().item() == pytest.approx(1)
    torch.autograd.backward(largest.square().sum())
    assert logits.grad is not None and bool(logits.grad.isfinite().all())


def test_largest_member_of_no_candidates() -> None:
    mask = torch.zeros(1, 3, dtype=torch.bool)
    largest = largest_member(torch.zeros(1, 3), torch.arange(3)[None], mask)
    assert largest.tolist() == [[0.0, 0.0, 0.0]]


def test_attended_sums_passage_and_question() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    passage = torch.zeros_like(encoding.passage_mask, dtype=torch.float64)
    passage[0, 1] = 1
    question = torch.zeros_like(encoding.question_mask, dtype=torch.float64)
    question[0, 0] = 1
    expected = encoding.passage[0, 1] + encoding.question[0, 0]
    torch.testing.assert_close(
        attended(Attention(passage, question), encoding, ModuleSettings())[0], expected
    )


def test_membership_by_hand() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    membership = with_zero_weights(Membership(4, ModuleSettings()))
    membership.attention_weight.data.fill_(2.0)
    membership.prior.bias.data.fill_(-1.0)
    attention, mask = random_attention(encoding), encoding.passage_mask
    weights = torch.tensor([[0.5, 0.5, 0.0, 0.0]], dtype=torch.float64)
    logits = membership(attention, encoding, encoding.passage, weights, mask)
    assert logits[0, :2].tolist() == pytest.approx([2 * log(0.5 * 4) - 1] * 2)
    even = membership(attention, encoding, encoding.passage, uniform(mask), mask)
    assert even[0].tolist() == pytest.approx([-1.0] * 4)  # even attention changes nothing


def test_membership_ignores_padding() -> None:
    membership = Membership(4, ModuleSettings()).double()
    texts = [("Who won?", "Ada won."), ("Who lost the second round?", "Ben lost to Cal and Dee.")]
    both, alone = encode(texts), encode(texts[:1])
    attention = random_attention(both)
    logits = membership(attention, both, both.passage, attention.passage, both.passage_mask)
    passage, question = alone.passage.shape[1], alone.question.shape[1]
    first = Attention(attention.passage[:1, :passage], attention.question[:1, :question])
    expected = membership(first, alone, alone.passage, first.passage, alone.passage_mask)
    torch.testing.assert_close(logits[:1, :passage], expected)


GATED = ModuleSettings(gated=True)


@given(scale=st.sampled_from([0.1, 1.0, 100.0, 1e6]), seed=st.integers(0, 99))
def test_gated_candidates_without_attention_stay_out(scale: float, seed: int) -> None:
    """Whatever the vectors are, probabilities stay small without attention on the candidate."""
    encoding = encode([("Who won?", "Ada won twice and Ben once.")])
    torch.manual_seed(seed)
    membership = Membership(4, GATED).double()
    vectors = torch.randn(1, 7, 4).double() * scale
    weights = torch.zeros_like(encoding.passage_mask).double()
    attended_tokens = [seed % 7, (seed + 2) % 7]
    weights[0, attended_tokens] = 0.5
    logits = membership(
        random_attention(encoding), encoding, vectors, weights, encoding.passage_mask
    )
    probabilities = torch.sigmoid(logits)[0]
    outside = [token for token in range(7) if token not in attended_tokens]
    assert probabilities[outside].max().item() < 0.03
    assert probabilities[attended_tokens].min().item() > 0.05


def test_gated_membership_by_hand() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    membership = with_zero_weights(Membership(4, GATED))
    membership.gate.data.fill_(2.0)
    weights = torch.tensor([[0.4, 0.2, 0.0, 0.4]]).double()
    logits = membership(
        random_attention(encoding), encoding, encoding.passage, weights, encoding.passage_mask
    )
    shares = (1.0, 0.5, 0.0, 1.0)  # of the highest attention
    assert logits[0].tolist() == pytest.approx([2 + log(share + 1e-4) for share in shares])


def test_pooled_words_of_the_passage_alone() -> None:
    encoding = encode([("Who won?", "Ada won twice.")])
    attention = random_attention(encoding)
    pooled = attended(attention, encoding, ModuleSettings(pooled_words="passage"))
    torch.testing.assert_close(pooled[0], attention.passage[0] @ encoding.passage[0])


def test_count_with_multiples_by_hand() -> None:
    # One thing with 0.5, and a mention with 0.8 that is a pair with 0.25.
    weights = count_with_multiples(
        torch.tensor([[0.5, 0.8]]), torch.tensor([[0.0, 0.25]]), torch.tensor([[1, 2]]), 3
    )
    expected = [0.5 * 0.2, 0.5 * 0.2 + 0.5 * 0.6, 0.5 * 0.6 + 0.5 * 0.2, 0.5 * 0.2]
    assert weights[0].tolist() == pytest.approx(expected)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(1, 4)), min_size=1, max_size=5)
)
def test_count_with_multiples_equals_enumeration(mentions: list[tuple[float, float, int]]) -> None:
    expected = [0.0] * 8
    for choice in product(range(3), repeat=len(mentions)):  # absent, one thing, several things
        weight, total = 1.0, 0
        for kind, (member, several, multiple) in zip(choice, mentions, strict=True):
            share = several if multiple > 1 else 0.0
            weight *= (1 - member, member * (1 - share), member * share)[kind]
            total += (0, 1, multiple)[kind]
        if total < len(expected):
            expected[total] += weight
    columns = [torch.tensor([[row[i] for row in mentions]]) for i in range(3)]
    members, many = (column.double() for column in columns[:2])
    weights = count_with_multiples(members, many, columns[2].long(), 7)
    assert weights[0].tolist() == pytest.approx(expected, abs=1e-6)
