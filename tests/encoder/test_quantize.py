"""Fast mode: eight bits by hand, and an encoder that reads nearly the same."""

from pathlib import Path

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.quantize import Int8Linear, is_quantized, quantize
from workings.errors import CheckpointError
from workings.reader import Reader


def linear(weight: list[list[float]], bias: list[float] | None) -> torch.nn.Linear:
    made = torch.nn.Linear(len(weight[0]), len(weight), bias=bias is not None)
    made.weight.data = torch.tensor(weight)
    if bias is not None:
        made.bias.data = torch.tensor(bias)
    return made


@torch.inference_mode()
def test_each_row_has_its_own_scale() -> None:
    # 50 of 63 steps are exact in a row of hundreds as in one of thousandths.
    rounded = Int8Linear(linear([[630.0, 500.0], [0.0063, -0.005]], [0.5, 0.0]))
    found = rounded(torch.tensor([[0.0, 255.0]]))  # inputs: whole steps from 0 to 255
    torch.testing.assert_close(found, torch.tensor([[127500.5, -1.275]]))


@torch.inference_mode()
def test_rows_of_nothing_and_no_bias() -> None:
    rounded = Int8Linear(linear([[0.0, 0.0], [0.63, 0.0]], None))
    torch.testing.assert_close(rounded(torch.tensor([[255.0, 0.0]])), torch.tensor([[0.0, 160.65]]))


@torch.inference_mode()
def test_a_rounded_encoder_reads_nearly_the_same() -> None:
    network = tiny_network()
    asked = [TokenizedText.tokenize(QUESTION, network.tokenizer)]
    passages = [PassageInput.from_text(PASSAGE, network.tokenizer)]
    exact = network.encoder(asked, passages).passage
    quantize(network.encoder.layers)
    found = network.encoder(asked, passages).passage
    assert not torch.equal(found, exact)
    assert torch.cosine_similarity(found, exact, -1).min() > 0.99


def test_what_is_rounded_is_not_saved(tmp_path: Path) -> None:
    folder = Reader(tiny_network()).save_pretrained(tmp_path)
    reader = Reader.from_pretrained(folder, fast=True)
    assert is_quantized(reader.network) and not is_quantized(Reader.from_pretrained(folder).network)
    assert reader.ask(QUESTION, PASSAGE).program
    with pytest.raises(CheckpointError, match="rounded") as caught:
        reader.save_pretrained(folder)
    assert "fast" in caught.value.hint
