"""Grounding, compared with the paper's formula written as loops."""

from fractions import Fraction
from itertools import product
from math import exp

import pytest
import torch
from torch import Tensor

from handmade import encode, random_attention
from number_distributions import fractions
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
# Without the additions to the paper's grounding.
PLAIN = ModuleSettings(
    grounding="tokens", distance_bias=False, number_features=False, constants=False
)


def formula(
    attention: Attention, encoding: Encoding, row: int, weight: Tensor, alpha: float
) -> list[float]:
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
    distribution = [0.0] * len(encoding.inputs[row].dates)
    for factor, vector, attended in stacked:
        width = len(vector)
        scores = [float(factor * vector @ (weight @ date)) * width**-0.5 for date in dates]
        total = sum(map(exp, scores))
        for score, entry in zip(scores, table.entry.tolist(), strict=True):
            distribution[entry] += factor * float(attended) * exp(score) / total
    return distribution


@pytest.mark.parametrize("alpha", [0.4, 1.0])
def test_dates_follow_the_formula_of_the_paper(alpha: float) -> None:
    groundings = Groundings(4, PLAIN.model_copy(update={"alpha_date": alpha})).double()
    encoding = encode(TEXTS)
    attention = random_attention(encoding)
    dates = groundings.dates(attention, encoding)
    weight = groundings.date.projection.weight.detach()
    for row in range(2):
        expected = formula(attention, encoding, row, weight, alpha)
        weights = dates.weights[row, : len(expected)].tolist()
        assert weights == pytest.approx(expected)
        assert sum(weights) == pytest.approx(1)


@pytest.mark.parametrize("constants", [True, False])
def test_numbers_sum_to_one_without_padding(constants: bool) -> None:
    settings = ModuleSettings(constants=constants)
    encoding = encode(TEXTS)
    numbers = Groundings(4, settings).double().numbers(random_attention(encoding), encoding)
    for row, support in enumerate(numbers.supports):
        assert numbers.weights[row, : len(support)].sum().item() == pytest.approx(1)
        assert not numbers.weights[row, len(support) :].any()
        constant = sum(numbers.weights[row, support.positions[c]].item() for c in CONSTANTS)
        assert (constant > 0) == constants


def test_equal_numbers_share_one_entry() -> None:
    encoding = encode([("How many?", "It had 12 masts, then 12 sails and twelve men.")])
    grounded = Groundings(4, PLAIN).double().ground_numbers(random_attention(encoding), encoding)
    weights = encoding.numbers.gather(grounded.mentions, 4)
    position = encoding.inputs[0].operands.positions[Fraction(12)]
    assert weights[0, position].item() == pytest.approx(1)


@pytest.mark.parametrize("form", ["pooled", "tokens"])
def test_token_weights_sum_to_the_share_of_the_passage(form: str) -> None:
    encoding = encode(TEXTS)
    settings = PLAIN.model_copy(update={"grounding": form})
    alpha = settings.alpha_num
    grounded = Groundings(4, settings).double().ground_numbers(random_attention(encoding), encoding)
    torch.testing.assert_close(grounded.tokens.sum((1, 2)), torch.full((2,), alpha).double())
    assert bool((grounded.tokens.sum(1) <= grounded.mentions + 1e-12).all())


def test_sums_to_one_without_question_attention() -> None:
    encoding = encode(TEXTS)
    groundings = Groundings(4, PLAIN).double()
    attention = random_attention(encoding)
    passage_only = Attention(attention.passage, torch.zeros_like(attention.question))
    sums = groundings.dates(passage_only, encoding).weights.sum(-1)
    torch.testing.assert_close(sums, torch.ones(2).double())


def test_cache_does_not_change_results() -> None:
    groundings, encodings = Groundings(4, PLAIN).double(), (encode(TEXTS), encode(TEXTS[::-1]))
    cached = groundings.with_cache()
    for _ in range(2):
        for encoding in encodings:
            attention = random_attention(encoding)
            for method in ("numbers", "dates"):
                torch.testing.assert_close(
                    getattr(cached, method)(attention, encoding).weights,
                    getattr(groundings, method)(attention, encoding).weights,
                )
    assert cached.number_vectors(encodings[0]) is cached.number_vectors(encodings[0])
    assert groundings.number_vectors(encodings[0]) is not groundings.number_vectors(encodings[0])


