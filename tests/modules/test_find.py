"""The module find: a softmax over the matches of the question with each word of the passage."""

from dataclasses import replace

import pytest
import torch

from handmade import context, encode, encoding_of, passage_input, tokenize, with_zero_weights
from workings.encoder.encoding import Encoding
from workings.modules.find import Find
from workings.settings import ModuleSettings


def encode_vectors(*passage: tuple[float, float]) -> Encoding:
    """A passage with the given vectors; the first and last question words are unit vectors."""
    return encoding_of(
        [tokenize("Who? When")],
        [passage_input(" ".join("word" for _ in passage))],
        [torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]).double()],
        [torch.tensor(passage).double()],
    )


def find(form: str) -> Find:
    module = with_zero_weights(Find(2, ModuleSettings.model_validate({"find": form})))
    module.similarity.project.weight.data.copy_(torch.eye(2) * 2**0.5)
    return module


def test_pooled_matches_the_mean_of_the_question_attention() -> None:
    log2, log8 = torch.tensor([2.0, 8.0]).double().log().tolist()
    encoding = encode_vectors((log2, 0), (0, log8), (0, 0))
    question_attention = torch.tensor([[0.5, 0.0, 0.5]]).double()
    attention = find("pooled")(context(encoding, question_attention))
    # Scores are half of log 2 and half of log 8.
    weights = torch.tensor([2**0.5, 8**0.5, 1.0]).double()
    torch.testing.assert_close(attention.passage[0], weights / weights.sum())
    assert attention.question is question_attention


def test_tokens_mixes_the_matches_of_each_question_word() -> None:
    log2, log8 = torch.tensor([2.0, 8.0]).double().log().tolist()
    encoding = encode_vectors((log2, 0), (0, log8), (0, 0))
    question_attention = torch.tensor([[0.25, 0.0, 0.75]]).double()
    weights = find("tokens")(context(encoding, question_attention)).passage[0].tolist()
    expected = [0.25 * w + 0.75 * t for w, t in ((2 / 4, 0.1), (1 / 4, 0.8), (1 / 4, 0.1))]
    assert weights == pytest.approx(expected)


@pytest.mark.parametrize("form", ["pooled", "tokens"])
def test_padding_gets_no_weight(form: str) -> None:
    encoding = encode([("Who?", "Ada."), ("Who won it?", "Ada won it in the end.")])
    module = Find(4, ModuleSettings.model_validate({"find": form})).double()
    weights = module(context(encoding)).passage
    assert not weights[0, 2:].any()
    assert weights.sum(-1).tolist() == pytest.approx([1, 1])


def test_finds_of_one_program_differ_by_their_embedding() -> None:
    encoding = encode_vectors((1, 0), (0, 1), (0, 0))
    no_question = torch.zeros(1, 3).double()
    module = find("pooled")
    module.find_embedding.data[1] = torch.tensor([0.0, 2.0]).log().nan_to_num(neginf=0.0)
    first, second = (
        module(replace(context(encoding, no_question), find_index=index)).passage[0].tolist()
        for index in (0, 1)
    )
    assert first == pytest.approx([1 / 3] * 3)
    assert second == pytest.approx([1 / 4, 2 / 4, 1 / 4])


def test_later_finds_share_the_last_embedding() -> None:
    encoding = encode([("Who?", "Ada won.")])
    module = Find(4, ModuleSettings()).double()
    last, beyond = (
        module(replace(context(encoding), find_index=index)).passage for index in (5, 60)
    )
    torch.testing.assert_close(last, beyond)
