"""A model's card says what the model is and what was measured with its very weights."""

import json
from pathlib import Path

import pytest
import torch

from tiny import one_layer_network
from workings.checkpoint.model_folder import add_scores, load, save
from workings.data.records import GoldAnswer, Passage, Question
from workings.score import Report, evaluate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save(one_layer_network(), tmp_path)


def half_right() -> Report:
    """One of two questions answered well."""
    asked = tuple(
        Question(name, "How many?", (GoldAnswer(number="5"),), kind="count") for name in "ab"
    )
    return evaluate({"a": "5", "b": "6"}, [Passage("p", "Five.", asked)])


def card_of(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def test_the_card_tells_of_modules_and_size(folder: Path) -> None:
    card = card_of(folder)
    assert "| `sub` | The difference of two numbers. |" in card
    assert "1 layers, width 32" in card
    parameters = sum(tensor.numel() for tensor in one_layer_network().state_dict().values())
    assert f"{parameters / 1e6:.1f} million parameters" in card
    assert "## Scores" not in card


def test_the_card_shows_what_was_measured(folder: Path) -> None:
    add_scores(folder, "dev", half_right(), seconds=0.123)
    add_scores(folder, "test", half_right(), seconds=0.4)
    card = card_of(folder)
    assert "| dev | questions |" in card and "| test | questions |" in card
    assert "| count | 2 | 50.0 (0.0–100.0) | 50.0 (0.0–100.0) |" in card
    assert "0.12 s on " in card and "0.40 s on " in card
    assert card.index("| dev |") < card.index("| test |")


def test_scores_stay_with_the_weights_they_were_measured_with(folder: Path) -> None:
    add_scores(folder, "dev", half_right(), seconds=0.1)
    network = load(folder)
    save(network, folder, temperature=2.0)
    assert "| dev | questions |" in card_of(folder)
    with torch.no_grad():
        next(network.parameters()).add_(1.0)
    save(network, folder)
    assert "## Scores" not in card_of(folder)
    add_scores(folder, "test", half_right(), seconds=0.1)
    assert "| dev |" not in card_of(folder) and "| test |" in card_of(folder)


@pytest.mark.parametrize("kept", ["", "[]", '{"dev": 1}', '{"dev": {"weights": "x"}}'])
def test_scores_that_cannot_be_read_are_measured_anew(folder: Path, kept: str) -> None:
    (folder / "scores.json").write_text(kept)
    add_scores(folder, "dev", half_right(), seconds=0.1)
    assert list(json.loads((folder / "scores.json").read_text())) == ["dev"]
