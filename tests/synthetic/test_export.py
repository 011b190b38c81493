"""A made world in a file reads back as data, with its gold gold_steps beside."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from workings.cli.synthetic import world
from workings.data.records import read_passages
from workings.errors import DataError, InputError
from workings.synthetic import make_synthetic, save_synthetic


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(world)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("name", ["world.json", "world.jsonl"])
def test_what_is_saved_reads_back(tmp_path: Path, name: str) -> None:
    made = list(make_synthetic(0, 4))
    assert save_synthetic(tmp_path / name, made) == 32
    reading = read_passages(tmp_path / name, strict=True)
    assert [passage.text for passage in reading.passages] == [each.passage.text for each in made]
    assert [p.questions for p in reading.passages] == [each.passage.questions for each in made]


def test_gold_steps_are_saved(tmp_path: Path) -> None:
    (made,) = make_synthetic(0, 1)
    save_synthetic(tmp_path / "world.jsonl", [made])
    for line in (tmp_path / "world.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        (gold,) = made.supervision[record["query_id"]].derivations
        assert record["program"] == gold.program
        assert [step["step"] for step in record["gold_steps"]] == [pick.step for pick in gold.targets]
        assert record["gold_steps"][0]["module"] == gold.program.partition("(")[0]
        spans = [tuple(map(tuple, step.get("spans", ()))) for step in record["gold_steps"]]
        assert spans == [pick.spans for pick in gold.targets]


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.jsonl"):
        save_synthetic(tmp_path / "world.csv", [])
    assert not list(tmp_path.iterdir())


def test_a_folder_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "world.json").mkdir()
    with pytest.raises(DataError):
        save_synthetic(tmp_path / "world.json", [])
    assert [path.name for path in tmp_path.iterdir()] == ["world.json"]


def test_the_command_writes_the_same_world_again(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for out in (first, second):
        result = run("--seed", "3", "--passages", "5", "--names", "unseen", "--out", out)
        assert result.exit_code == 0, result.output
        assert "5 passages with 40 questions" in result.stdout.replace("\n", " ")
    assert first.read_bytes() == second.read_bytes()


def test_the_command_refuses_nonsense(tmp_path: Path) -> None:
    assert run("--passages", "0", "--out", tmp_path / "a.jsonl").exit_code == 2
    assert run("--names", "other", "--out", tmp_path / "a.jsonl").exit_code == 2
    assert run().exit_code == 2
