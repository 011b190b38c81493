"""Calibration: values worked out by hand, and a model folder that keeps its temperature."""

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import read_config, save
from workings.cli import app
from workings.errors import CheckpointError
from workings.evaluation.calibration import (
    COLDEST,
    HOTTEST,
    calibration_error,
    fit_temperature,
    nll,
    set_temperature,
)
from workings.reader import Reader


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_error_by_hand() -> None:
    # In [0.6, 0.7): sure 0.625 and 0.65, one right. In [0.9, 1]: 0.95 and 1, both right.
    sure, right = floats(0.625, 0.95, 0.65, 1.0), floats(1, 1, 0, 1)
    assert calibration_error(sure, right) == pytest.approx((0.275 + 0.05) / 4)
    assert calibration_error(sure, right, bins=1) == pytest.approx(0.225 / 4)


def test_surprise_by_hand() -> None:
    assert nll(floats(0.5, 0.8), floats(1, 0)) == pytest.approx(-(log(0.5) + log(0.2)) / 2)
    assert nll(floats(0.0, 1.0), floats(1, 0)) < 20  # never endless


def test_temperature_by_hand() -> None:
    # All alike and half of them right: 0.25 ** (1 / 2) is 0.5.
    assert fit_temperature(floats(*[0.25] * 4), floats(1, 0, 1, 0)) == pytest.approx(2, abs=1e-3)
    assert fit_temperature(floats(*[0.81] * 2), floats(1, 0)) == pytest.approx(
        log(0.81) / log(0.5), abs=1e-3
    )


def test_temperature_stays_within_bounds() -> None:
    assert fit_temperature(floats(0.3, 0.6), floats(1, 1)) == pytest.approx(HOTTEST, rel=1e-2)
    assert fit_temperature(floats(0.3, 0.6), floats(0, 0)) == pytest.approx(COLDEST, rel=1e-2)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=20))
def test_no_temperature_of_a_grid_is_better(outcomes: list[tuple[float, bool]]) -> None:
    sure, right = np.array(outcomes, dtype=np.float64).T
    found = nll(sure ** (1 / fit_temperature(sure, right)), right)
    for temperature in np.geomspace(COLDEST, HOTTEST, 40):
        assert found <= nll(sure ** (1 / temperature), right) + 1e-4


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return save(tiny_network(), tmp_path / "tiny")


def test_a_folder_keeps_its_temperature(model: Path) -> None:
    before = Reader.from_pretrained(model).ask(QUESTION, PASSAGE)
    set_temperature(model, 2.0)
    after = Reader.from_pretrained(model).ask(QUESTION, PASSAGE)
    assert after.confidence == pytest.approx(before.confidence**0.5)
    assert {entry.name for entry in model.iterdir()} == {
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    }


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError):
        set_temperature(tmp_path, 2.0)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    pairs = [
        {"query_id": str(place), "question": QUESTION, "answer": {"number": number}}
        for place, number in enumerate(["23", "0", "7"])
    ]
    file = tmp_path / "dev.json"
    file.write_text(json.dumps({"p": {"passage": PASSAGE, "qa_pairs": pairs}}))
    return file


def test_the_command(model: Path, questions: Path) -> None:
    done = CliRunner().invoke(app, ["calibrate", str(model), str(questions), "--all", "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["questions"] == 3
    assert read_config(model).temperature == found["temperature"]
    told = CliRunner().invoke(app, ["calibrate", str(model), str(questions), "--all"])
    assert told.stdout.startswith("Temperature ") and "3 questions" in told.stdout


def test_without_answers_nothing_is_written(model: Path, questions: Path) -> None:
    questions.write_text(
        json.dumps({"p": {"passage": PASSAGE, "qa_pairs": [{"query_id": "1", "question": "Who?"}]}})
    )
    done = CliRunner().invoke(app, ["calibrate", str(model), str(questions), "--all"])
    assert done.exit_code == 1
    assert "with their answers" in done.stderr
    assert read_config(model).temperature == 1.0