def test_pooled_grounding_matches_the_attended_mean() -> None:
    settings = PLAIN.model_copy(update={"grounding": "pooled"})
    groundings = Groundings(4, settings).double()
    encoding = encode(TEXTS)
    attention = random_attention(encoding)
    dates = groundings.dates(attention, encoding)
    alpha, weight = settings.alpha_date, groundings.date.projection.weight.detach()
    for row in range(2):
        passage = alpha * attention.passage[row] @ encoding.passage[row]
        mean = passage + (1 - alpha) * attention.question[row] @ encoding.question[row]
        vectors = encoding.dates.pool(encoding.passage)[row, encoding.dates.mask[row]]
        scores = [exp(float(mean @ (weight @ date)) * 4**-0.5) for date in vectors]
        expected = [0.0] * len(encoding.inputs[row].dates)
        for score, entry in zip(scores, encoding.dates.entry[row].tolist(), strict=False):
            expected[entry] += score / sum(scores)
        assert dates.weights[row, : len(expected)].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("form", ["pooled", "tokens"])
def test_initial_distance_bias_prefers_near_values(form: str) -> None:
    encoding = encode([("When?", "In 1453 it fell and nobody knew of anything until in 1460.")])
    settings = ModuleSettings.model_validate({"grounding": form, "number_features": False})
    groundings = Groundings(4, settings).double()
    torch.nn.init.zeros_(groundings.date.projection.weight)
    passage = torch.zeros_like(encoding.passage_mask, dtype=torch.float64)
    passage[0, 3] = 1  # "fell"
    dates = groundings.dates(Attention(passage, torch.zeros(1, 2).double()), encoding)
    # Two tokens from the first date (3 − 0.5·2), eight from the second (3 − 0.5·4).
    assert dates.weights[0, 0].item() == pytest.approx(exp(2) / (exp(2) + exp(1)))


def test_distance_buckets_double_in_size() -> None:
    distances = torch.tensor([0, 1, 2, 3, 4, 5, 8, 9, -1, -3, 10**6, -(10**6)])
    expected = [12, 13, 14, 15, 15, 16, 16, 17, 11, 9, 24, 0]
    assert bucket(distances).tolist() == expected


def test_attention_by_distance_against_every_pair() -> None:
    encoding = encode(TEXTS)
    passage, mentions = random_attention(encoding).passage, encoding.numbers
    positions = torch.arange(passage.shape[1])
    buckets = bucket(positions[:, None] - mentions.first[:, None, :])  # (b, m, k)
    expected = torch.zeros(*mentions.first.shape, 25).double()
    for row, token, mention in product(*map(range, buckets.shape)):
        expected[row, mention, buckets[row, token, mention]] += passage[row, token]
    torch.testing.assert_close(attention_by_distance(passage, mentions), expected)


def test_passage_without_dates() -> None:
    encoding = encode([("When?", "Nobody knows.")])
    dates = Groundings(4, PLAIN).double().dates(random_attention(encoding), encoding)
    assert dates.weights.shape == (1, 0)
    assert years(dates, encoding).weights.shape == (1, 0)


