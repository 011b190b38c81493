"""Tests of model cards."""

import json
from pathlib import Path

import pytest
import torch

from tiny import one_layer_network
from workings.checkpoint.model_folder import add_scores, load, save
from workings.data.records import GoldAnswer, Passage, Question
from workings.modules import REGISTRY
from workings.score import Report, score_predictions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save(one_layer_network(), tmp_path)


def half_right() -> Report:
    """A report of two questions, of which one is right."""
    questions = tuple(
        Question(name, "How many?", (GoldAnswer(number="5"),), kind="count") for name in "ab"
    )
    return score_predictions({"a": "5", "b": "6"}, [Passage("p", "Five.", questions)])


def card_of(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def test_card_lists_modules_and_size(folder: Path) -> None:
    card = card_of(folder)
    assert f"| `sub` | {REGISTRY['sub'].sentence()} |" in card
    assert "1 layers, width 32" in card
    parameters = sum(tensor.numel() for tensor in one_layer_network().state_dict().values())
    assert f"{parameters / 1e6:.1f} million parameters" in card
    assert "## Scores" not in card


def test_card_shows_measured_scores(folder: Path) -> None:
    add_scores(folder, "dev", half_right(), seconds=0.123)
    add_scores(folder, "test", half_right(), seconds=0.4)
    card = card_of(folder)
    assert "| dev | questions |" in card and "| test | questions |" in card
    assert "| count | 2 | 50.0 (0.0–100.0) | 50.0 (0.0–100.0) |" in card
    assert "0.12 s on " in card and "0.40 s on " in card
    assert card.index("| dev |") < card.index("| test |")


def test_scores_of_other_weights_are_dropped(folder: Path) -> None:
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


@pytest.mark.parametrize("stored", ["", "[]", '{"dev": 1}', '{"dev": {"weights": "x"}}'])
def test_unreadable_scores_are_replaced(folder: Path, stored: str) -> None:
    (folder / "scores.json").write_text(stored)
    add_scores(folder, "dev", half_right(), seconds=0.1)
    assert list(json.loads((folder / "scores.json").read_text())) == ["dev"]
