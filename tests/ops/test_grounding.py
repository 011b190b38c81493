"""Grounding, against the paper's formula written out as loops."""

from itertools import product
from math import exp

import pytest
import torch
from torch import Tensor

from handmade import context, encode, spread
from workings.encoder.distance_buckets import bucket
from workings.encoder.encoding import Encoding
from workings.ops.grounding import (
    Grounding,
    Groundings,
    Similarity,
    log_safe,
    masked_softmax,
    years,
)
from workings.ops.mention_distance import attention_by_distance
from workings.ops.results import Attention, Dates
from workings.settings import ModuleSettings
from workings.values import CONSTANTS

TEXTS = [
    ("When did it begin?", "The siege began in May 1453 and ended in 1455. Peace came in 1460."),
    ("Who left?", "In 1821 all 30 ships left, then 12 more."),
]
PLAIN = ModuleSettings(
    grounding="tokens", distance_bias=False, number_features=False, constants=False
)


def literal(
    attention: Attention, encoding: Encoding, row: int, weight: Tensor, alpha: float
) -> dict[int, float]:
    """S = [αP; (1−α)Q] W P_datesᵀ, A = row softmax, D = Σ_i [αp; (1−α)q]_i A_i, by loops."""
    table = encoding.inputs[row].date_mentions
    spans = list(zip(table.first.tolist(), table.last.tolist(), strict=True))
    dates = [encoding.passage[row, first : last + 1].mean(0) for first, last in spans]
    passage, question = len(encoding.inputs[row]), len(encoding.questions[row])
    stacked = [(alpha, encoding.passage[row, i], attention.passage[row, i]) for i in range(passage)]
    if alpha < 1:
        rest = 1 - alpha
        stacked += [
            (rest, encoding.question[row, i], attention.question[row, i]) for i in range(question)
        ]
    found = dict.fromkeys(range(len(encoding.inputs[row].dates)), 0.0)
    for share, vector, attended in stacked:
        width = len(vector)
        scores = [float(share * vector @ (weight @ date)) * width**-0.5 for date in dates]
        whole = sum(map(exp, scores))
        for score, entry in zip(scores, table.entry.tolist(), strict=True):
            found[entry] += share * float(attended) * exp(score) / whole
    return found


@pytest.mark.parametrize("alpha", [0.4, 1.0])
def test_dates_are_the_papers_formula(alpha: float) -> None:
    groundings = Groundings(4, PLAIN.model_copy(update={"alpha_date": alpha})).double()
    encoding = encode(TEXTS)
    attention = spread(encoding)
    found = groundings.dates(attention, encoding)
    for row in range(2):
        expected = literal(attention, encoding, row, groundings.date.projection.weight.detach(), alpha)
        weights = found.weights[row, : len(expected)].tolist()
        assert weights == pytest.approx(list(expected.values()))
        assert sum(weights) == pytest.approx(1)


@pytest.mark.parametrize("constants", [True, False])
def test_numbers_sum_to_one_and_leave_padding_alone(constants: bool) -> None:
    settings = ModuleSettings(constants=constants)
    encoding = encode(TEXTS)
    found = Groundings(4, settings).double().numbers(spread(encoding), encoding)
    for row, support in enumerate(found.supports):
        assert found.weights[row, : len(support)].sum().item() == pytest.approx(1)
        assert not found.weights[row, len(support) :].any()
        constant = sum(found.weights[row, support.places[c]].item() for c in CONSTANTS)
        assert (constant > 0) == constants


def test_equal_numbers_share_one_entry() -> None:
    encoding = encode([("How many?", "It had 12 masts, then 12 sails and twelve men.")])
    mention_weights = Groundings(4, PLAIN).double().trace_numbers(spread(encoding), encoding)
    found = encoding.numbers.gather(mention_weights.mentions, 4)
    twelve = encoding.inputs[0].operands.places[12]  # type: ignore[index]
    assert found[0, twelve].item() == pytest.approx(1)


@pytest.mark.parametrize("ground", ["pooled", "tokens"])
def test_token_shares_add_up_to_the_passages_part(ground: str) -> None:
    encoding = encode(TEXTS)
    settings = PLAIN.model_copy(update={"grounding": ground})
    alpha = settings.alpha_num
    mention_weights = Groundings(4, settings).double().trace_numbers(spread(encoding), encoding)
    torch.testing.assert_close(mention_weights.tokens.sum((1, 2)), torch.full((2,), alpha).double())
    assert bool((mention_weights.tokens.sum(1) <= mention_weights.mentions + 1e-12).all())


def test_without_question_attention_the_passage_is_the_whole() -> None:
    encoding = encode(TEXTS)
    groundings = Groundings(4, PLAIN).double()
    attention = spread(encoding)
    alone = Attention(attention.passage, torch.zeros_like(attention.question))
    sums = groundings.dates(alone, encoding).weights.sum(-1)
    torch.testing.assert_close(sums, torch.ones(2).double())


def test_what_is_remembered_is_the_same() -> None:
    groundings, encodings = Groundings(4, PLAIN).double(), (encode(TEXTS), encode(TEXTS[::-1]))
    again = groundings.with_cache()
    for _ in range(2):
        for encoding in encodings:
            attention = spread(encoding)
            for which in ("numbers", "dates"):
                found = getattr(again, which)(attention, encoding).weights
                new_parameters = getattr(groundings, which)(attention, encoding).weights
                torch.testing.assert_close(found, new_parameters)
    assert again.number_vectors(encodings[0]) is again.number_vectors(encodings[0])
    assert groundings.number_vectors(encodings[0]) is not groundings.number_vectors(encodings[0])


