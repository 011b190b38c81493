"""The module filter: weights are multiplied by how well each word matches, then renormalised."""

import pytest
import torch

from handmade import context, encoding_of, passage_input, tokenize, with_zero_weights
from workings.encoder.encoding import Encoding
from workings.modules.filter import Filter
from workings.ops.results import Attention
from workings.settings import ModuleSettings

LOG3 = torch.tensor(3.0).double().log().item()


def encode_scores(text: str, scores: list[float]) -> Encoding:
    """An encoding in which the vector of each token is its score."""
    return encoding_of(
        [tokenize("Which")],
        [passage_input(text)],
        [torch.ones(1, 1).double()],
        [torch.tensor(scores).double()[:, None]],
    )


def run(encoding: Encoding, weights: list[float], form: str) -> Attention:
    settings = ModuleSettings.model_validate({"filter": form})
    module = with_zero_weights(Filter(1, settings))
    module.similarity.project.weight.data.fill_(1)
    attention = Attention(torch.tensor([weights]).double(), torch.tensor([[0.5]]).double())
    filtered = module(context(encoding), attention)
    assert isinstance(filtered, Attention)
    return filtered


def test_by_token() -> None:
    # σ(log 3) = ¾ of 0.4, σ(0) = ½ of 0.6.
    filtered = run(encode_scores("one two", [LOG3, 0.0]), [0.4, 0.6], "token")
    assert filtered.passage[0].tolist() == pytest.approx([0.5, 0.5])
    assert filtered.question[0].tolist() == pytest.approx([0.75])  # mean of input and own attention


def test_by_sentence() -> None:
    # First sentence: the mean of ¾ and ¼ (words) and ½ (full stop); second: ¾ and ¾.
    encoding = encode_scores("Aa bb. Cc.", [LOG3, -LOG3, 0.0, LOG3, LOG3])
    filtered = run(encoding, [0.2, 0.2, 0.2, 0.2, 0.2], "sentence")
    keep = [0.5, 0.5, 0.5, 0.75, 0.75]
    assert filtered.passage[0].tolist() == pytest.approx([k / sum(keep) for k in keep])


def test_empty_attention_stays_empty() -> None:
    filtered = run(encode_scores("one two", [0.0, 0.0]), [0.0, 0.0], "token")
    assert filtered.passage[0].tolist() == [0.0, 0.0]


def test_by_sentence_in_a_padded_batch() -> None:
    encoding = encoding_of(
        [tokenize("Which")] * 2,
        [passage_input("Aa bb. Cc."), passage_input("Dd. Ee.")],
        [torch.ones(1, 1).double()] * 2,
        [torch.zeros(5, 1).double(), torch.tensor([LOG3, LOG3, -LOG3, -LOG3]).double()[:, None]],
    )
    filtered = run(encoding.select([1]), [0.25, 0.25, 0.25, 0.25, 0.0], "sentence")
    assert filtered.passage[0].tolist() == pytest.approx([0.375, 0.375, 0.125, 0.125, 0.0])
