"""Finding and loading pretrained encoders, and the errors where that fails."""

import json
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from tiny import PASSAGE, QUESTION, save_encoder, tiny_bert, tiny_tokenizer
from workings.encoder import pretrained
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder, find_encoder, load_encoder
from workings.errors import EncoderError
from workings.settings import EncoderSettings

TOKENIZER = tiny_tokenizer(PASSAGE, QUESTION)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of encoder files whose tokenizer truncates texts, as those of many encoders do."""
    folder = tmp_path / "minilm-l12-ms-marco"
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION)
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=9)
    save_encoder(tiny_bert(TOKENIZER), tokenizer, folder)
    return folder


@torch.no_grad()
def test_folder_is_loaded_without_truncation(folder: Path) -> None:
    encoder, tokenizer = load_encoder(EncoderSettings(source=str(folder)))
    question = TokenizedText.tokenize(QUESTION, tokenizer)
    passage = PassageInput.from_text(PASSAGE, tokenizer)
    assert len(passage) > 9
    expected = build_encoder(tiny_bert(TOKENIZER), TOKENIZER, EncoderSettings()).eval()
    encoding = encoder.eval()([question], [passage])
    torch.testing.assert_close(encoding.passage, expected([question], [passage]).passage)


def test_weights_of_a_task_head_are_ignored(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = {f"bert.{name}": weight for name, weight in load_file(path).items()}
    save_file(weights | {"classifier.weight": torch.zeros(1, 32)}, path)
    encoder, _ = load_encoder(EncoderSettings(source=str(folder)))
    expected = tiny_bert(TOKENIZER).embeddings.word_embeddings.weight
    assert torch.equal(encoder.embeddings.word_embeddings.weight, expected)


def test_loaded_encoder_can_be_trained(folder: Path) -> None:
    encoder, tokenizer = load_encoder(EncoderSettings(source=str(folder), inner_dropout=0.25))
    question = TokenizedText.tokenize(QUESTION, tokenizer)
    passage = PassageInput.from_text(PASSAGE, tokenizer)
    dropouts = [part for part in encoder.layers.modules() if isinstance(part, torch.nn.Dropout)]
    assert {part.p for part in dropouts} == {0.25}
    optimiser = torch.optim.SGD(encoder.eval().parameters(), lr=0.01)
    losses = []
    for _ in range(5):
        loss = encoder([question], [passage]).cls.square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True) and losses[-1] < losses[0]


def test_short_name_is_found_in_the_encoder_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKINGS_ENCODERS", str(folder.parent))
    assert find_encoder("minilm-l12") == folder
    assert find_encoder(folder.name) == folder


def test_encoder_is_found_in_a_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package_with_an_encoder"
    package.mkdir()
    (package / "__init__.py").write_text("")
    folder.rename(package / "weights")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(pretrained.PACKAGED, "packaged", package.name)
    assert find_encoder("packaged") == package / "weights"


def test_offline_download_fails_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def offline(*_: object, **__: object) -> str:
        raise OSError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", offline)
    monkeypatch.setenv("WORKINGS_ENCODERS", str(tmp_path))
    with pytest.raises(EncoderError, match="'someone/some-encoder' was not found") as raised:
        find_encoder("someone/some-encoder")
    assert "WORKINGS_ENCODERS" in raised.value.hint


def test_download_without_the_hub_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.setenv("WORKINGS_ENCODERS", str(tmp_path))
    with pytest.raises(EncoderError, match="huggingface_hub") as raised:
        find_encoder("someone/some-encoder")
    assert "pip install 'workings[train]'" in raised.value.hint


def test_download_by_the_name_on_the_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    downloaded = []

    def download(name: str, **_: object) -> str:
        downloaded.append(name)
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setenv("WORKINGS_ENCODERS", str(tmp_path))
    assert find_encoder("minilm-l12") == tmp_path
    assert downloaded == ["cross-encoder/ms-marco-MiniLM-L-12-v2"]


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_rejects_damaged_files(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{ damaged")
    with pytest.raises(EncoderError, match=name if name != "tokenizer.json" else "No tokenizer"):
        load_encoder(EncoderSettings(source=str(folder)))


def test_rejects_another_kind_of_encoder(folder: Path) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"model_type": "distilbert"}))
    with pytest.raises(EncoderError, match="distilbert") as raised:
        load_encoder(EncoderSettings(source=str(folder)))
    assert "BERT" in raised.value.hint


def test_rejects_tokenizer_without_special_tokens() -> None:
    bare = Tokenizer(WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    with pytest.raises(EncoderError, match=r"\[CLS\]"):
        build_encoder(tiny_bert(TOKENIZER), bare, EncoderSettings())


def test_rejects_tokenizer_of_a_larger_vocabulary() -> None:
    larger = tiny_tokenizer(PASSAGE, QUESTION, "Another word.")
    with pytest.raises(EncoderError, match="no embedding") as raised:
        build_encoder(tiny_bert(TOKENIZER), larger, EncoderSettings())
    assert "of one model together" in raised.value.hint


@pytest.mark.parametrize(
    "settings", [{"frozen": 9}, {"split": 9}, {"layer_skip": True, "layer_skip_from": 9}]
)
def test_rejects_settings_that_need_more_layers(folder: Path, settings: dict[str, int]) -> None:
    with pytest.raises(EncoderError, match="has only 2 layers") as raised:
        load_encoder(EncoderSettings(source=str(folder), **settings))
    assert "to 2 at most" in raised.value.hint


def test_pickled_weights_are_not_loaded(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(EncoderError, match=r"model\.safetensors cannot be read"):
        load_encoder(EncoderSettings(source=str(folder)))
