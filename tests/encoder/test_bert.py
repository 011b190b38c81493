"""BERT against transformers, against attention computed by hand, and against damaged files."""

import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder import bert as bert_module
from workings.encoder.bert import Bert, BertConfig, BertLayer, attend, load_bert
from workings.errors import EncoderError

SIZES: dict[str, Any] = {
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 20,
}
CONFIG = BertConfig(**SIZES)
LENGTHS = (7, 3, 5)


def assert_near(actual: Tensor, expected: Tensor, *, tolerance: float = 1e-5) -> None:
    torch.testing.assert_close(actual, expected, atol=tolerance, rtol=tolerance)


def random_bert() -> Bert:
    """Weights large enough for every part to matter: with the usual ones GELU is nearly linear."""
    torch.manual_seed(0)
    bert = Bert(CONFIG).eval()
    for weight in bert.parameters():
        nn.init.normal_(weight, std=0.5)
    return bert


def batch() -> tuple[dict[str, Tensor], Tensor]:
    """Inputs of the embeddings, and the mask of padding, of three rows of different lengths."""
    draw = torch.Generator().manual_seed(1)
    shape = (len(LENGTHS), max(LENGTHS))
    inputs = {
        "input_ids": torch.randint(1, CONFIG.vocab_size, shape, generator=draw),
        "token_type_ids": torch.randint(0, 2, shape, generator=draw),
        "position_ids": torch.randint(0, CONFIG.max_position_embeddings, shape, generator=draw),
    }
    return inputs, torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]


def hidden_states(bert: Bert, inputs: dict[str, Tensor], mask: Tensor | None) -> list[Tensor]:
    """The output of the embeddings and of every layer."""
    states = [bert.embeddings(**inputs)]
    for layer in bert.encoder.layer:
        states.append(layer(states[-1], mask))
    return states


@pytest.fixture
def reference() -> Any:
    """A BERT of transformers with the weights of `random_bert`."""
    transformers = pytest.importorskip("transformers", reason="compares with transformers")
    config = transformers.BertConfig(**SIZES, attn_implementation="eager")
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.load_state_dict(random_bert().state_dict())
    return model


