"""The learned distance bias of attention heads."""

import pytest
import torch
from encoders import PASSAGES, QUESTIONS, encoder

from workings.encoder.distance_bias import HeadDistanceBias
from workings.encoder.distance_buckets import DISTANCES, bucket
from workings.errors import RecipeError
from workings.settings import Recipe

MASKED = torch.finfo(torch.float).min


def distinct_bias() -> HeadDistanceBias:
    """Two layers of three heads whose biases are all different."""
    bias = HeadDistanceBias(2, 3)
    bias.within.data = torch.arange(2.0 * 3 * DISTANCES).reshape(2, 3, DISTANCES)
    bias.across.data = -torch.arange(1.0, 7).reshape(2, 3)
    return bias


def test_each_pair_has_the_bias_of_its_distance() -> None:
    bias = distinct_bias()
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    lengths = [2, 1]
    scores = bias(1, mask, lengths)
    assert scores.shape == (2, 3, 5, 5)
    for row in range(2):
        for head in range(3):
            for query in range(5):
                for key in range(5):
                    crosses = (query < lengths[row]) != (key < lengths[row])
                    distance = int(bucket(torch.tensor(query - key)))
                    expected = bias.across[1, head] if crosses else bias.within[1, head, distance]
                    if not mask[row, key]:
                        expected = torch.tensor(MASKED)
                    assert scores[row, head, query, key] == expected


def test_single_text_has_no_pairs_across() -> None:
    scores = distinct_bias()(0, torch.ones(1, 3, dtype=torch.bool))
    assert bool((scores >= 0).all())  # the biases across are negative here


def test_heads_start_with_a_preference_for_near_tokens() -> None:
    scores = HeadDistanceBias(1, 2)(0, torch.ones(1, 9, dtype=torch.bool))[0].detach()
    assert torch.equal(scores[0, 0, [0, 1, 2, 3, 8]], torch.tensor([0.0, -1, -2, -3, -4]))
    assert torch.equal(scores[1], scores[0] / 2)


def test_gradients_reach_both_tables() -> None:
    bias = distinct_bias()
    bias(0, torch.ones(1, 4, dtype=torch.bool), [2]).sum().backward()
    assert bias.within.grad is not None and bias.across.grad is not None
    assert bias.across.grad.tolist() == [[8.0] * 3, [0.0] * 3]  # 2 × 2 pairs in each direction
    assert bias.within.grad[0].sum(-1).tolist() == [8.0] * 3


@pytest.mark.parametrize("split", [0, 1, 2])
@torch.no_grad()
def test_zero_bias_equals_no_bias(split: int) -> None:
    plain, biased = encoder(split=split), encoder(split=split, distance_bias=True)
    assert biased.distance_bias is not None
    initial = biased(QUESTIONS, PASSAGES).passage
    biased.distance_bias.within.zero_()
    zeroed = biased(QUESTIONS, PASSAGES).passage
    torch.testing.assert_close(zeroed, plain(QUESTIONS, PASSAGES).passage)
    assert not torch.allclose(initial, zeroed)


@pytest.mark.parametrize(
    ("distance", "number"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (1024, 11), (1025, 12)],
)
def test_buckets_double_in_size(distance: int, number: int) -> None:
    buckets = bucket(torch.tensor([distance, -distance]))
    assert buckets.tolist() == [DISTANCES // 2 + number, DISTANCES // 2 - number]


def test_distance_bias_excludes_frozen_layers() -> None:
    with pytest.raises(RecipeError, match="distance_bias"):
        Recipe.read({"encoder": {"distance_bias": True, "frozen": 1}})
