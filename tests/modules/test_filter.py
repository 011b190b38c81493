"""filter: keeps the share of each word's weight that fits, and makes it whole again."""

import pytest
import torch

from handmade import context, cut, encoding_of, passage_input, zeroed
from workings.encoder.encoding import Encoding
from workings.modules.filter import Filter
from workings.ops.results import Attention
from workings.settings import ModuleSettings

LOG3 = torch.tensor(3.0).double().log().item()


def encoding(text: str, scores: list[float]) -> Encoding:
    """Each word's own vector is its score."""
    return encoding_of(
        [cut("Which")],
        [passage_input(text)],
        [torch.ones(1, 1).double()],
        [torch.tensor(scores).double()[:, None]],
    )


def run(read: Encoding, weights: list[float], form: str) -> Attention:
    module = zeroed(Filter(1, ModuleSettings(filter=form)))
    module.similarity.project.weight.data.fill_(1)
    found = Attention(torch.tensor([weights]).double(), torch.tensor([[0.5]]).double())
    return module(context(read), found)


def test_by_word() -> None:
    # σ(log 3) = ¾ of 0.4, σ(0) = ½ of 0.6.
    found = run(encoding("one two", [LOG3, 0.0]), [0.4, 0.6], "token")
    assert found.passage[0].tolist() == pytest.approx([0.5, 0.5])
    assert found.question[0].tolist() == pytest.approx([0.75])  # what was found and what is asked


def test_by_sentence() -> None:
    # First sentence: the mean of ¾ and ¼ (words) and ½ (its stop); second: ¾, ¾.
    read = encoding("Aa bb. Cc.", [LOG3, -LOG3, 0.0, LOG3, LOG3])
    found = run(read, [0.2, 0.2, 0.2, 0.2, 0.2], "sentence")
    kept = [0.5, 0.5, 0.5, 0.75, 0.75]
    assert found.passage[0].tolist() == pytest.approx([k / sum(kept) for k in kept])


def test_nothing_found_stays_nothing() -> None:
    found = run(encoding("one two", [0.0, 0.0]), [0.0, 0.0], "token")
    assert found.passage[0].tolist() == [0.0, 0.0]


def test_by_sentence_beside_a_longer_passage() -> None:
    long, short = "Aa bb. Cc.", "Dd. Ee."
    read = encoding_of(
        [cut("Which")] * 2,
        [passage_input(long), passage_input(short)],
        [torch.ones(1, 1).double()] * 2,
        [torch.zeros(5, 1).double(), torch.tensor([LOG3, LOG3, -LOG3, -LOG3]).double()[:, None]],
    )
    found = run(read.select([1]), [0.25, 0.25, 0.25, 0.25, 0.0], "sentence")
    assert found.passage[0].tolist() == pytest.approx([0.375, 0.375, 0.125, 0.125, 0.0])
