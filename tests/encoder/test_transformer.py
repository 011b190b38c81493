"""The encoder against BERT's layers run one by one, and the options of the encoder."""

from itertools import pairwise

import pytest
import torch
from encoders import LONG, PASSAGES, QUESTIONS, TOKENIZER, encoder
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from tiny import PASSAGE, tiny_bert
from workings.encoder import transformer
from workings.encoder.encoding import Encoding, LayerStates
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.transformer import PASSAGE_POSITION, Encoder
from workings.encoder.windows import split_windows
from workings.errors import InputError

CLS, SEP = (TOKENIZER.token_to_id(token) for token in ("[CLS]", "[SEP]"))


def pair_inputs(question: TokenizedText, ids: tuple[int, ...]) -> tuple[dict[str, Tensor], int]:
    """The inputs of BERT for a question and a passage window, and the question's length."""
    question_ids, passage_ids = [CLS, *question.ids, SEP], [*ids, SEP]
    length = len(question_ids)
    positions = [*range(length), *range(PASSAGE_POSITION, PASSAGE_POSITION + len(passage_ids))]
    types = [0] * length + [1] * len(passage_ids)
    inputs = {
        "input_ids": torch.tensor([question_ids + passage_ids]),
        "token_type_ids": torch.tensor([types]),
        "position_ids": torch.tensor([positions]),
    }
    return inputs, length


