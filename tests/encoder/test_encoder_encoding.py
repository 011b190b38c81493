"""The encoding of a batch: pooling, gathering, spreading and selecting mentions."""

import pytest
import torch

from handmade import CPU, encode, passage_input
from workings.encoder.encoding import Mentions

TEXTS = ["It had 12 men, then twelve.", "Nobody came.", "In 1453 it had 3 and 40."]
MENTIONS = Mentions.stack([passage_input(text).number_mentions for text in TEXTS], CPU)


def test_mentions_are_stacked_and_masked() -> None:
    assert MENTIONS.mask.sum(-1).tolist() == [5, 3, 6]
    assert MENTIONS.placed.sum(-1).tolist() == [2, 0, 3]
    assert MENTIONS.constant[1, :3].tolist() == [0, 1, 2]


def test_pool_averages_the_tokens_of_a_mention() -> None:
    tokens = torch.arange(12.0).reshape(1, 6, 2)
    mentions = Mentions(
        torch.tensor([[1, 4, -1]]),
        torch.tensor([[3, 4, -2]]),
        torch.tensor([[0, 1, 2]]),
        torch.zeros(1, 3, 1),
        torch.ones(1, 3, dtype=torch.bool),
    )
    assert mentions.pool(tokens).tolist() == [[[4.0, 5.0], [8.0, 9.0], [0.0, 0.0]]]
    covered = mentions.covers(6)[0].long().tolist()
    assert covered == [[0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0]]


def test_gather_sums_mentions_of_equal_value() -> None:
    weights = torch.full(MENTIONS.mask.shape, 0.1)
    gathered = MENTIONS.gather(weights, 6)
    assert gathered[0].tolist() == pytest.approx([0.1, 0.1, 0.2, 0.1, 0, 0])  # 0, 1, 12 twice, 100
    assert gathered.sum(-1).tolist() == pytest.approx([0.5, 0.3, 0.6])


def test_spread_puts_weights_on_first_tokens() -> None:
    weights = torch.full(MENTIONS.mask.shape, 0.1)
    tokens = MENTIONS.spread(weights, 8)
    assert tokens[0].nonzero().flatten().tolist() == [2, 6]
    assert not tokens[1].any()


def test_no_mentions() -> None:
    empty = Mentions.stack([passage_input("Nobody came.").date_mentions] * 2, CPU)
    assert empty.gather(torch.zeros(2, 0), 0).shape == (2, 0)
    assert not empty.spread(torch.zeros(2, 0), 4).any()
    assert empty.pool(torch.ones(2, 4, 3)).shape == (2, 0, 3)


def test_select_takes_rows_in_any_order() -> None:
    encoding = encode([("Who?", text) for text in TEXTS])
    selected = encoding.select([2, 0, 2])
    assert len(selected) == 3
    for index, row in enumerate([2, 0, 2]):
        assert selected.inputs[index] is encoding.inputs[row]
        assert torch.equal(selected.passage[index], encoding.passage[row])
        assert torch.equal(selected.numbers.entry[index], encoding.numbers.entry[row])
        assert torch.equal(selected.sentences[index], encoding.sentences[row])
    assert encoding.select([0, 1, 2]) is encoding


def test_overlapping_mentions_share_a_place() -> None:
    texts = ["The fund has 3.2 million euros for 5 towns.", "Nine out of ten came."]
    inputs = [passage_input(text) for text in texts]
    mentions = Mentions.stack([each.number_mentions for each in inputs], CPU)
    found = [
        [
            (str(number.value), place)
            for number, place in zip(each.values.numbers, row, strict=False)
        ]
        for each, row in zip(inputs, mentions.place.tolist(), strict=True)
    ]
    assert found == [
        [("16/5", 0), ("3200000", 0), ("5", 1)],
        [("9", 0), ("9/10", 0), ("10", 1)],
    ]
    constants = mentions.place[0, 3:6]  # each has its own
    assert len({*constants.tolist(), 0, 1}) == 5
