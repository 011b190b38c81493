"""Tests of the command line: help, exit codes, error messages, and the command score."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

import workings
from workings.cli import app, scoring
from workings.cli.output import print_json
from workings.errors import InputError

ROOT = Path(__file__).parents[1]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_help_does_not_import_torch() -> None:
    result = python(
        "import sys; from workings.cli import main; sys.argv = ['workings', '--help']\n"
        "try: main()\n"
        "finally: sys.exit('torch' in sys.modules)"
    )
    assert result.returncode == 0
    assert "score" in result.stdout


def test_runs_as_a_module() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "workings", "--version"], capture_output=True, text=True
    )
    assert result.stdout.startswith("workings 0.")


def every_command(command: Any, path: str = "workings") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from every_command(child, f"{path} {name}")


def test_every_command_and_option_has_help() -> None:
    for path, command in every_command(get_command(app)):
        assert command.help, path
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{path} {parameter.name}"


@pytest.mark.parametrize("arguments", [[], ["scoer"], ["score"], ["score", "--no-such"]])
def test_usage_errors_exit_with_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_error_is_a_message_and_a_hint(tmp_path: Path) -> None:
    result = run("score", tmp_path / "none.json", tmp_path / "none.json")
    assert result.exit_code == 1
    assert result.stdout == ""
    message, hint = result.stderr.splitlines()
    assert message == f"{tmp_path / 'none.json'}: No such file or directory"
    assert hint.startswith("Give a JSON file")


def test_interrupt_exits_with_130(monkeypatch: pytest.MonkeyPatch, examples: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workings.score.read_predictions", interrupt)
    result = run("score", examples / "predictions.json", examples / "questions.jsonl")
    assert result.exit_code == 130


def test_closed_pipe_prints_no_error(examples: Path) -> None:
    command = f"{sys.executable} -m workings --help | true"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=examples)
    assert result.stderr == ""


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


def test_score_without_questions_outside_the_kinds(examples: Path, tmp_path: Path) -> None:
    lines = (examples / "questions.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "one.jsonl").write_text(lines[0], "utf-8")
    (tmp_path / "empty.json").write_text("{}")
    result = run("score", tmp_path / "empty.json", tmp_path / "one.jsonl")
    assert "all kinds" in result.stdout and "overall" not in result.stdout


def test_score_reports_malformed_records(examples: Path, tmp_path: Path) -> None:
    lines = (examples / "questions.jsonl").read_text("utf-8")
    (tmp_path / "gold.jsonl").write_text(f"{lines}not JSON\n", "utf-8")
    result = run("score", examples / "predictions.json", tmp_path / "gold.jsonl")
    assert result.exit_code == 0
    assert "1 malformed records were skipped" in result.stderr
    assert "line 6" in result.stderr


class LatinStream(io.StringIO):
    encoding = "latin-1"


@pytest.mark.parametrize("text", ["é 34 [bold] \x1b", "😀", "\ud800"])
@pytest.mark.parametrize("stream", [io.StringIO, LatinStream])
def test_json_is_printed_as_it_is(
    text: str, stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"text": text * 200, "list": [1, 2.5, None, True]}
    output = stream()
    monkeypatch.setattr("sys.stdout", output)
    print_json(data)
    printed = output.getvalue()
    assert json.loads(printed) == data
    assert printed == json.dumps(data, indent=2, ensure_ascii=printed.isascii()) + "\n"
    printed.encode(output.encoding or "utf-8")


def test_json_is_not_printed_by_rich(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rich takes a hundred times as long as json.dumps."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("printed by rich")

    monkeypatch.setattr("rich.console.Console.print", refuse)
    monkeypatch.setattr("rich.console.Console.print_json", refuse)
    (tmp_path / "text.txt").write_text("They won 34-21 in July 1942.")
    numbers = json.loads(run("values", tmp_path / "text.txt", "--json").stdout)["numbers"]
    assert [number["value"] for number in numbers] == ["34", "21", "1942"]
    assert json.loads(run("modules", "--json").stdout)


def test_every_command_prints_json_with_the_same_function() -> None:
    for path in (ROOT / "src/workings/cli").glob("*.py"):
        assert ".print_json(" not in path.read_text("utf-8"), path.name


def test_command_reference_is_up_to_date() -> None:
    command = [sys.executable, "-m", "typer", "workings.cli", "utils", "docs", "--name", "workings"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    written = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert result.stdout.strip() == written.strip(), "run `make docs`"


def test_command_function_raises_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        scoring.score(tmp_path, tmp_path, json=False, seed=0)


def test_public_names_are_importable() -> None:
    for name in workings.__all__:
        assert name in dir(workings)
    for name in set(workings.__all__) - {"__version__"}:
        assert getattr(workings, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Raeder'"):
        _ = workings.Raeder


def test_control_characters_in_errors_are_escaped(tmp_path: Path) -> None:
    recipe = tmp_path / "bad.toml"
    recipe.write_text('"\\u001b]0;owned\\u0007" = 1')
    result = run("train", recipe, "--out", tmp_path / "run")
    assert result.exit_code == 1
    assert "\x1b]0" not in result.stderr
    assert "\\x1b]0;owned" in result.stderr
