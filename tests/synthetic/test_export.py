"""Saved synthetic data reads back as data, with its gold steps."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from workings.cli.synthetic import synthetic
from workings.data.records import read_passages
from workings.errors import DataError, InputError
from workings.synthetic import make_synthetic, save_synthetic


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(synthetic)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("name", ["synthetic.json", "synthetic.jsonl"])
def test_saved_passages_read_back(tmp_path: Path, name: str) -> None:
    made = list(make_synthetic(0, 6))
    questions = [question for one in made for question in one.passage.questions]
    assert save_synthetic(tmp_path / name, made) == len(questions)
    assert any(question.unanswerable for question in questions)
    loaded = read_passages(tmp_path / name, strict=True).passages
    assert [passage.text for passage in loaded] == [one.passage.text for one in made]
    assert [passage.questions for passage in loaded] == [one.passage.questions for one in made]


def test_gold_steps_are_saved(tmp_path: Path) -> None:
    (made,) = make_synthetic(0, 1)
    save_synthetic(tmp_path / "synthetic.jsonl", [made])
    for line in (tmp_path / "synthetic.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        (gold,) = made.supervision[record["query_id"]].derivations
        assert record["program"] == gold.program
        assert [step["step"] for step in record["steps"]] == [
            target.step for target in gold.targets
        ]
        modules = [step["module"] for step in record["steps"]]
        assert modules[:1] == [gold.program.partition("(")[0]] * bool(gold.targets)
        spans = [tuple(map(tuple, step.get("spans", ()))) for step in record["steps"]]
        assert spans == [target.spans for target in gold.targets]


def test_rejects_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.jsonl"):
        save_synthetic(tmp_path / "synthetic.csv", [])
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "synthetic.json").mkdir()
    with pytest.raises(DataError):
        save_synthetic(tmp_path / "synthetic.json", [])
    assert [path.name for path in tmp_path.iterdir()] == ["synthetic.json"]


def test_command_writes_the_same_file_again(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for out in (first, second):
        result = run("--seed", "3", "--passages", "3", "--names", "unseen", "--out", out)
        assert result.exit_code == 0, result.output
        assert "3 passages with 24 questions" in result.stdout.replace("\n", " ")
    assert first.read_bytes() == second.read_bytes()


def test_command_rejects_invalid_options(tmp_path: Path) -> None:
    assert run("--passages", "0", "--out", tmp_path / "a.jsonl").exit_code == 2
    assert run("--names", "other", "--out", tmp_path / "a.jsonl").exit_code == 2
    assert run().exit_code == 2