def one_by_one(
    question: TokenizedText, ids: tuple[int, ...], layers: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """The [CLS], question and passage vectors of one pair, without batch, padding or mask."""
    bert = tiny_bert(TOKENIZER)
    inputs, length = pair_inputs(question, ids)
    hidden = bert.embeddings(**inputs)
    for layer in bert.encoder.layer[:layers]:
        hidden = layer(hidden, None)
    return hidden[0, 0], hidden[0, 1 : length - 1], hidden[0, length:-1]


def assert_rows(encoding: Encoding, states: LayerStates, layers: int = 2) -> None:
    """Compare every row of a batch with the pair encoded by itself."""
    for row, (question, passage) in enumerate(zip(QUESTIONS, PASSAGES, strict=True)):
        cls, question_states, passage_states = one_by_one(question, passage.tokens.ids, layers)
        if layers == 2:
            torch.testing.assert_close(encoding.cls[row], cls)
        question_row = states.question[row, encoding.question_mask[row]]
        torch.testing.assert_close(question_row, question_states)
        passage_row = states.passage[row, encoding.passage_mask[row]]
        torch.testing.assert_close(passage_row, passage_states)


@torch.no_grad()
def test_joint_encoding_equals_the_layers_one_by_one() -> None:
    encoding = encoder()(QUESTIONS, PASSAGES)
    assert_rows(encoding, encoding.layers[-1])
    assert len(encoding.layers) == 1
    assert encoding.question_mask.sum(-1).tolist() == [len(question) for question in QUESTIONS]
    assert encoding.passage_mask.sum(-1).tolist() == [len(passage) for passage in PASSAGES]


@torch.no_grad()
def test_joint_encoding_equals_transformers() -> None:
    transformers = pytest.importorskip("transformers", reason="compares with transformers")
    bert = tiny_bert(TOKENIZER)
    config = transformers.BertConfig(**bert.config.model_dump(), attn_implementation="eager")
    reference = transformers.BertModel(config, add_pooling_layer=False).eval()
    reference.load_state_dict(bert.state_dict())
    encoding = encoder()(QUESTIONS, PASSAGES)
    for row, (question, passage) in enumerate(zip(QUESTIONS, PASSAGES, strict=True)):
        inputs, length = pair_inputs(question, passage.tokens.ids)
        expected = reference(**inputs).last_hidden_state[0]
        torch.testing.assert_close(encoding.cls[row], expected[0])
        question_states = encoding.question[row, encoding.question_mask[row]]
        torch.testing.assert_close(question_states, expected[1 : length - 1])
        passage_states = encoding.passage[row, encoding.passage_mask[row]]
        torch.testing.assert_close(passage_states, expected[length:-1])


@torch.no_grad()
def test_states_of_the_last_layers() -> None:
    encoding = encoder()(QUESTIONS, PASSAGES, keep_layers=2)
    assert len(encoding.layers) == 2
    for number, states in enumerate(encoding.layers, start=1):
        assert_rows(encoding, states, number)
    assert torch.equal(encoding.layers[-1].passage, encoding.passage)


@torch.no_grad()
def test_the_lowest_state_fills_in_for_missing_layers() -> None:
    encoding = encoder(layers=1)(QUESTIONS, PASSAGES, keep_layers=3)
    first, second, last = encoding.layers
    assert_rows(encoding, first, layers=0)
    assert torch.equal(first.passage, second.passage)
    assert_rows(encoding, last, layers=1)


@given(st.integers(1, 200), st.integers(1, 40), st.integers(0, 50))
def test_windows_cover_every_token_once(length: int, size: int, overlap: int) -> None:
    windows = split_windows(length, size, overlap)
    assert all(0 <= w.start <= w.keep < w.stop <= length for w in windows)
    assert all(w.stop - w.start == min(size, length) for w in windows)
    assert windows[0].keep == 0 and windows[-1].stop == length
    for before, after in pairwise(windows):
        assert before.keep < after.keep <= before.stop


def test_windows_overlap() -> None:
    windows = split_windows(100, 40, 10)
    bounds = [(w.start, w.stop, w.keep) for w in windows]
    assert bounds == [(0, 40, 0), (30, 70, 35), (60, 100, 65)]


@torch.no_grad()
def test_long_passages_are_joined_from_their_windows() -> None:
    passage = PassageInput.from_text(LONG, TOKENIZER)
    encoding = encoder(window=32, overlap=8)(QUESTIONS[:1], [passage])
    windows = split_windows(len(passage), 32, 8)
    assert len(windows) > 4
    passage_parts, cls_vectors, question_states = [], [], []
    for window, stop in zip(windows, [*(w.keep for w in windows[1:]), len(passage)], strict=True):
        ids = passage.tokens.ids[window.start : window.stop]
        cls, question, states = one_by_one(QUESTIONS[0], ids)
        passage_parts.append(states[window.keep - window.start : stop - window.start])
        cls_vectors.append(cls)
        question_states.append(question)
    torch.testing.assert_close(encoding.passage[0], torch.cat(passage_parts))
    torch.testing.assert_close(encoding.cls[0], torch.stack(cls_vectors).mean(0))
    torch.testing.assert_close(encoding.question[0], torch.stack(question_states).mean(0))


@torch.no_grad()
def test_window_never_exceeds_the_position_embeddings() -> None:
    passage = PassageInput.from_text(" ".join([PASSAGE] * 8), TOKENIZER)
    assert len(passage) > 256
    encoding = encoder(window=5000)(QUESTIONS[:1], [passage])
    assert encoding.passage.shape[1] == len(passage)


@torch.no_grad()
def test_texts_are_encoded_apart_below_the_split() -> None:
    split, passage = encoder(split=1), PASSAGES[1]
    encoding = split(QUESTIONS, [passage, passage])
    bert = tiny_bert(TOKENIZER)
    question_ids = (CLS, *QUESTIONS[0].ids, SEP)
    apart = []
    for token_type, ids, start in ((0, question_ids, 0), (1, (*passage.tokens.ids, SEP), 40)):
        states = bert.embeddings(
            input_ids=torch.tensor([ids]),
            token_type_ids=torch.full((1, len(ids)), token_type),
            position_ids=torch.arange(start, start + len(ids))[None],
        )
        apart.append(bert.encoder.layer[0](states, None))
    joint = bert.encoder.layer[1](torch.cat(apart, 1), None)[0]
    torch.testing.assert_close(encoding.passage[0], joint[len(question_ids) : -1])
    alone = split(QUESTIONS[1:], [passage])
    torch.testing.assert_close(encoding.passage[1], alone.passage[0])


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("frozen", [0, 1, 2])
def test_frozen_layers_do_not_change_the_output(split: int, frozen: int) -> None:
    expected = encoder(split=split)(QUESTIONS, PASSAGES)
    encoding = encoder(split=split, frozen=frozen)(QUESTIONS, PASSAGES)
    torch.testing.assert_close(encoding.passage, expected.passage)
    torch.testing.assert_close(encoding.question, expected.question)


@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("frozen", [0, 1])
def test_frozen_layers_have_no_gradient(split: int, frozen: int) -> None:
    trained = encoder(split=split, frozen=frozen)
    trained(QUESTIONS, PASSAGES).passage.square().sum().backward()
    with_gradient = [has_gradient(layer) for layer in trained.layers]
    assert with_gradient == [not frozen, True]
    assert has_gradient(trained.embeddings) == (not frozen)


def has_gradient(module: nn.Module) -> bool:
    return any(parameter.grad is not None for parameter in module.parameters())


def test_frozen_layers_have_no_dropout() -> None:
    trained = encoder(frozen=1, inner_dropout=0.5, dropout=0.0).train()
    assert dropout_rates(trained.layers[0]) == {0.0}
    assert dropout_rates(trained.layers[1]) == {0.5}


def dropout_rates(module: nn.Module) -> set[float]:
    return {part.p for part in module.modules() if isinstance(part, nn.Dropout)}


def test_fewer_layers() -> None:
    assert len(encoder(layers=1).layers) == 1


def test_longest_question() -> None:
    model = encoder()
    assert model.max_question_tokens == 126  # half of 256 positions, less two special tokens
    ids = (QUESTIONS[0].ids * 20)[:127]
    question = TokenizedText("", ids[:126], ((0, 0),) * 126)
    assert model([question], PASSAGES[:1]).question.shape[1] == 126
    with pytest.raises(InputError, match="127 word pieces; at most 126") as raised:
        model([TokenizedText("", ids, ((0, 0),) * 127)], PASSAGES[:1])
    assert raised.value.hint == "Ask a shorter question."


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
def test_windows_are_encoded_in_batches(monkeypatch: pytest.MonkeyPatch, split: int) -> None:
    model = encoder(window=32, overlap=8, split=split)
    passages = [PassageInput.from_text(LONG, TOKENIZER), PASSAGES[1]]
    expected = model(QUESTIONS, passages)
    rows: list[int] = []
    record_shapes(model, rows, dimension=0)
    monkeypatch.setattr(transformer, "_BATCH", 2)
    encoding = model(QUESTIONS, passages)
    torch.testing.assert_close(encoding.passage, expected.passage)
    torch.testing.assert_close(encoding.question, expected.question)
    assert max(rows) == 2


def record_shapes(model: Encoder, sizes: list[int], dimension: int) -> None:
    """Append one dimension of the inputs of every layer to a list."""
    for layer in model.layers:
        layer.register_forward_pre_hook(lambda _, inputs: sizes.append(inputs[0].shape[dimension]))


def identity(linear: nn.Linear | None, factor: float) -> None:
    assert linear is not None
    linear.weight.copy_(factor * torch.eye(len(linear.weight)))


@torch.no_grad()
def test_skip_starts_at_zero_and_adds_the_input_of_the_trained_layers() -> None:
    expected = encoder(frozen=1)(QUESTIONS, PASSAGES).passage
    entering = encoder(layers=1)(QUESTIONS, PASSAGES).passage
    skipping = encoder(frozen=1, layer_skip=True)
    torch.testing.assert_close(skipping(QUESTIONS, PASSAGES).passage, expected)
    identity(skipping.layer_skip, 2)
    encoding = skipping(QUESTIONS, PASSAGES)
    mask = encoding.passage_mask
    torch.testing.assert_close(encoding.passage[mask], (expected + 2 * entering)[mask])
    lower = skipping(QUESTIONS, PASSAGES, keep_layers=2).layers[0].passage
    torch.testing.assert_close(lower[mask], entering[mask])  # only the last layer is changed
    assert [name for name, _ in skipping.new_parameters()] == ["encoder.layer_skip.weight"]


@torch.no_grad()
def test_skip_may_start_above_the_lowest_trained_layer() -> None:
    above = encoder(layer_skip=True, layer_skip_from=1)
    entering = encoder(frozen=1, layer_skip=True)
    for model in (above, entering):
        identity(model.layer_skip, 2)
    expected = entering(QUESTIONS, PASSAGES).passage
    torch.testing.assert_close(above(QUESTIONS, PASSAGES).passage, expected)


@torch.no_grad()
def test_question_embedding_skip_starts_at_zero_and_adds_normalised_embeddings() -> None:
    expected = encoder()(QUESTIONS, PASSAGES)
    skipping = encoder(question_embedding_skip=True)
    torch.testing.assert_close(skipping(QUESTIONS, PASSAGES).question, expected.question)
    identity(skipping.question_embedding_skip, 1)
    encoding = skipping(QUESTIONS, PASSAGES)
    words = skipping.embeddings.word_embeddings.weight[list(QUESTIONS[1].ids)]
    variance = words.var(-1, correction=0, keepdim=True)
    normalised = (words - words.mean(-1, keepdim=True)) / (variance + 1e-5).sqrt()
    length = len(QUESTIONS[1])
    row = encoding.question[1, :length]
    torch.testing.assert_close(row, expected.question[1, :length] + normalised)
    torch.testing.assert_close(encoding.passage, expected.passage)
    names = [name for name, _ in skipping.new_parameters()]
    assert names == ["encoder.question_embedding_skip.weight"]


def test_bfloat16_is_for_training_only() -> None:
    exact, rounded = encoder(dropout=0.0), encoder(dropout=0.0)
    rounded.set_precision("bf16")
    expected = exact(QUESTIONS, PASSAGES).passage
    assert torch.equal(rounded(QUESTIONS, PASSAGES).passage, expected)
    passage = rounded.train()(QUESTIONS, PASSAGES).passage
    assert passage.dtype == torch.float
    assert not torch.equal(passage, expected)
    torch.testing.assert_close(passage, expected, atol=0.05, rtol=0.05)
    passage.sum().backward()
    assert {parameter.dtype for parameter in rounded.parameters()} == {torch.float}
    rounded.set_precision("no")
    expected = exact.train()(QUESTIONS, PASSAGES).passage
    assert torch.equal(rounded(QUESTIONS, PASSAGES).passage, expected)


def test_fingerprint_depends_on_the_precision() -> None:
    exact, rounded = encoder(), encoder()
    rounded.set_precision("bf16")
    assert rounded.fingerprint != exact.fingerprint
    rounded.set_precision("no")
    assert rounded.fingerprint == exact.fingerprint


@torch.no_grad()
@pytest.mark.parametrize("frozen", [0, 1])
@pytest.mark.parametrize("fast", [False, True])
def test_lengths_in_bfloat16_are_multiples_of_32(frozen: int, fast: bool) -> None:
    model, lengths = encoder(frozen=frozen), list[int]()
    record_shapes(model, lengths, dimension=1)
    model.set_precision("bf16")
    model(QUESTIONS, PASSAGES)
    longest = max(len(q) + len(p) + 3 for q, p in zip(QUESTIONS, PASSAGES, strict=True))
    assert set(lengths) == {longest}  # no further padding in float32
    lengths.clear()
    if fast:
        model.use_fast("bf16")
    model.train(not fast)(QUESTIONS, PASSAGES)
    assert set(lengths) == {-(-longest // 32) * 32} != {longest}


def test_output_dropout_is_for_training_only() -> None:
    model = encoder(dropout=0.5, inner_dropout=0.0)
    expected = encoder()(QUESTIONS, PASSAGES).passage
    assert torch.equal(model(QUESTIONS, PASSAGES).passage, expected)
    torch.manual_seed(0)
    passage = model.train()(QUESTIONS, PASSAGES).passage
    dropped = passage == 0
    assert 0.4 < dropped[1].float().mean() < 0.6
    torch.testing.assert_close(passage[~dropped], 2 * expected[~dropped])