@pytest.fixture
def loaded(reference: Any, tmp_path: Path) -> Bert:
    reference.save_pretrained(tmp_path, safe_serialization=True)
    return load_bert(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of `random_bert`, in half precision as many are published."""
    (tmp_path / "config.json").write_text(CONFIG.model_dump_json())
    state = {name: weight.half() for name, weight in random_bert().state_dict().items()}
    save_file(state, tmp_path / "model.safetensors")
    return tmp_path


def test_parameter_names(reference: Any, loaded: Bert) -> None:
    shapes = {name: weight.shape for name, weight in loaded.named_parameters()}
    assert shapes == {name: weight.shape for name, weight in reference.named_parameters()}
    assert loaded.config == CONFIG
    assert not loaded.training


@torch.no_grad()
@pytest.mark.parametrize("padded", [False, True])
def test_hidden_states_of_every_layer(reference: Any, loaded: Bert, padded: bool) -> None:
    inputs, mask = batch()
    attention_mask = mask if padded else torch.ones_like(mask)
    expected = reference(**inputs, attention_mask=attention_mask, output_hidden_states=True)
    states = hidden_states(loaded, inputs, mask[:, None, None] if padded else None)
    assert len(states) == len(expected.hidden_states) == 1 + CONFIG.num_hidden_layers
    for state, expected_state in zip(states, expected.hidden_states, strict=True):
        assert_near(state, expected_state)
    assert all((later - earlier).abs().max() > 0.1 for earlier, later in pairwise(states))


def test_gradients_of_all_parameters(reference: Any, loaded: Bert) -> None:
    inputs, mask = batch()
    inputs["input_ids"][0, 0] = 0  # the padding token receives no gradient
    direction = torch.randn(CONFIG.hidden_size, generator=torch.Generator().manual_seed(2))

    def gradients(bert: nn.Module, last: Tensor) -> tuple[Tensor, ...]:
        scalar = (last[mask] @ direction).tanh().sum()
        return torch.autograd.grad(scalar, list(bert.parameters()))

    expected = reference(**inputs, attention_mask=mask).last_hidden_state
    actual = hidden_states(loaded, inputs, mask[:, None, None])[-1]
    pairs = zip(gradients(loaded, actual), gradients(reference, expected), strict=True)
    for gradient, expected_gradient in pairs:
        assert_near(gradient, expected_gradient)
    assert not gradients(loaded, hidden_states(loaded, inputs, None)[-1])[0][0].any()


def test_dropout_in_training(reference: Any, loaded: Bert) -> None:
    inputs, mask = batch()
    torch.manual_seed(5)
    expected = reference.train()(**inputs, attention_mask=mask).last_hidden_state
    torch.manual_seed(5)
    loaded.train()
    assert_near(hidden_states(loaded, inputs, mask[:, None, None])[-1], expected)


def test_initial_weights() -> None:
    torch.manual_seed(0)
    bert = Bert(BertConfig(**SIZES | {"hidden_size": 64, "initializer_range": 0.1}))
    for name, weight in bert.named_parameters():
        if name.endswith("LayerNorm.weight"):
            assert weight.eq(1).all(), name
        elif name.endswith("bias"):
            assert not weight.any(), name
        elif "token_type" not in name:  # too few numbers
            assert abs(weight.std().item() - 0.1) < 0.01, name
            assert abs(weight.mean().item()) < 0.01, name
    words = bert.embeddings.word_embeddings.weight
    assert not words[0].any()
    assert words[1:].any(1).all()


def test_gelu_is_exact() -> None:
    layer = BertLayer(CONFIG.model_copy(update={"intermediate_size": CONFIG.hidden_size}))
    layer.intermediate.load_state_dict(
        {"dense.weight": torch.eye(16), "dense.bias": torch.zeros(16)}
    )
    inputs = torch.linspace(-4, 4, 16)
    expected = [x / 2 * (1 + math.erf(x / math.sqrt(2))) for x in inputs.tolist()]
    outputs = layer.intermediate(inputs.expand(1, 1, 16))[0, 0]
    torch.testing.assert_close(outputs, torch.tensor(expected), atol=1e-6, rtol=0)


def test_dropout_only_in_training() -> None:
    bert, (inputs, _) = random_bert(), batch()
    first, second = (hidden_states(bert, inputs, None)[-1] for _ in range(2))
    assert torch.equal(first, second)
    bert.train()
    assert not torch.equal(hidden_states(bert, inputs, None)[-1], first)
    for module in bert.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    assert torch.equal(hidden_states(bert, inputs, None)[-1], first)


@torch.no_grad()
@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_padding_never_changes_the_vectors_of_real_tokens(lengths: list[int], random: Any) -> None:
    bert = random_bert()
    longest = max(lengths) + random.randrange(3)
    ids = torch.tensor([[random.randrange(40) for _ in range(longest)] for _ in lengths])
    inputs = {"input_ids": ids, "token_type_ids": ids % 2, "position_ids": ids % 20}
    mask = torch.arange(longest) < torch.tensor(lengths)[:, None]
    together = hidden_states(bert, inputs, mask[:, None, None])[-1]
    for row, length in enumerate(lengths):
        alone = {name: part[row : row + 1, :length] for name, part in inputs.items()}
        expected = hidden_states(bert, alone, None)[-1][0]
        assert_near(together[row, :length], expected)


@torch.no_grad()
def test_bfloat16_is_close_to_float(monkeypatch: pytest.MonkeyPatch) -> None:
    bert, (inputs, mask) = random_bert(), batch()
    expected = hidden_states(bert, inputs, mask[:, None, None])[-1]
    monkeypatch.delattr(functional, "scaled_dot_product_attention")  # slow there: must not be used
    with torch.autocast("cpu", torch.bfloat16):
        rounded = hidden_states(bert, inputs, mask[:, None, None])[-1]
    assert rounded.dtype == torch.float
    assert not torch.equal(rounded, expected)
    assert_near(rounded, expected, tolerance=0.1)


ROWS, HEADS, TOKENS, WIDTH = 3, 2, 5, 4


def queries_keys_values(dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Numbers that bfloat16 represents exactly."""
    draw = torch.Generator().manual_seed(0)
    numbers = torch.randint(-8, 9, (3, ROWS, HEADS, TOKENS, WIDTH), generator=draw) / 4
    query, key, value = numbers.to(dtype).unbind()
    return query, key, value


def by_hand(bias: Tensor) -> Tensor:
    """Attention in double precision, written out."""
    query, key, value = queries_keys_values(torch.double)
    scores = torch.einsum("rhtk,rhsk->rhts", query, key) / math.sqrt(WIDTH) + bias
    weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return torch.einsum("rhts,rhsk->rthk", weights, value)


def no_mask() -> tuple[None, Tensor]:
    return None, torch.zeros(ROWS, HEADS, TOKENS, TOKENS)


def padding_mask() -> tuple[Tensor, Tensor]:
    mask = (torch.arange(TOKENS) < torch.tensor([5, 2, 4])[:, None])[:, None, None]
    return mask, torch.where(mask, 0.0, -math.inf).expand(ROWS, HEADS, TOKENS, TOKENS)


def distance_bias() -> tuple[Tensor, Tensor]:
    """The same bias for every row."""
    position = torch.arange(TOKENS)
    bias = -(position[:, None] - position).abs().float().expand(1, HEADS, TOKENS, TOKENS)
    return bias, bias.expand(ROWS, -1, -1, -1)


def bias_of_each_row() -> tuple[Tensor, Tensor]:
    draw = torch.Generator().manual_seed(3)
    bias = torch.randint(-4, 5, (ROWS, HEADS, TOKENS, TOKENS), generator=draw) / 2
    return bias, bias


@pytest.mark.parametrize("mask_kind", [no_mask, padding_mask, distance_bias, bias_of_each_row])
@pytest.mark.parametrize("dtype", [torch.float, torch.bfloat16])
@pytest.mark.parametrize("scores", [1, 2 * HEADS * TOKENS * TOKENS, 10_000])
def test_attention_in_chunks_of_rows(
    mask_kind: Callable[[], tuple[Tensor | None, Tensor]],
    dtype: torch.dtype,
    scores: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bert_module, "_MAX_SCORES", scores)
    mask, bias = mask_kind()
    mixed = attend(*queries_keys_values(dtype), mask)
    assert mixed.dtype == dtype
    assert_near(mixed.double(), by_hand(bias), tolerance=1e-6 if dtype == torch.float else 0.03)


def test_gradients_of_attention_in_bfloat16() -> None:
    mask, _ = padding_mask()
    gradients = []
    for dtype in (torch.bfloat16, torch.float):
        query, key, value = (part.requires_grad_() for part in queries_keys_values(dtype))
        scalar = attend(query, key, value, mask).float().square().sum()
        gradients.append(torch.autograd.grad(scalar, [query, key, value]))
    for rounded, exact in zip(*gradients, strict=True):
        assert_near(rounded.float(), exact, tolerance=0.1)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float])
