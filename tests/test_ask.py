"""Tests of the commands ask, run and modules."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint import model_folder
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


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def test_ask_prints_the_answer_first(model: Path, passage: Path) -> None:
    result = run("ask", QUESTION, "--passage", passage, "--model", model)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[0].endswith("confidence")
    assert "\x1b" not in result.stdout


def test_ask_prints_json_for_standard_input(model: Path) -> None:
    arguments = ("ask", QUESTION, "-p", "-", "--model", model, "--json", "--top", "2")
    explanation = Explanation.from_json(run(*arguments, stdin=PASSAGE).stdout)
    assert explanation.passage == PASSAGE
    assert len(explanation.alternatives) == 1


def test_ask_writes_a_page(model: Path, passage: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("ask", QUESTION, "-p", passage, "--model", model, "--html", page).exit_code == 0
    assert f"<title>{QUESTION}</title>" in page.read_text()


def test_page_that_cannot_be_written(model: Path, passage: Path) -> None:
    page = passage / "page.html"
    result = run("ask", QUESTION, "-p", passage, "--model", model, "--html", page)
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can become larger than 1,000 bytes."""
    import resource  # not on Windows

    limit, maximum = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, maximum))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, maximum))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of files")
def test_full_disk_keeps_the_old_page(model: Path, passage: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<p>good")
    with full_disk():
        result = run("ask", QUESTION, "-p", passage, "--model", model, "--html", page)
    assert result.exit_code == 1
    assert "File too large" in result.stderr
    assert page.read_bytes() == b"<p>good"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.txt", "page.html"]


@pytest.mark.parametrize("command", [("ask", QUESTION), ("run", "count(find)", "-q", QUESTION)])
def test_page_is_not_the_passage(
    command: tuple[str, ...], model: Path, passage: Path, tmp_path: Path
) -> None:
    link = tmp_path / "page.html"
    link.symlink_to(passage)
    for page in (passage, link):
        result = run(*command, "-p", passage, "--model", model, "--html", page)
        assert result.exit_code == 1
        assert "is the input file" in result.stderr
        assert passage.read_text() == PASSAGE


def test_ask_abstains_below_the_threshold(model: Path, passage: Path) -> None:
    result = run("ask", QUESTION, "-p", passage, "--model", model, "--threshold", "1")
    assert result.stdout.startswith("I do not know")


def test_run_prints_the_program(model: Path, passage: Path) -> None:
    result = run("run", "count(find)", "-q", QUESTION, "-p", passage, "--model", model)
    assert result.exit_code == 0, result.stderr
    assert "count(find)" in [line.strip() for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("program", "hint"), [("count(", "Write a program"), ("count(find-num(find))", "Use")]
)
def test_rejects_invalid_program(model: Path, passage: Path, program: str, hint: str) -> None:
    result = run("run", program, "-q", QUESTION, "-p", passage, "--model", model)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 2
    assert result.stderr.splitlines()[1].startswith(hint)


def test_rejects_folder_without_model(passage: Path, tmp_path: Path) -> None:
    result = run("ask", QUESTION, "-p", passage, "--model", tmp_path)
    assert result.exit_code == 1
    assert "config.json" in result.stderr


def test_usage_errors_exit_with_2(passage: Path) -> None:
    assert run("ask", QUESTION).exit_code == 2
    assert run("ask", QUESTION, "-p", passage, "--top", "0").exit_code == 2
    assert run("run", "count(find)", "-p", passage).exit_code == 2


def test_modules_as_json() -> None:
    listed = json.loads(run("modules", "--json").stdout)
    assert [module["name"] for module in listed] == sorted(REGISTRY)
    modules = {module["name"]: module for module in listed}
    assert modules["time-diff"]["signatures"] == [
        {"takes": ["attention"], "gives": "numbers"},
        {"takes": ["attention", "attention"], "gives": "numbers"},
    ]
    assert modules["find-num"]["needs"] == "numbers"


def test_modules_have_sentence_and_example() -> None:
    text = run("modules").stdout
    sentence = REGISTRY["sub"].sentence()
    assert f"sub(numbers, numbers) → numbers\n  {sentence}\n" in text
    for module in REGISTRY.values():
        assert module.sentence() in text
        assert module.example in text


@pytest.fixture
def explain_page(monkeypatch: pytest.MonkeyPatch, model: Path, passage: Path) -> str:
    """Return docs/explain.md; the folder and the shipped model are as its examples expect."""
    monkeypatch.setattr(model_folder, "shipped_model", lambda: model)
    monkeypatch.chdir(passage.parent)
    return (Path(__file__).parents[1] / "docs" / "explain.md").read_text("utf-8")


def test_documented_commands_run(explain_page: str) -> None:
    commands = re.findall(r"^\$ workings (.*)$", explain_page, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        arguments, _, file = command.partition(" < ")
        stdin = Path(file).read_text() if file else None
        result = run(*shlex.split(arguments), stdin=stdin)
        assert result.exit_code == 0, result.stderr
    assert "<article" in Path("why.html").read_text()


def test_documented_python_runs(explain_page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", explain_page, re.DOTALL)
    assert len(blocks) == 2
    exec("\n".join(blocks), {"passage": PASSAGE})
    assert "confidence" in capsys.readouterr().out
