"""Fast mode: linear layers in 8-bit integers, checked by hand, or in bfloat16."""

from pathlib import Path

import pytest
import torch
from encoders import PASSAGES, QUESTIONS, encoder
from torch import nn

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.quantize import FastMethod, Int8Linear, preferred_method, quantize
from workings.errors import CheckpointError
from workings.reader import Reader

METHODS: list[FastMethod] = ["bf16", "int8"]


def linear(weight: list[list[float]], bias: list[float] | None) -> nn.Linear:
    layer = nn.Linear(len(weight[0]), len(weight), bias=bias is not None)
    layer.weight.data = torch.tensor(weight)
    if bias is not None:
        layer.bias.data = torch.tensor(bias)
    return layer


@torch.inference_mode()
def test_each_row_has_its_own_scale() -> None:
    # 50 of 63 steps are exact in a row of hundreds as in one of thousandths.
    quantized = Int8Linear(linear([[630.0, 500.0], [0.0063, -0.005]], [0.5, 0.0]))
    outputs = quantized(torch.tensor([[0.0, 255.0]]))  # inputs: whole steps from 0 to 255
    torch.testing.assert_close(outputs, torch.tensor([[127500.5, -1.275]]))


@torch.inference_mode()
def test_zero_rows_and_no_bias() -> None:
    quantized = Int8Linear(linear([[0.0, 0.0], [0.63, 0.0]], None))
    outputs = quantized(torch.tensor([[255.0, 0.0]]))
    torch.testing.assert_close(outputs, torch.tensor([[0.0, 160.65]]))


@torch.inference_mode()
@pytest.mark.parametrize(("method", "similarity"), [("bf16", 0.9999), ("int8", 0.99)])
@pytest.mark.parametrize("split", [0, 1])
def test_fast_encoder_is_close_to_float32(
    method: FastMethod, similarity: float, split: int
) -> None:
    model = encoder(split=split)
    expected = model(QUESTIONS, PASSAGES)
    assert model.fast is None
    model.use_fast(method)
    assert model.fast == method
    encoding = model(QUESTIONS, PASSAGES)
    pairs = [
        (encoding.passage[encoding.passage_mask], expected.passage[expected.passage_mask]),
        (encoding.question[encoding.question_mask], expected.question[expected.question_mask]),
        (encoding.cls, expected.cls),
    ]
    for fast, exact in pairs:
        assert fast.dtype == torch.float32
        assert not torch.equal(fast, exact)
        assert torch.cosine_similarity(fast, exact, -1).min() > similarity


def test_bf16_converts_linear_layers_only() -> None:
    model = encoder()
    model.use_fast("bf16")
    converted = {
        f"{name}.{parameter}"
        for name, module in model.layers.named_modules()
        if isinstance(module, nn.Linear)
        for parameter in ("weight", "bias")
    }
    assert len(converted) == 2 * 6 * 2  # two layers of six linear maps, each with a bias
    for name, parameter in model.layers.named_parameters():
        assert parameter.dtype == (torch.bfloat16 if name in converted else torch.float32), name
    assert {parameter.dtype for parameter in model.embeddings.parameters()} == {torch.float32}


def test_int8_converts_every_linear_layer() -> None:
    model = encoder()
    model.use_fast("int8")
    parts = list(model.layers.modules())
    assert sum(isinstance(part, Int8Linear) for part in parts) == 2 * 6
    assert not any(isinstance(part, nn.Linear) for part in parts)


def test_nested_layers_are_converted() -> None:
    nested = nn.Sequential(nn.Sequential(nn.Linear(2, 2)), nn.LayerNorm(2), nn.Linear(2, 1))
    quantize(nested, "int8")
    kinds = [type(part).__name__ for part in nested.modules()]
    assert kinds == ["Sequential", "Sequential", "Int8Linear", "LayerNorm", "Int8Linear"]


@pytest.mark.parametrize(
    ("capabilities", "method"),
    [
        ({"avx512_bf16": True, "amx_bf16": False}, "bf16"),
        ({"avx512_bf16": False, "amx_bf16": True}, "bf16"),
        ({"avx512_bf16": False, "avx512_vnni": True}, "int8"),
        ({}, "int8"),
    ],
)
def test_preferred_method_depends_on_the_processor(
    capabilities: dict[str, bool], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    assert preferred_method() == method


def test_preferred_method_where_torch_does_not_list_capabilities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert preferred_method() == "int8"


@pytest.mark.parametrize("method", METHODS)
def test_fast_reader_cannot_be_saved(
    method: FastMethod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Reader(tiny_network()).save_pretrained(tmp_path / "model")
    monkeypatch.setattr("workings.checkpoint.model_folder.preferred_method", lambda: method)
    reader = Reader.from_pretrained(folder, fast=True)
    assert reader.network.encoder.fast == method
    assert Reader.from_pretrained(folder).network.encoder.fast is None
    assert reader.ask(QUESTION, PASSAGE).program
    with pytest.raises(CheckpointError, match="rounded") as raised:
        reader.save_pretrained(tmp_path / "fast")
    assert "without fast=True" in raised.value.hint
    assert not (tmp_path / "fast").exists()
