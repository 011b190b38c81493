"""relocate: every attended word moves its weight to the words that match it and what is wanted."""

from math import log

import pytest
import torch

from handmade import context, cut, encode, encoding_of, passage_input, zeroed
from workings.encoder.distance_buckets import bucket
from workings.modules import relocate
from workings.modules.relocate import Relocate
from workings.ops.results import Attention
from workings.settings import ModuleSettings

FAR = 30.0


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [((0.0, 0.0), [0.7, 0.3, 0.0]), ((0.0, 3 * FAR), [0.0, 1.0, 0.0])],
    ids=["nothing else wanted", "second word wanted"],
)
def test_moves(wanted: tuple[float, float], expected: list[float]) -> None:
    encoding = encoding_of(
        [cut("Who")],
        [passage_input("Ada kicked it")],
        [torch.tensor([wanted]).double()],
        [torch.tensor([[FAR, 0.0], [0.0, FAR], [0.0, 0.0]]).double()],
    )
    module = zeroed(Relocate(2, ModuleSettings()))
    module.similarity.project.weight.data.copy_(torch.eye(2))
    event = Attention(torch.tensor([[0.7, 0.3, 0.0]]).double(), torch.ones(1, 1).double())
    found = module(context(encoding), event)
    assert found.passage[0].tolist() == pytest.approx(expected)
    assert found.question.tolist() == [[1.0]]


def test_of_a_long_passage_the_heaviest_words_move(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encode([("Who?", "Ada kicked it over the bar")])
    module, seen = Relocate(4, ModuleSettings()).double(), context(encoding)
    weights = torch.tensor([[0.5, 0.0, 0.1, 0.3, 0.0, 0.1]]).double()
    heaviest = torch.tensor([[0.625, 0.0, 0.0, 0.375, 0.0, 0.0]]).double()
    whole = module(seen, Attention(heaviest, torch.ones(1, 2).double()))
    monkeypatch.setattr(relocate, "MOST_PAIRS", 2 * 6 + 1)  # of six words, two
    found = module(seen, Attention(weights, torch.ones(1, 2).double()))
    torch.testing.assert_close(found.passage, whole.passage)


def test_near_words_are_preferred_by_a_learned_bias() -> None:
    encoding = encode([("Who?", "Ada kicked it over the bar")])
    module = zeroed(Relocate(4, ModuleSettings()))
    module.distance_bias.data[bucket(torch.tensor(1))] = log(3.0)  # from a word to the one before it
    event = Attention(torch.eye(6)[None, 2].double(), torch.ones(1, 2).double())
    found = module(context(encoding), event)
    assert found.passage[0].tolist() == pytest.approx([1 / 8, 3 / 8, *[1 / 8] * 4])