def test_years_drop_dates_without_a_year() -> None:
    encoding = encode([("When?", "On 5 May 1453, on 7 June 1453, in 1460, and on 3 July.")])
    weights = torch.tensor([[0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)
    assert [date.year for date in encoding.inputs[0].dates] == [1453, 1453, 1460, None]
    numbers = years(Dates(weights), encoding)
    assert numbers.supports[0].values == fractions(1453, 1460)
    assert numbers.weights[0].tolist() == pytest.approx([0.3, 0.3])
    assert numbers.undefined.tolist() == pytest.approx([0.4])


@pytest.mark.parametrize("form", ["trilinear", "bilinear"])
def test_similarity_by_loops(form: str) -> None:
    similarity = Similarity(3, form).double()
    queries, keys = torch.randn(2, 4, 3).double(), torch.randn(2, 5, 3).double()
    scores = similarity(queries, keys)
    for row, i, j in [(0, 0, 0), (1, 3, 4), (0, 2, 1)]:
        query, key = queries[row, i], keys[row, j]
        expected = similarity.key.weight[0] @ key + similarity.key.bias[0]
        if form == "trilinear":
            expected += similarity.query.weight[0] @ query + similarity.scale @ (query * key)
        else:
            expected += (similarity.project.weight @ query) @ key * 3**-0.5
        torch.testing.assert_close(scores[row, i, j], expected)


@pytest.mark.parametrize("form", ["pooled", "tokens"])
def test_grounding_gradients(form: str) -> None:
    encoding = encode(TEXTS, width=2)
    settings = ModuleSettings.model_validate({"grounding": form})
    grounding = Grounding(2, 0.4, settings).double()
    vectors = encoding.dates.pool(encoding.passage).requires_grad_()
    attention = random_attention(encoding)

    def ground(passage: Tensor, question: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
        grounded = grounding(Attention(passage, question), encoding, encoding.dates, vectors)
        return grounded.tokens, grounded.mentions

    inputs = attention.passage.requires_grad_(), attention.question.requires_grad_(), vectors
    assert torch.autograd.gradcheck(ground, inputs, fast_mode=True)


def test_masked_softmax_of_no_entries_is_zero() -> None:
    scores = torch.randn(2, 3, requires_grad=True)
    weights = masked_softmax(scores, torch.tensor([[True, True, False], [False] * 3]))
    assert weights.sum(-1).tolist() == pytest.approx([1, 0])
    torch.autograd.backward(weights.square().sum())
    assert scores.grad is not None and bool(scores.grad.isfinite().all())


def test_log_safe_has_a_finite_gradient_at_zero() -> None:
    zero = torch.zeros(1, requires_grad=True)
    torch.autograd.backward(log_safe(zero).sum())
    assert zero.grad is not None and bool(zero.grad.isfinite().all())


LOCAL = ModuleSettings(grounding="local")
RUNS = [("How far?", "Ada ran 20 yards. Ben ran 30 yards."), ("How far?", "Cal ran 7 miles.")]


def on_token(encoding: Encoding, token: int) -> Attention:
    passage = torch.zeros_like(encoding.passage_mask).double()
    passage[:, token] = 1
    return Attention(passage, torch.zeros_like(encoding.question_mask).double())


def test_local_grounding_by_hand() -> None:
    """Without distances, a number of the token's own sentence counts twice."""
    encoding, groundings = encode(RUNS), Groundings(4, LOCAL).double()
    for parameter in groundings.number.parameters():
        torch.nn.init.zeros_(parameter)  # softplus(0) = log 2
    for token, expected in ((0, [2 / 3, 1 / 3]), (5, [1 / 3, 2 / 3])):
        grounded = groundings.ground_numbers(on_token(encoding, token), encoding)
        assert grounded.mentions[0, :2].tolist() == pytest.approx(expected)


def test_local_grounding_follows_the_attention() -> None:
    """Moving the attention to another number's words moves the value."""
    encoding, groundings = encode(RUNS[:1]), Groundings(4, LOCAL).double()
    for token, value in ((0, 20), (2, 20), (3, 20), (5, 30), (7, 30)):
        found = groundings.numbers(on_token(encoding, token), encoding)
        assert found.supports[0].values[int(found.weights[0].argmax())] == value


@pytest.mark.parametrize("constants", [True, False])
def test_local_rows_sum_to_one_and_leave_out_constants(constants: bool) -> None:
    groundings = Groundings(4, LOCAL.model_copy(update={"constants": constants})).double()
    torch.nn.init.normal_(groundings.number.features.weight, std=9.0)
    encoding = encode(RUNS)
    rows = groundings.number_rows(encoding)
    assert rows.shape[2] == 5  # two numbers and three constants
    torch.testing.assert_close(rows.sum(-1), torch.ones_like(rows[..., 0]))
    assert not rows[0, :, 2:].any()
    assert not rows[1, :, 1:].any()
    numbers = groundings.numbers(random_attention(encoding), encoding)
    assert numbers.weights.sum(-1).tolist() == pytest.approx([1, 1])
    constant_entries = [numbers.supports[0].positions[constant] for constant in CONSTANTS]
    assert not numbers.weights[0, constant_entries].any()


def test_local_grounding_without_mentions_gives_nothing() -> None:
    encoding, groundings = encode([("When?", "Nobody came.")]), Groundings(4, LOCAL).double()
    assert not groundings.numbers(random_attention(encoding), encoding).weights.any()
    assert groundings.dates(random_attention(encoding), encoding).weights.shape == (1, 0)


def test_local_dates_follow_the_attention() -> None:
    encoding = encode([("When?", "Ada left in 1901. Ben came in 1936.")])
    groundings = Groundings(4, LOCAL).double()
    for token, year in ((0, 1901), (5, 1936)):
        dates = groundings.dates(on_token(encoding, token), encoding)
        assert encoding.inputs[0].dates[int(dates.weights[0].argmax())].year == year
