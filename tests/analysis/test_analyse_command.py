"""The command ``workings analyse``."""

import json
from pathlib import Path

import pytest
from small_peers import small_peer
from typer.testing import CliRunner, Result

from tiny import PASSAGE, QUESTION, tiny_network
from workings.analysis.error_attribution import CATEGORIES
from workings.checkpoint.model_folder import save
from workings.cli import app

# The first two contradict each other, so at least one answer is wrong.
LINES = [
    {"id": "a", "passage": PASSAGE, "question": QUESTION, "answer": "23", "kind": "add-sub"},
    {"id": "b", "passage": PASSAGE, "question": QUESTION, "answer": "7", "kind": "add-sub"},
    {"id": "c", "passage": PASSAGE, "question": "Who kicked?", "answer": "Ada"},
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "dev.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(small_peer("naqanet"), tmp_path_factory.mktemp("models") / "peer")


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["analyse", *map(str, arguments)], env={"COLUMNS": "120"})
    assert not isinstance(result.exception, Exception) or result.exit_code == 1, result.exception
    return result


def test_prints_error_table(file: Path, model: Path) -> None:
    result = run(file, "--model", model)
    assert result.exit_code == 0, result.stderr
    assert {"add-sub", "all"} <= set(result.stdout.split())
    assert "is the first error" in result.stdout
    assert "likeliest operands" in result.stdout
    assert "\x1b" not in result.stdout


def test_writes_json_and_pages(file: Path, model: Path, tmp_path: Path) -> None:
    rows = json.loads(run(file, "--model", model, "--out", tmp_path, "--json").stdout)
    assert [row["kind"] for row in rows] == ["add-sub", "all"]
    assert [row["questions"] for row in rows] == [2, 2]
    for row in rows:
        assert 1 <= row["wrong"] == sum(row["faults"].values())
        assert sum(row["shares"].values()) == pytest.approx(1)
        equations = row["equations"]
        assert equations["evaluate"] in (1.0, None if not equations["answers"] else 1.0)
    pages = {path.stem for path in tmp_path.glob("*.html")}
    assert pages == {"index", *(name for name in CATEGORIES if rows[-1]["faults"][name])}
    assert json.loads((tmp_path / "shares.json").read_text()) == rows
    assert (tmp_path / "shares.png").read_bytes().startswith(b"\x89PNG")


def test_limit(file: Path, model: Path) -> None:
    rows = json.loads(run(file, "--model", model, "--limit", "1", "--json").stdout)
    assert rows[-1]["questions"] == 1


def test_faithfulness(file: Path, model: Path, tmp_path: Path) -> None:
    result = run(file, "--model", model, "--faithfulness", "--limit", "1", "--out", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert "insertion" in result.stdout
    rows = json.loads((tmp_path / "faithfulness.json").read_text())
    assert rows[-1]["module"] == "answer"
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_peer_has_no_steps(file: Path, peer: Path) -> None:
    result = run(file, "--model", peer)
    assert result.exit_code == 1
    assert "no steps" in result.stderr
    rows = json.loads(run(file, "--model", peer, "--faithfulness", "--json").stdout)
    assert [row["module"] for row in rows] == ["answer"]


def test_interventions(file: Path, model: Path, tmp_path: Path) -> None:
    result = run(file, "--model", model, "--interventions", "--out", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert "followed" in result.stdout
    tree = json.loads((tmp_path / "interventions.json").read_text())
    assert tree["shares"]
    assert (tmp_path / "interventions.html").exists()
    rows = json.loads(run(file, "--model", model, "--interventions", "--json").stdout)
    assert rows == tree["shares"]


def test_interventions_do_not_apply_to_peers(file: Path, peer: Path) -> None:
    result = run(file, "--model", peer, "--interventions")
    assert result.exit_code == 0
    assert "Not applicable" in result.stdout
    assert "step " not in result.stdout  # no empty table
    assert json.loads(run(file, "--model", peer, "--interventions", "--json").stdout) == []


def test_one_measure_at_a_time(file: Path, model: Path) -> None:
    result = run(file, "--model", model, "--interventions", "--faithfulness")
    assert result.exit_code == 1
    assert "together" in result.stderr


def test_asks(model: Path, file: Path, tmp_path: Path) -> None:
    asks = [{"role": "find", "phrase": "field goal"}]
    pair = {"query_id": "a", "question": QUESTION, "answer": {"number": "23"}, "asks": asks}
    annotated = tmp_path / "train.json"
    annotated.write_text(json.dumps({"p": {"passage": PASSAGE, "qa_pairs": [pair]}}))
    result = run(annotated, "--model", model, "--asks", "--out", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert "stop word first" in result.stdout
    rows = json.loads((tmp_path / "asks.json").read_text())
    assert rows == json.loads(run(annotated, "--model", model, "--asks", "--json").stdout)
    result = run(file, "--model", model, "--asks")
    assert result.exit_code == 1
    assert "annotated phrases" in result.stderr