def test_dropout_of_attention(dtype: torch.dtype) -> None:
    """Dropped weights are zero, the others are scaled up: the mean over many draws is unchanged."""
    torch.manual_seed(0)
    query, key, value = (
        part[:1, :1].expand(2000, 1, -1, -1) for part in queries_keys_values(dtype)
    )
    mixed = attend(query, key, value, None, 0.5).float()
    assert not torch.equal(mixed[0], mixed[1])
    expected = by_hand(no_mask()[1])[0, :, 0].float()
    assert_near(mixed.mean(0)[:, 0], expected, tolerance=0.1)


def test_half_precision_is_loaded_as_float(folder: Path) -> None:
    loaded = load_bert(folder)
    expected = random_bert().half().float().state_dict()
    assert {weight.dtype for weight in loaded.parameters()} == {torch.float32}
    assert all(torch.equal(weight, expected[name]) for name, weight in loaded.state_dict().items())
    assert all(weight.requires_grad for weight in loaded.parameters())


def test_weights_of_a_model_with_a_task_head(folder: Path) -> None:
    expected = load_bert(folder).state_dict()
    path = folder / "model.safetensors"
    state = {f"bert.{name}": weight for name, weight in load_file(path).items()}
    state |= {
        "bert.embeddings.position_ids": torch.arange(20)[None],
        "bert.pooler.dense.weight": torch.zeros(16, 16),
        "classifier.bias": torch.zeros(2),
    }
    for old, new in (("weight", "gamma"), ("bias", "beta")):  # as converted from TensorFlow
        name = f"bert.embeddings.LayerNorm.{old}"
        state[name.replace(old, new)] = state.pop(name)
    save_file(state, path)
    loaded = load_bert(folder).state_dict()
    assert loaded.keys() == expected.keys()
    assert all(torch.equal(weight, expected[name]) for name, weight in loaded.items())