def test_pooled_words_point_as_one() -> None:
    settings = PLAIN.model_copy(update={"grounding": "pooled"})
    groundings = Groundings(4, settings).double()
    encoding = encode(TEXTS)
    attention = spread(encoding)
    found = groundings.dates(attention, encoding)
    share, weight = settings.alpha_date, groundings.date.projection.weight.detach()
    for row in range(2):
        words = share * attention.passage[row] @ encoding.passage[row]
        meant = words + (1 - share) * attention.question[row] @ encoding.question[row]
        vectors = encoding.dates.pool(encoding.passage)[row, encoding.dates.mask[row]]
        scores = [exp(float(meant @ (weight @ date)) * 4**-0.5) for date in vectors]
        expected = dict.fromkeys(range(len(encoding.inputs[row].dates)), 0.0)
        for score, entry in zip(scores, encoding.dates.entry[row].tolist(), strict=False):
            expected[entry] += score / sum(scores)
        known = found.weights[row, : len(expected)].tolist()
        assert known == pytest.approx(list(expected.values()))


@pytest.mark.parametrize("ground", ["pooled", "tokens"])
def test_near_values_are_preferred_from_the_start(ground: str) -> None:
    encoding = encode([("When?", "In 1453 it fell and nobody knew of anything until in 1460.")])
    groundings = Groundings(4, ModuleSettings(ground=ground, number_features=False)).double()
    torch.nn.init.zeros_(groundings.date.projection.weight)
    fell = torch.zeros_like(encoding.passage_mask, dtype=torch.float64)
    fell[0, 3] = 1
    found = groundings.dates(Attention(fell, torch.zeros(1, 2).double()), encoding)
    # Two pieces from the first date (3 − 0.5·2), eight from the second (3 − 0.5·4).
    assert found.weights[0, 0].item() == pytest.approx(exp(2) / (exp(2) + exp(1)))


def test_distances_fall_into_doubling_buckets() -> None:
    distances = torch.tensor([0, 1, 2, 3, 4, 5, 8, 9, -1, -3, 10**6, -(10**6)])
    expected = [12, 13, 14, 15, 15, 16, 16, 17, 11, 9, 24, 0]
    assert bucket(distances).tolist() == expected


def test_attention_by_distance_against_every_pair() -> None:
    encoding = encode(TEXTS)
    passage, mentions = spread(encoding).passage, encoding.numbers
    place = torch.arange(passage.shape[1])
    buckets = bucket(place[:, None] - mentions.first[:, None, :])  # (b, m, k)
    expected = torch.zeros(*mentions.first.shape, 25).double()
    for row, word, mention in product(*map(range, buckets.shape)):
        expected[row, mention, buckets[row, word, mention]] += passage[row, word]
    torch.testing.assert_close(attention_by_distance(passage, mentions), expected)


def test_no_dates_give_no_weights() -> None:
    encoding = encode([("When?", "Nobody knows.")])
    found = Groundings(4, PLAIN).double().dates(spread(encoding), encoding)
    assert found.weights.shape == (1, 0)
    assert years(found, encoding).weights.shape == (1, 0)


def test_years_of_dates_drop_those_without_one() -> None:
    encoding = encode([("When?", "On 5 May 1453, on 7 June 1453, in 1460, and on 3 July.")])
    weights = torch.tensor([[0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)
    assert [date.year for date in encoding.inputs[0].dates] == [1453, 1453, 1460, None]
    found = years(Dates(weights), encoding)
    assert found.supports[0].values == (1453, 1460)
    assert found.weights[0].tolist() == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("form", ["trilinear", "bilinear"])
def test_similarity_by_loops(form: str) -> None:
    similarity = Similarity(3, form).double()
    queries, keys = torch.randn(2, 4, 3).double(), torch.randn(2, 5, 3).double()
    found = similarity(queries, keys)
    for row, i, j in [(0, 0, 0), (1, 3, 4), (0, 2, 1)]:
        query, key = queries[row, i], keys[row, j]
        expected = similarity.key.weight[0] @ key + similarity.key.bias[0]
        if form == "trilinear":
            expected += similarity.query.weight[0] @ query + similarity.scale @ (query * key)
        else:
            expected += (similarity.project.weight @ query) @ key * 3**-0.5
        torch.testing.assert_close(found[row, i, j], expected)


@pytest.mark.parametrize("ground", ["pooled", "tokens"])
def test_grounding_gradients(ground: str) -> None:
    encoding = encode(TEXTS, width=2)
    grounding = Grounding(2, 0.4, ModuleSettings(ground=ground)).double()
    vectors = encoding.dates.pool(encoding.passage).requires_grad_()
    attention = spread(encoding)

    def trace(passage: Tensor, question: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
        mention_weights = grounding(Attention(passage, question), encoding, encoding.dates, vectors)
        return mention_weights.tokens, mention_weights.mentions

    inputs = attention.passage.requires_grad_(), attention.question.requires_grad_(), vectors
    assert torch.autograd.gradcheck(trace, inputs, fast_mode=True)


def test_softmax_over_nothing_is_nothing() -> None:
    scores = torch.randn(2, 3, requires_grad=True)
    found = masked_softmax(scores, torch.tensor([[True, True, False], [False] * 3]))
    assert found.sum(-1).tolist() == pytest.approx([1, 0])
    found.square().sum().backward()
    assert scores.grad is not None and bool(scores.grad.isfinite().all())


def test_logarithm_of_nothing_is_finite() -> None:
    nothing = torch.zeros(1, requires_grad=True)
    log_safe(nothing).sum().backward()
    assert nothing.grad is not None and bool(nothing.grad.isfinite().all())


def test_a_context_keeps_notes() -> None:
    encoding = encode(TEXTS)
    seen = context(encoding)
    seen.note("first", Dates(torch.zeros(2, 1)))
    assert list(seen.notes) == ["first"]
