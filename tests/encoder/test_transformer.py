"""The encoder against the transformer's own forward, window by window and layer by layer."""

from itertools import pairwise

import pytest
import torch
from encoders import LONG, QUESTIONS, SHORT_AND_LONG, TOKENIZER, encoder
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tiny import PASSAGE, tiny_bert
from workings.encoder import transformer
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.transformer import PASSAGE_POSITION
from workings.encoder.windows import windows
from workings.errors import InputError


def plainly(question: TokenizedText, ids: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """Opening, question and passage vectors as transformers itself reads one pair."""
    cls, closing = (TOKENIZER.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
    head, tail = [cls, *question.ids, closing], [*ids, closing]
    places = [*range(len(head)), *range(PASSAGE_POSITION, PASSAGE_POSITION + len(tail))]
    states = tiny_bert(TOKENIZER)(
        input_ids=torch.tensor([head + tail]),
        token_type_ids=torch.tensor([[0] * len(head) + [1] * len(tail)]),
        position_ids=torch.tensor([places]),
    ).last_hidden_state[0]
    return states[0], states[1 : len(head) - 1], states[len(head) : -1]


@torch.no_grad()
def test_joint_reading_is_the_transformers_own() -> None:
    found = encoder()(QUESTIONS, SHORT_AND_LONG)
    for row, (question, passage) in enumerate(zip(QUESTIONS, SHORT_AND_LONG, strict=True)):
        cls, asked, read = plainly(question, passage.tokens.ids)
        torch.testing.assert_close(found.cls[row], cls)
        torch.testing.assert_close(found.question[row, found.question_mask[row]], asked)
        torch.testing.assert_close(found.passage[row, found.passage_mask[row]], read)
    assert found.passage_mask.sum(-1).tolist() == [len(one) for one in SHORT_AND_LONG]


@given(st.integers(1, 200), st.integers(1, 40), st.integers(0, 50))
def test_windows_cover_every_piece_once(length: int, size: int, overlap: int) -> None:
    plan = windows(length, size, overlap)
    assert all(0 <= w.start <= w.keep < w.stop <= length for w in plan)
    assert all(w.stop - w.start == min(size, length) for w in plan)
    assert plan[0].keep == 0 and plan[-1].stop == length
    for before, after in pairwise(plan):
        assert before.keep < after.keep <= before.stop


def test_windows_share_what_they_overlap() -> None:
    plan = windows(100, 40, 10)
    assert [(w.start, w.stop, w.keep) for w in plan] == [(0, 40, 0), (30, 70, 35), (60, 100, 65)]


@torch.no_grad()
def test_long_passages_are_joined_from_their_windows() -> None:
    made, passage = encoder(window=32, overlap=8), PassageInput.read(LONG, TOKENIZER)
    found = made(QUESTIONS[:1], [passage])
    plan = windows(len(passage), 32, 8)
    assert len(plan) > 4
    parts, openings, asked = [], [], []
    for window, stop in zip(plan, [*(w.keep for w in plan[1:]), len(passage)], strict=True):
        pieces = passage.tokens.ids[window.start : window.stop]
        cls, question, read = plainly(QUESTIONS[0], pieces)
        parts.append(read[window.keep - window.start : stop - window.start])
        openings.append(cls)
        asked.append(question)
    torch.testing.assert_close(found.passage[0], torch.cat(parts))
    torch.testing.assert_close(found.cls[0], torch.stack(openings).mean(0))
    torch.testing.assert_close(found.question[0], torch.stack(asked).mean(0))


@torch.no_grad()
def test_the_window_never_exceeds_the_positions() -> None:
    passage = PassageInput.read(" ".join([PASSAGE] * 8), TOKENIZER)
    assert len(passage) > 256
    found = encoder(window=5000)(QUESTIONS[:1], [passage])
    assert found.passage.shape[1] == len(passage)


@torch.no_grad()
def test_below_the_split_texts_are_read_apart() -> None:
    made, passage = encoder(split=1), SHORT_AND_LONG[1]
    found = made(QUESTIONS, [passage, passage])
    bert = tiny_bert(TOKENIZER)
    closing = TOKENIZER.token_to_id("[SEP]")
    head = (TOKENIZER.token_to_id("[CLS]"), *QUESTIONS[0].ids, closing)
    apart = []
    for segment, ids, place in ((0, head, 0), (1, (*passage.tokens.ids, closing), 40)):
        states = bert.embeddings(
            input_ids=torch.tensor([ids]),
            token_type_ids=torch.full((1, len(ids)), segment),
            position_ids=torch.arange(place, place + len(ids))[None],
        )
        apart.append(bert.encoder.layer[0](states, None))
    joint = bert.encoder.layer[1](torch.cat(apart, 1), None)[0]
    torch.testing.assert_close(found.passage[0], joint[len(head) : -1])
    alone = made(QUESTIONS[1:], [passage])
    torch.testing.assert_close(found.passage[1], alone.passage[0])


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("frozen", [0, 1, 2])
def test_freezing_changes_no_output(split: int, frozen: int) -> None:
    plain = encoder(split=split)(QUESTIONS, SHORT_AND_LONG)
    found = encoder(split=split, frozen=frozen)(QUESTIONS, SHORT_AND_LONG)
    torch.testing.assert_close(found.passage, plain.passage)
    torch.testing.assert_close(found.question, plain.question)


@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("frozen", [0, 1])
def test_frozen_layers_learn_nothing(split: int, frozen: int) -> None:
    made = encoder(split=split, frozen=frozen)
    made(QUESTIONS, SHORT_AND_LONG).passage.square().sum().backward()
    learned = [any(p.grad is not None for p in layer.parameters()) for layer in made.layers]
    assert learned == [not frozen, True]
    assert any(p.grad is not None for p in made.embeddings.parameters()) == (not frozen)


def test_frozen_layers_have_no_noise() -> None:
    made = encoder(frozen=1, inner_dropout=0.5, dropout=0.0).train()
    noisy = {
        module.p for module in made.layers[1].modules() if isinstance(module, torch.nn.Dropout)
    }
    still = {
        module.p for module in made.layers[0].modules() if isinstance(module, torch.nn.Dropout)
    }
    assert (noisy, still) == ({0.5}, {0.0})


def test_fewer_layers() -> None:
    assert len(encoder(layers=1).layers) == 1


def test_endless_questions_are_refused() -> None:
    question = TokenizedText.cut(LONG, TOKENIZER)
    with pytest.raises(InputError, match="shorter"):
        encoder()([question], SHORT_AND_LONG[:1])


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
def test_windows_read_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch, split: int) -> None:
    reads = encoder(window=32, overlap=8, split=split)
    passages = [PassageInput.read(LONG, TOKENIZER), SHORT_AND_LONG[1]]
    whole = reads(QUESTIONS, passages)
    monkeypatch.setattr(transformer, "_TOGETHER", 2)
    found = reads(QUESTIONS, passages)
    torch.testing.assert_close(found.passage, whole.passage)
    torch.testing.assert_close(found.question, whole.question)


@torch.no_grad()
def test_a_skip_begins_as_nothing_and_adds_what_enters_the_trained_layers() -> None:
    plain, skipping = encoder(frozen=1), encoder(frozen=1, layer_skip=True)
    whole, entered = (one(QUESTIONS, SHORT_AND_LONG).passage for one in (plain, encoder(layers=1)))
    torch.testing.assert_close(skipping(QUESTIONS, SHORT_AND_LONG).passage, whole)
    skipping.layer_skip.weight.copy_(2 * torch.eye(skipping.width))
    mask = skipping(QUESTIONS, SHORT_AND_LONG).passage_mask
    found = skipping(QUESTIONS, SHORT_AND_LONG).passage
    torch.testing.assert_close(found[mask], (whole + 2 * entered)[mask])
    assert [name for name, _ in skipping.new_parameters()] == ["encoder.layer_skip.weight"]


@torch.no_grad()
def test_a_skip_may_begin_above_the_lowest_trained_layer() -> None:
    above, entering = (
        encoder(layer_skip=True, layer_skip_from=1),
        encoder(frozen=1, layer_skip=True),
    )
    for one in (above, entering):
        one.layer_skip.weight.copy_(2 * torch.eye(one.width))
    found, expected = (one(QUESTIONS, SHORT_AND_LONG).passage for one in (above, entering))
    torch.testing.assert_close(found, expected)


def test_bfloat16_is_for_training_alone() -> None:
    whole, rounded = encoder(dropout=0.0), encoder(dropout=0.0)
    rounded.bf16 = True
    expected = whole(QUESTIONS, SHORT_AND_LONG).passage
    assert torch.equal(rounded(QUESTIONS, SHORT_AND_LONG).passage, expected)
    found = rounded.train()(QUESTIONS, SHORT_AND_LONG).passage
    assert found.dtype == torch.float
    assert not torch.equal(found, expected)
    torch.testing.assert_close(found, expected, atol=0.05, rtol=0.05)
    assert rounded.fingerprint != whole.fingerprint


@torch.no_grad()
@pytest.mark.parametrize("frozen", [0, 1])
def test_bfloat16_reads_in_lengths_that_recur(frozen: int) -> None:
    reads, lengths = encoder(frozen=frozen), []
    for layer in reads.layers:
        layer.register_forward_pre_hook(lambda _, inputs: lengths.append(inputs[0].shape[1]))
    reads.bf16 = True
    reads(QUESTIONS, SHORT_AND_LONG)
    longest = max(len(q) + len(p) + 3 for q, p in zip(QUESTIONS, SHORT_AND_LONG, strict=True))
    assert set(lengths) == {longest}  # in use, nothing more is read than there is
    lengths.clear()
    reads.train()(QUESTIONS, SHORT_AND_LONG)
    assert set(lengths) == {-(-longest // 32) * 32} != {longest}


@torch.no_grad()
def test_plain_words_begin_as_nothing_and_are_the_embeddings_of_the_question() -> None:
    plain, worded = encoder(), encoder(question_embedding_skip=True)
    whole = plain(QUESTIONS, SHORT_AND_LONG)
    torch.testing.assert_close(worded(QUESTIONS, SHORT_AND_LONG).question, whole.question)
    worded.question_embedding_skip.weight.copy_(torch.eye(worded.width))
    found = worded(QUESTIONS, SHORT_AND_LONG)
    vectors = worded.embeddings.word_embeddings.weight[list(QUESTIONS[1].ids)]
    spread = (vectors - vectors.mean(-1, keepdim=True)) / (
        vectors.var(-1, correction=0, keepdim=True) + 1e-5
    ).sqrt()
    length = len(QUESTIONS[1])
    torch.testing.assert_close(found.question[1, :length], whole.question[1, :length] + spread)
    torch.testing.assert_close(found.passage, whole.passage)
    assert [name for name, _ in worded.new_parameters()] == [
        "encoder.question_embedding_skip.weight"
    ]