def test_a_loaded_encoder_does_not_depend_on_its_file(folder: Path) -> None:
    path = folder / "model.safetensors"
    save_file({name: weight.float() for name, weight in load_file(path).items()}, path)
    bert = load_bert(folder)
    before = bert.embeddings.word_embeddings.weight.clone()
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
    assert torch.equal(bert.embeddings.word_embeddings.weight, before)


def test_published_config_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    published = {"hidden_size": 384, "architectures": ["BertModel"], "classifier_dropout": None}
    path.write_text(json.dumps({"model_type": "bert", "layer_norm_eps": 1e-6} | published))
    assert BertConfig.load(path) == BertConfig(hidden_size=384, layer_norm_eps=1e-6)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"model_type": "distilbert"}, "model_type: .*found 'distilbert'"),
        ({"hidden_act": "relu"}, "hidden_act: .*found 'relu'"),
        ({"hidden_act": "gelu_new"}, "hidden_act"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type"),
        ({"is_decoder": True}, "is_decoder"),
        ({"hidden_size": "wide"}, "hidden_size: .*found 'wide'"),
        ({"hidden_size": 10**30}, "hidden_size"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"num_attention_heads": 3}, "not a multiple of num_attention_heads"),
        ({"pad_token_id": 40}, "pad_token_id is not below vocab_size"),
        ({"layer_norm_eps": math.inf}, "layer_norm_eps"),
    ],
)
def test_unsupported_configs(folder: Path, entry: dict[str, Any], message: str) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG.model_dump() | entry))
    with pytest.raises(EncoderError, match=message) as raised:
        load_bert(folder)
    assert "GELU and absolute positions" in raised.value.hint


@pytest.mark.parametrize("content", [b"", b"{ damaged", b"\xff\xfe", b"[1, 2]", b"[" * 100_000])
def test_damaged_configs(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    with pytest.raises(EncoderError, match=r"config\.json does not describe"):
        load_bert(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_missing_files(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(EncoderError, match=f"{name} cannot be read") as raised:
        load_bert(folder)
    assert "config.json and model.safetensors" in raised.value.hint


def test_damaged_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    for content in (b"", b"not a file of weights", whole[:-10]):
        path.write_bytes(content)
        with pytest.raises(EncoderError, match="cannot be read"):
            load_bert(folder)


QUERY = "encoder.layer.1.attention.self.query.weight"


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (None, "absent"),
        (torch.zeros(16, 8), r"float32 \[16, 8\]"),
        (torch.zeros(16, 16, dtype=torch.int8), r"int8 \[16, 16\]"),
    ],
)
def test_weights_that_do_not_fit(folder: Path, weight: Tensor | None, message: str) -> None:
    path = folder / "model.safetensors"
    state = load_file(path)
    del state[QUERY]
    save_file(state if weight is None else state | {QUERY: weight}, path)
    expected = rf"{QUERY} should be float \[16, 16\], but is .*{message}"
    with pytest.raises(EncoderError, match=expected) as raised:
        load_bert(folder)
    assert "of one BERT model" in raised.value.hint


def test_weights_of_another_kind_of_model(folder: Path) -> None:
    save_file({"transformer.h.0.attn.weight": torch.zeros(2)}, folder / "model.safetensors")
    with pytest.raises(EncoderError, match=r"word_embeddings\.weight should be .* absent"):
        load_bert(folder)
