"""The module relocate: attended words move their weight to words that match them and the query."""

from math import exp, log

import pytest
import torch

from handmade import context, encode, encoding_of, passage_input, tokenize, with_zero_weights
from workings.encoder.distance_buckets import bucket
from workings.modules import relocate
from workings.modules.relocate import Relocate
from workings.ops.results import Attention
from workings.settings import ModuleSettings

LARGE = 30.0


@pytest.mark.parametrize(
    ("query", "expected"),
    [((0.0, 0.0), [0.7, 0.3, 0.0]), ((0.0, 3 * LARGE), [0.0, 1.0, 0.0])],
    ids=["no query", "query matches the second word"],
)
def test_moves_attention(query: tuple[float, float], expected: list[float]) -> None:
    encoding = encoding_of(
        [tokenize("Who")],
        [passage_input("Ada kicked it")],
        [torch.tensor([query]).double()],
        [torch.tensor([[LARGE, 0.0], [0.0, LARGE], [0.0, 0.0]]).double()],
    )
    module = with_zero_weights(Relocate(2, ModuleSettings()))
    module.similarity.project.weight.data.copy_(torch.eye(2))
    event = Attention(torch.tensor([[0.7, 0.3, 0.0]]).double(), torch.ones(1, 1).double())
    moved = module(context(encoding), event)
    assert moved.passage[0].tolist() == pytest.approx(expected)
    assert moved.question.tolist() == [[1.0]]


def test_long_passages_move_only_the_heaviest_words(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encode([("Who?", "Ada kicked it over the bar")])
    module, step = Relocate(4, ModuleSettings()).double(), context(encoding)
    weights = torch.tensor([[0.5, 0.0, 0.1, 0.3, 0.0, 0.1]]).double()
    heaviest = torch.tensor([[0.625, 0.0, 0.0, 0.375, 0.0, 0.0]]).double()
    expected = module(step, Attention(heaviest, torch.ones(1, 2).double()))
    monkeypatch.setattr(relocate, "MAX_PAIRS", 2 * 6 + 1)  # two of six words
    moved = module(step, Attention(weights, torch.ones(1, 2).double()))
    torch.testing.assert_close(moved.passage, expected.passage)


def test_distance_bias() -> None:
    encoding = encode([("Who?", "Ada kicked it over the bar")])
    module = with_zero_weights(Relocate(4, ModuleSettings()))
    assert module.distance_bias is not None
    module.distance_bias.data[bucket(torch.tensor(1))] = log(3.0)  # a move one word back
    event = Attention(torch.eye(6)[None, 2].double(), torch.ones(1, 2).double())
    moved = module(context(encoding), event)
    assert moved.passage[0].tolist() == pytest.approx([1 / 8, 3 / 8, *[1 / 8] * 4])


def test_gated_relocation_stays_in_the_sentence() -> None:
    """Another event gives another participant, whatever the vectors are."""
    encoding = encode([("Who?", "Ada won it. Ben lost it. Cal saw it.")])
    torch.manual_seed(3)
    module = Relocate(4, ModuleSettings(gated=True)).double()
    torch.nn.init.normal_(module.similarity.project.weight, std=50.0)
    for sentence, event in enumerate((1, 5, 9)):
        attention = Attention(torch.eye(12)[None, event].double(), torch.ones(1, 2).double())
        moved = module(context(encoding), attention).passage[0]
        by_sentence = [moved[4 * i : 4 * i + 4].sum().item() for i in range(3)]
        assert sum(by_sentence) == pytest.approx(1)
        assert by_sentence.index(max(by_sentence)) == sentence


def test_gated_relocation_by_hand() -> None:
    encoding = encode([("Who?", "Ada won. Ben lost.")])
    module = with_zero_weights(Relocate(4, ModuleSettings(gated=True, distance_bias=False)))
    event = Attention(torch.eye(6)[None, 1].double(), torch.ones(1, 2).double())
    moved = module(context(encoding), event).passage[0].tolist()
    same, other = exp(4.0), 1.0
    total = 3 * same + 3 * other
    assert moved == pytest.approx([same / total] * 3 + [other / total] * 3)
