"""find: softmax of the match between the question's words and each word of the passage."""

from dataclasses import replace

import pytest
import torch

from handmade import context, cut, encode, encoding_of, passage_input, zeroed
from workings.modules.find import Find
from workings.settings import ModuleSettings


def one_word_question(*passage: tuple[float, float]) -> object:
    words = " ".join("word" for _ in passage)
    return encoding_of(
        [cut("Who? When")],
        [passage_input(words)],
        [torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]).double()],
        [torch.tensor(passage).double()],
    )


def find(form: str) -> Find:
    module = zeroed(Find(2, ModuleSettings(find=form)))
    module.similarity.project.weight.data.copy_(torch.eye(2) * 2**0.5)
    return module


def test_pooled_matches_the_mean_of_what_is_asked() -> None:
    log2, log8 = torch.tensor([2.0, 8.0]).double().log().tolist()
    encoding = one_word_question((log2, 0), (0, log8), (0, 0))
    asked = torch.tensor([[0.5, 0.0, 0.5]]).double()
    found = find("pooled")(context(encoding, asked))
    # Scores are half of log 2 and of log 8.
    weights = torch.tensor([2**0.5, 8**0.5, 1.0]).double()
    torch.testing.assert_close(found.passage[0], weights / weights.sum())
    assert found.question is asked


def test_tokens_mix_the_matches_of_each_word() -> None:
    log2, log8 = torch.tensor([2.0, 8.0]).double().log().tolist()
    encoding = one_word_question((log2, 0), (0, log8), (0, 0))
    asked = torch.tensor([[0.25, 0.0, 0.75]]).double()
    found = find("tokens")(context(encoding, asked)).passage[0].tolist()
    expected = [0.25 * w + 0.75 * t for w, t in ((2 / 4, 0.1), (1 / 4, 0.8), (1 / 4, 0.1))]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("form", ["pooled", "tokens"])
def test_padding_gets_nothing(form: str) -> None:
    encoding = encode([("Who?", "Ada."), ("Who won it?", "Ada won it in the end.")])
    found = Find(4, ModuleSettings(find=form)).double()(context(encoding)).passage
    assert not found[0, 2:].any()
    assert found.sum(-1).tolist() == pytest.approx([1, 1])


def test_the_second_find_of_a_program_looks_elsewhere() -> None:
    encoding = one_word_question((1, 0), (0, 1), (0, 0))
    nothing = torch.zeros(1, 3).double()
    module = find("pooled")
    module.find_embedding.data[1] = torch.tensor([0.0, 2.0]).log().nan_to_num(neginf=0.0)
    first, second = (
        module(replace(context(encoding, nothing), order=order)).passage[0].tolist()
        for order in (0, 1)
    )
    assert first == pytest.approx([1 / 3] * 3)
    assert second == pytest.approx([1 / 4, 2 / 4, 1 / 4])
