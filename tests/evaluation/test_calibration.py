"""Tests of calibration, with values worked out by hand."""

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.config import read_config, set_policy
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.errors import CheckpointError
from workings.evaluation.calibration import (
    MAX_TEMPERATURE,
    MIN_TEMPERATURE,
    calibration_error,
    fit_temperature,
    fit_threshold,
    nll,
    risk_coverage,
)
from workings.reader import Reader


def floats(*values: float) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)


def test_calibration_error() -> None:
    # In [0.6, 0.7): 0.625 and 0.65, one right. In [0.9, 1]: 0.95 and 1, both right.
    confidence, right = floats(0.625, 0.95, 0.65, 1.0), floats(1, 1, 0, 1)
    assert calibration_error(confidence, right) == pytest.approx((0.275 + 0.05) / 4)
    assert calibration_error(confidence, right, bins=1) == pytest.approx(0.225 / 4)


def test_nll() -> None:
    assert nll(floats(0.5, 0.8), floats(1, 0)) == pytest.approx(-(log(0.5) + log(0.2)) / 2)
    assert nll(floats(0.0, 1.0), floats(1, 0)) < 20  # finite


def test_fit_temperature() -> None:
    # Equal confidence of 0.25 and half of the answers right: 0.25 ** (1 / 2) is 0.5.
    assert fit_temperature(floats(*[0.25] * 4), floats(1, 0, 1, 0)) == pytest.approx(2, abs=1e-3)
    assert fit_temperature(floats(*[0.81] * 2), floats(1, 0)) == pytest.approx(
        log(0.81) / log(0.5), abs=1e-3
    )


def test_fit_threshold() -> None:
    confidence, right = floats(0.9, 0.8, 0.7, 0.7, 0.2), floats(1, 1, 0, 1, 0)
    assert fit_threshold(confidence, right, 0.6) == 0  # three of five are right
    assert fit_threshold(confidence, right, 0.75) == 0.7  # three of the first four
    assert fit_threshold(confidence, right, 0.8) == 0.8  # both answers at 0.7, or none
    assert fit_threshold(floats(0.6, 0.5), floats(0, 1), 0.9) == 0.6  # never reached
    assert fit_threshold(floats(), floats(), 0.9) == 0


def test_risk_coverage() -> None:
    confidence, right = floats(0.2, 0.9, 0.6, 0.8), floats(0, 1, 0, 1)
    points = risk_coverage(confidence, right, questions=8, points=2)
    assert [(p.threshold, p.coverage, p.risk) for p in points] == [(0.8, 0.25, 0), (0.2, 0.5, 0.5)]


def test_temperature_stays_within_bounds() -> None:
    assert fit_temperature(floats(0.3, 0.6), floats(1, 1)) == pytest.approx(
        MAX_TEMPERATURE, rel=1e-2
    )
    assert fit_temperature(floats(0.3, 0.6), floats(0, 0)) == pytest.approx(
        MIN_TEMPERATURE, rel=1e-2
    )


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=20))
def test_fitted_temperature_is_optimal(outcomes: list[tuple[float, bool]]) -> None:
    confidence, right = np.array(outcomes, dtype=np.float64).T
    fitted = nll(confidence ** (1 / fit_temperature(confidence, right)), right)
    for temperature in np.geomspace(MIN_TEMPERATURE, MAX_TEMPERATURE, 40):
        assert fitted <= nll(confidence ** (1 / temperature), right) + 1e-4


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return save(tiny_network(), tmp_path / "tiny")


def test_reader_uses_the_temperature_of_its_folder(model: Path) -> None:
    before = Reader.from_pretrained(model).ask(QUESTION, PASSAGE)
    set_policy(model, temperature=2.0, threshold=0)
    after = Reader.from_pretrained(model).ask(QUESTION, PASSAGE)
    assert after.confidence == pytest.approx(before.confidence**0.5)
    assert {entry.name for entry in model.iterdir()} == {
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    }


def test_rejects_folder_without_model(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError):
        set_policy(tmp_path, temperature=2.0, threshold=0)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    pairs = [
        {"query_id": str(index), "question": QUESTION, "answer": {"number": number}}
        for index, number in enumerate(["23", "0", "7"])
    ]
    file = tmp_path / "dev.json"
    file.write_text(json.dumps({"p": {"passage": PASSAGE, "qa_pairs": pairs}}))
    return file


def test_command_stores_the_temperature(model: Path, questions: Path) -> None:
    arguments = ["calibrate", str(model), str(questions), "--all"]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    first = json.loads(result.stdout)
    assert first["questions"] == 3
    assert read_config(model).temperature == first["temperature"] != 1.0
    # The fit starts from uncalibrated probabilities, so a second run finds the same temperature.
    again = CliRunner().invoke(app, [*arguments, "--json"])
    second = json.loads(again.stdout)
    assert [point["risk"] for point in second.pop("curve")] == [
        p["risk"] for p in first.pop("curve")
    ]
    assert second == pytest.approx(first)
    table = CliRunner().invoke(app, arguments)
    assert table.stdout.startswith("Temperature ") and "3 questions" in table.stdout


def test_writes_nothing_without_answers(model: Path, questions: Path) -> None:
    questions.write_text(
        json.dumps({"p": {"passage": PASSAGE, "qa_pairs": [{"query_id": "1", "question": "Who?"}]}})
    )
    result = CliRunner().invoke(app, ["calibrate", str(model), str(questions), "--all"])
    assert result.exit_code == 1
    assert "with their answers" in result.stderr
    assert read_config(model).temperature == 1.0
