"""The command analyse, as a person or a pipe meets it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from peers.small_peers import small_peer
from tiny import PASSAGE, QUESTION, tiny_network
from workings.analysis.error_attribution import FAULTS
from workings.checkpoint.model_folder import save
from workings.cli import app

# Nobody can be right about both.
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
    done = CliRunner().invoke(app, ["analyse", *map(str, arguments)], env={"COLUMNS": "120"})
    assert not isinstance(done.exception, Exception) or done.exit_code == 1, done.exception
    return done


def test_faults_as_a_table(file: Path, model: Path) -> None:
    done = run(file, "--model", model)
    assert done.exit_code == 0, done.stderr
    assert {"add-sub", "all"} <= set(done.stdout.split())
    assert "the first to go wrong" in done.stdout
    assert "\x1b" not in done.stdout


def test_faults_as_json_and_as_pages(file: Path, model: Path, tmp_path: Path) -> None:
    rows = json.loads(run(file, "--model", model, "--out", tmp_path, "--json").stdout)
    assert [row["kind"] for row in rows] == ["add-sub", "all"]
    assert [row["questions"] for row in rows] == [2, 2]
    for row in rows:
        assert 1 <= row["wrong"] == sum(row["faults"].values())
        assert sum(row["shares"].values()) == pytest.approx(1)
    written = {path.stem for path in tmp_path.glob("*.html")}
    assert written == {"index", *(fault for fault in FAULTS if rows[-1]["faults"][fault])}
    assert json.loads((tmp_path / "shares.json").read_text()) == rows
    assert (tmp_path / "shares.png").read_bytes().startswith(b"\x89PNG")


def test_only_some_questions(file: Path, model: Path) -> None:
    rows = json.loads(run(file, "--model", model, "--limit", "1", "--json").stdout)
    assert rows[-1]["questions"] == 1


def test_faithfulness(file: Path, model: Path, tmp_path: Path) -> None:
    done = run(file, "--model", model, "--faithfulness", "--limit", "1", "--out", tmp_path)
    assert done.exit_code == 0, done.stderr
    assert "insertion" in done.stdout
    rows = json.loads((tmp_path / "faithfulness.json").read_text())
    assert rows[-1]["module"] == "answer"
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_peers_have_no_steps_to_blame(file: Path, peer: Path) -> None:
    done = run(file, "--model", peer)
    assert done.exit_code == 1
    assert "which has no steps" in done.stderr
    rows = json.loads(run(file, "--model", peer, "--faithfulness", "--json").stdout)
    assert [row["module"] for row in rows] == ["answer"]
