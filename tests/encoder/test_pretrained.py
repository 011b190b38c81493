"""Finding an encoder, and saying clearly why there is none."""

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from tiny import PASSAGE, QUESTION, tiny_bert, tiny_tokenizer
from workings.encoder import load
from workings.encoder.attention import ATTENTION
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder, find_encoder, load_encoder
from workings.errors import EncoderError
from workings.settings import EncoderSettings

TOKENIZER = tiny_tokenizer(PASSAGE, QUESTION)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An encoder's folder, made for short texts as many are."""
    made = tmp_path / "minilm-l12-ms-marco"
    tiny_bert(TOKENIZER).save_pretrained(made)
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION)
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=9)
    tokenizer.save(str(made / "tokenizer.json"))
    return made


@torch.no_grad()
def test_a_folder_is_read_whole(folder: Path) -> None:
    encoder, tokenizer = load_encoder(EncoderSettings(source=str(folder)))
    question, passage = (
        TokenizedText.tokenize(QUESTION, tokenizer),
        PassageInput.from_text(PASSAGE, tokenizer),
    )
    assert len(passage) > 9
    expected = build_encoder(tiny_bert(TOKENIZER), TOKENIZER, EncoderSettings()).eval()
    found = encoder.eval()([question], [passage])
    torch.testing.assert_close(found.passage, expected([question], [passage]).passage)


def test_known_names_are_on_the_shelf(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKINGS_ENCODERS", str(folder.parent))
    assert find_encoder("minilm-l12") == folder
    assert find_encoder(folder.name) == folder


def test_packages_may_carry_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "carries_an_encoder"
    package.mkdir()
    (package / "__init__.py").write_text("")
    folder.rename(package / "weights")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(load.PACKAGED, "carried", package.name)
    assert find_encoder("carried") == package / "weights"


def test_no_network_no_encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def offline(*_: object, **__: object) -> str:
        raise OSError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", offline)
    monkeypatch.setenv("WORKINGS_ENCODERS", str(tmp_path))
    with pytest.raises(EncoderError, match="WORKINGS_ENCODERS"):
        find_encoder("someone/some-encoder")


def test_the_hub_is_asked_last(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    def download(name: str, **_: object) -> str:
        asked.append(name)
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setenv("WORKINGS_ENCODERS", str(tmp_path))
    assert find_encoder("minilm-l12") == tmp_path
    assert asked == ["cross-encoder/ms-marco-MiniLM-L-12-v2"]


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_damaged_files(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{ not what it was")
    with pytest.raises(EncoderError):
        load_encoder(EncoderSettings(source=str(folder)))


def test_not_of_the_family() -> None:
    with pytest.raises(EncoderError, match="BERT"):
        build_encoder(torch.nn.Linear(1, 1), TOKENIZER, EncoderSettings())


def test_a_tokenizer_without_marks() -> None:
    bare = Tokenizer(WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    with pytest.raises(EncoderError, match=r"\[CLS\]"):
        build_encoder(tiny_bert(TOKENIZER), bare, EncoderSettings())


def test_masks_are_read_whatever_the_file_says(folder: Path) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace("{", '{"_attn_implementation": "eager",', 1))
    encoder, _ = load_encoder(EncoderSettings(source=str(folder)))
    assert encoder.config._attn_implementation == ATTENTION


@pytest.mark.parametrize("settings", [{"frozen": 9}, {"split": 9}])
def test_no_more_layers_can_be_frozen_or_split_than_there_are(
    folder: Path, settings: dict[str, int]
) -> None:
    with pytest.raises(EncoderError, match="layers only"):
        load_encoder(EncoderSettings(source=str(folder), **settings))


def test_no_pickle_is_loaded(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(EncoderError, match="No encoder could be read"):
        load_encoder(EncoderSettings(source=str(folder)))
