"""The command line: quick help, honest exit codes, faults without tracebacks."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import workings
from workings.cli import app, score
from workings.errors import InputError

ROOT = Path(__file__).parents[1]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_help_does_not_load_torch() -> None:
    done = python(
        "import sys; from workings.cli import main; sys.argv = ['workings', '--help']\n"
        "try: main()\n"
        "finally: sys.exit('torch' in sys.modules)"
    )
    assert done.returncode == 0
    assert "score" in done.stdout


def test_module_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "workings", "--version"], capture_output=True, text=True
    )
    assert done.stdout.startswith("workings 0.")


def test_every_command_explains_itself() -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        assert command.callback.__doc__, command.callback


@pytest.mark.parametrize("arguments", [[], ["scoer"], ["score"], ["score", "--no-such"]])
def test_usage_errors_exit_with_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_fault_is_two_lines_on_stderr(tmp_path: Path) -> None:
    result = run("score", tmp_path / "none.json", tmp_path / "none.json")
    assert result.exit_code == 1
    assert result.stdout == ""
    message, hint = result.stderr.splitlines()
    assert message == f"{tmp_path / 'none.json'}: No such file or directory"
    assert hint.startswith("Give a JSON file")


def test_an_interruption_exits_with_130(monkeypatch: pytest.MonkeyPatch, examples: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workings.score.read_predictions", interrupt)
    result = run("score", examples / "predictions.json", examples / "questions.jsonl")
    assert result.exit_code == 130


def test_a_closed_pipe_is_quiet(examples: Path) -> None:
    command = f"{sys.executable} -m workings --help | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=examples)
    assert done.stderr == ""


def test_score_as_json(examples: Path) -> None:
    result = run("score", examples / "predictions.json", examples / "questions.jsonl", "--json")
    report = json.loads(result.stdout)
    assert report["overall"]["questions"] == 5
    assert report["overall"]["em"]["mean"] == pytest.approx(0.6)
    assert report["kinds"]["add-sub"]["f1"]["mean"] == 1
    assert report["missing"] == 0


def test_score_as_a_table(examples: Path, tmp_path: Path) -> None:
    (tmp_path / "some.json").write_text('{"game-1": "28"}')
    result = run("score", tmp_path / "some.json", examples / "questions.jsonl")
    assert result.exit_code == 0
    assert "add-sub" in result.stdout
    assert "50.00" in result.stdout
    assert "4 questions have no prediction" in result.stdout
    assert "\x1b" not in result.stdout
    rows = [line for line in result.stdout.splitlines() if "–" in line]
    names = [line.strip().split("  ")[0] for line in rows]
    kinds = ["extract-number", "count", "add-sub", "of 2 numbers", "all kinds"]
    assert names == [*kinds, "number", "span", "overall"]


def test_where_every_question_has_a_kind_the_kinds_say_it_all(
    examples: Path, tmp_path: Path
) -> None:
    lines = (examples / "questions.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "one.jsonl").write_text(lines[0], "utf-8")
    (tmp_path / "said.json").write_text("{}")
    result = run("score", tmp_path / "said.json", tmp_path / "one.jsonl")
    assert "all kinds" in result.stdout and "overall" not in result.stdout


def test_score_tells_of_malformed_records(examples: Path, tmp_path: Path) -> None:
    lines = (examples / "questions.jsonl").read_text("utf-8")
    (tmp_path / "gold.jsonl").write_text(f"{lines}not JSON\n", "utf-8")
    result = run("score", examples / "predictions.json", tmp_path / "gold.jsonl")
    assert result.exit_code == 0
    assert "1 malformed records are left out, first" in result.stderr
    assert "line 6" in result.stderr


def test_the_docs_of_the_commands_are_current() -> None:
    command = [sys.executable, "-m", "typer", "workings.cli", "utils", "docs", "--name", "workings"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    written = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert done.stdout.strip() == written.strip(), "run `make docs`"


def test_plain_function_raises_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        score.score(tmp_path, tmp_path, json=False, seed=0)


def test_exports_are_found_when_asked_for() -> None:
    for name in workings.__all__:
        assert getattr(workings, name).__name__ == name
        assert name in dir(workings)
    with pytest.raises(AttributeError, match="no attribute 'Raeder'"):
        _ = workings.Raeder


def test_what_a_file_says_does_not_steer_the_terminal(tmp_path: Path) -> None:
    recipe = tmp_path / "bad.toml"
    recipe.write_text('"\\u001b]0;owned\\u0007" = 1')
    done = CliRunner().invoke(app, ["train", str(recipe), "--out", str(tmp_path / "run")])
    assert done.exit_code == 1
    assert "\x1b]0" not in done.stderr
    assert "\\x1b]0;owned" in done.stderr
