"""The commands ask, run and modules, as a person or a pipe meets them."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tiny import PASSAGE, QUESTION, tiny_network
from workings import reader
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.explain import Explanation
from workings.modules import REGISTRY


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def passage(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(PASSAGE)
    return file


def run(*arguments: str | Path, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)


def test_ask_shows_the_answer_first(model: Path, passage: Path) -> None:
    done = run("ask", QUESTION, "--passage", passage, "--model", model)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[0].endswith("sure")
    assert "\x1b" not in done.stdout


def test_ask_as_json_from_standard_input(model: Path) -> None:
    done = run("ask", QUESTION, "-p", "-", "--model", model, "--json", "--top", "2", typed=PASSAGE)
    found = Explanation.from_json(done.stdout)
    assert found.passage == PASSAGE
    assert len(found.alternatives) == 1


def test_ask_writes_a_page(model: Path, passage: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("ask", QUESTION, "-p", passage, "--model", model, "--html", page).exit_code == 0
    assert f"<title>{QUESTION}</title>" in page.read_text()


def test_a_page_that_cannot_be_written(model: Path, passage: Path, tmp_path: Path) -> None:
    page = tmp_path / "none" / "page.html"
    done = run("ask", QUESTION, "-p", passage, "--model", model, "--html", page)
    assert done.exit_code == 1
    assert "may write to" in done.stderr


def test_ask_may_say_that_it_does_not_know(model: Path, passage: Path) -> None:
    done = run("ask", QUESTION, "-p", passage, "--model", model, "--threshold", "1")
    assert done.stdout.startswith("I do not know")


def test_run_shows_the_program(model: Path, passage: Path) -> None:
    done = run("run", "count(find)", "-q", QUESTION, "-p", passage, "--model", model)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[1].strip() == "count(find)"


@pytest.mark.parametrize(
    ("program", "hint"), [("count(", "Write a program"), ("count(find-num(find))", "Use")]
)
def test_a_bad_program_is_explained(model: Path, passage: Path, program: str, hint: str) -> None:
    done = run("run", program, "-q", QUESTION, "-p", passage, "--model", model)
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 2
    assert done.stderr.splitlines()[1].startswith(hint)


def test_a_folder_without_a_model(passage: Path, tmp_path: Path) -> None:
    done = run("ask", QUESTION, "-p", passage, "--model", tmp_path)
    assert done.exit_code == 1
    assert "config.json" in done.stderr


def test_usage_faults_exit_with_2(passage: Path) -> None:
    assert run("ask", QUESTION).exit_code == 2
    assert run("ask", QUESTION, "-p", passage, "--top", "0").exit_code == 2
    assert run("run", "count(find)", "-p", passage).exit_code == 2


def test_modules_are_those_there_are() -> None:
    listed = json.loads(run("modules", "--json").stdout)
    assert [one["name"] for one in listed] == sorted(REGISTRY)
    shown = {one["name"]: one for one in listed}
    assert shown["time-diff"]["signatures"] == [
        {"takes": ["attention"], "gives": "numbers"},
        {"takes": ["attention", "attention"], "gives": "numbers"},
    ]
    assert shown["find-num"]["needs"] == "numbers"


def test_modules_are_listed_with_sentence_and_example() -> None:
    text = run("modules").stdout
    assert "sub(numbers, numbers) → numbers\n  The difference of two numbers.\n" in text
    for module in REGISTRY.values():
        assert module.sentence() in text
        assert module.example in text


@pytest.fixture
def documented(monkeypatch: pytest.MonkeyPatch, model: Path, passage: Path) -> str:
    """The text of docs/explain.md, in a folder where what it speaks of is there."""
    monkeypatch.setattr(reader, "shipped_model", lambda: model)
    monkeypatch.chdir(passage.parent)
    return (Path(__file__).parents[1] / "docs" / "explain.md").read_text("utf-8")


def test_the_documented_commands_run(documented: str) -> None:
    commands = re.findall(r"^\$ workings (.*)$", documented, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        line, _, file = command.partition(" < ")
        done = run(*shlex.split(line), typed=Path(file).read_text() if file else None)
        assert done.exit_code == 0, done.stderr
    assert "<article" in Path("why.html").read_text()


def test_the_documented_python_runs(documented: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", documented, re.DOTALL)
    assert len(blocks) == 2
    exec("\n".join(blocks), {"passage": PASSAGE})
    assert "sure" in capsys.readouterr().out
