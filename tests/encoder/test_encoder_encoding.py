"""Batches of mentions: pooled, gathered, spread and selected."""

import pytest
import torch

from handmade import CPU, encode, passage_input
from workings.encoder.encoding import Mentions

TEXTS = ["It had 12 men, then twelve.", "Nobody came.", "In 1453 it had 3 and 40."]
MENTIONS = Mentions.stack([passage_input(text).number_mentions for text in TEXTS], CPU)


def test_stacked_and_masked() -> None:
    assert MENTIONS.mask.sum(-1).tolist() == [5, 3, 6]
    assert MENTIONS.placed.sum(-1).tolist() == [2, 0, 3]
    assert MENTIONS.constant[1, :3].tolist() == [0, 1, 2]


def test_pool_is_the_mean_of_a_mentions_pieces() -> None:
    tokens = torch.arange(12.0).reshape(1, 6, 2)
    mentions = Mentions(
        torch.tensor([[1, 4, -1]]),
        torch.tensor([[3, 4, -2]]),
        torch.tensor([[0, 1, 2]]),
        torch.zeros(1, 3, 1),
        torch.ones(1, 3, dtype=torch.bool),
    )
    assert mentions.pool(tokens).tolist() == [[[4.0, 5.0], [8.0, 9.0], [0.0, 0.0]]]


def test_gather_adds_up_equal_values() -> None:
    weights = torch.full(MENTIONS.mask.shape, 0.1)
    found = MENTIONS.gather(weights, 6)
    assert found[0].tolist() == pytest.approx([0.1, 0.1, 0.2, 0.1, 0, 0])  # 0, 1, 12 twice, 100
    assert found.sum(-1).tolist() == pytest.approx([0.5, 0.3, 0.6])


def test_spread_lays_weights_on_first_pieces() -> None:
    weights = torch.full(MENTIONS.mask.shape, 0.1)
    found = MENTIONS.spread(weights, 8)
    assert found[0].nonzero().flatten().tolist() == [2, 6]
    assert not found[1].any()


def test_no_mentions_at_all() -> None:
    empty = Mentions.stack([passage_input("Nobody came.").date_mentions] * 2, CPU)
    assert empty.gather(torch.zeros(2, 0), 0).shape == (2, 0)
    assert not empty.spread(torch.zeros(2, 0), 4).any()
    assert empty.pool(torch.ones(2, 4, 3)).shape == (2, 0, 3)


def test_select_takes_rows_in_any_order() -> None:
    encoding = encode([("Who?", text) for text in TEXTS])
    chosen = encoding.select([2, 0, 2])
    assert len(chosen) == 3
    for place, row in enumerate([2, 0, 2]):
        assert chosen.inputs[place] is encoding.inputs[row]
        assert torch.equal(chosen.passage[place], encoding.passage[row])
        assert torch.equal(chosen.numbers.entry[place], encoding.numbers.entry[row])
        assert torch.equal(chosen.sentences[place], encoding.sentences[row])
    assert encoding.select([0, 1, 2]) is encoding
