"""How far each head looks, by learned distance."""

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.distance_bias import HeadDistanceBias
from workings.encoder.distance_buckets import DISTANCES, bucket
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import RecipeError
from workings.settings import Recipe

HIDDEN = torch.finfo(torch.float).min


def made() -> HeadDistanceBias:
    """Two layers of three heads whose preferences are all different."""
    reach = HeadDistanceBias(2, 3)
    reach.within.data = torch.arange(2.0 * 3 * DISTANCES).reshape(2, 3, DISTANCES)
    reach.across.data = -torch.arange(1.0, 7).reshape(2, 3)
    return reach


def test_each_pair_has_the_preference_of_its_distance() -> None:
    reach = made()
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    heads = [2, 1]
    found = reach(1, mask, heads)
    assert found.shape == (2, 3, 5, 5)
    for row in range(2):
        for head in range(3):
            for asks in range(5):
                for gives in range(5):
                    apart = (asks < heads[row]) != (gives < heads[row])
                    place = int(bucket(torch.tensor(asks - gives)))
                    wanted = reach.across[1, head] if apart else reach.within[1, head, place]
                    if not mask[row, gives]:
                        wanted = torch.tensor(HIDDEN)
                    assert found[row, head, asks, gives] == wanted


def test_one_text_has_no_other_side() -> None:
    found = made()(0, torch.ones(1, 3, dtype=torch.bool))
    assert bool((found >= 0).all())  # no preference across, all of which are negative here


def test_heads_begin_by_liking_what_is_near_some_more_than_others() -> None:
    found = HeadDistanceBias(1, 2)(0, torch.ones(1, 9, dtype=torch.bool))[0].detach()
    assert torch.equal(found[0, 0, [0, 1, 2, 3, 8]], torch.tensor([0.0, -1, -2, -3, -4]))
    assert torch.equal(found[1], found[0] / 2)


def test_what_is_learned_reaches_both_tables() -> None:
    reach = made()
    reach(0, torch.ones(1, 4, dtype=torch.bool), [2]).sum().backward()
    assert reach.within.grad is not None and reach.across.grad is not None
    assert reach.across.grad.tolist() == [[8.0] * 3, [0.0] * 3]  # 2 × 2 pairs in each direction
    assert reach.within.grad[0].sum(-1).tolist() == [8.0] * 3


@pytest.mark.parametrize("split", [0, 1, 2])
@torch.no_grad()
def test_an_encoder_without_preference_reads_as_one_without_reach(split: int) -> None:
    recipe = {"name": "tiny", "encoder": {"split": split}}
    plain = tiny_network(Recipe.read(recipe))
    recipe["encoder"] = {"split": split, "distance_bias": True}
    reaching = tiny_network(Recipe.read(recipe))
    assert reaching.encoder.distance_bias is not None
    tokenizer = plain.tokenizer
    questions = [TokenizedText.tokenize(text, tokenizer) for text in (QUESTION, "Who kicked?")]
    passages = [PassageInput.from_text(text, tokenizer) for text in ("Ada kicked.", PASSAGE)]
    near = reaching.encoder(questions, passages).passage
    reaching.encoder.distance_bias.within.zero_()
    far = reaching.encoder(questions, passages).passage
    torch.testing.assert_close(far, plain.encoder(questions, passages).passage)
    assert not torch.allclose(near, far)


def test_what_is_learned_in_every_layer_freezes_none() -> None:
    with pytest.raises(RecipeError, match="distance_bias"):
        Recipe.read({"encoder": {"distance_bias": True, "frozen": 1}})
