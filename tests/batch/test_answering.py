"""Tests of answering files of questions."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch.answering import BatchAnswerer, Counts, FileAnswerer, ask_each
from workings.batch.earlier_answers import rejects_path
from workings.batch.questions import read_jsonl, read_questions
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.errors import DataError, InputError
from workings.explain import Explanation
from workings.reader import Reader

OTHER = "Who kicked the 24-yard field goal?"
DOCS = Path(__file__).parents[2] / "docs"


def line(question: str = QUESTION, **more: Any) -> str:
    return json.dumps({"question": question, "passage": PASSAGE, **more}) + "\n"


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in file.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture(scope="module")
def answerer(reader: Reader) -> FileAnswerer:
    return FileAnswerer(BatchAnswerer(reader))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text(line(id="a") + "\n{broken\n" + line(OTHER) + line("  ") + "[1]\n")
    return file


def test_lines_are_answered_or_rejected(
    reader: Reader, answerer: FileAnswerer, source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "new" / "answers.jsonl"
    counts = answerer.into(out, read_questions(source))
    assert counts == Counts(answered=2, kept=0, bad=3)
    first, second = rows(out)
    assert (first["line"], first["id"], first["question"]) == (1, "a", QUESTION)
    assert (second["line"], second["id"]) == (4, None)
    explanation = reader.ask(QUESTION, PASSAGE)
    assert first["answer"] == list(explanation.answer.texts)
    assert first["program"] == explanation.program
    assert "explanation" not in first
    rejected = {row["line"]: row for row in rows(rejects_path(out))}
    assert rejected[3]["text"] == "{broken"
    assert rejected[3]["reason"].startswith("not JSON")
    assert rejected[5]["reason"] == "The question is empty."
    assert rejected[6]["reason"] == "not an object"


def test_interrupted_run_is_resumed(answerer: FileAnswerer, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    answerer.into(out, read_questions(source))
    complete = out.read_bytes()
    out.write_bytes(complete[: complete.index(b"\n") + 20])  # stopped within the second line
    assert answerer.into(out, read_questions(source)) == Counts(1, 1, 3)
    assert out.read_bytes() == complete
    assert answerer.into(out, read_questions(source)) == Counts(0, 2, 3)
    assert out.read_bytes() == complete


def test_rejects_file_with_other_questions(answerer: FileAnswerer, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    answerer.into(out, read_jsonl([line()]))
    with pytest.raises(DataError, match="other questions"):
        answerer.into(out, read_jsonl([line(OTHER)]))


def test_explanations_are_written_on_request(reader: Reader, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    FileAnswerer(BatchAnswerer(reader, explain=True)).into(out, read_jsonl([line()]))
    assert Explanation.from_json(rows(out)[0]["explanation"]).question == QUESTION


def test_ask_each_isolates_errors(reader: Reader) -> None:
    pairs = [(QUESTION, PASSAGE), ("", PASSAGE), (OTHER, PASSAGE), (OTHER, "\0")]
    first, empty, second, binary = ask_each(reader, pairs)
    assert isinstance(first, Explanation) and first.question == QUESTION
    assert isinstance(second, Explanation) and second.question == OTHER
    assert isinstance(empty, InputError)
    assert isinstance(binary, InputError)


def test_progress_counts_all_lines(reader: Reader) -> None:
    calls: list[int] = []
    answerer = FileAnswerer(BatchAnswerer(reader), progress=calls.append)
    answerer.stream(read_jsonl([line(), "x\n"]), io.StringIO(), io.StringIO())
    assert calls == [2]


def test_bytes_that_are_not_utf8_reject_one_line(answerer: FileAnswerer, tmp_path: Path) -> None:
    source, out = tmp_path / "q.csv", tmp_path / "a.jsonl"
    source.write_bytes(b"question,passage\nWho?,caf\xe9\nWho?,Ada kicked.\n")
    assert answerer.into(out, read_questions(source)) == Counts(1, 0, 1)
    assert "binary" in rows(rejects_path(out))[0]["reason"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


def test_from_model(model: Path) -> None:
    answerer = BatchAnswerer.from_model(model, explain=True, threshold=0.5)
    assert answerer.explain
    assert answerer.reader.policy.threshold == 0.5


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["answer", *map(str, arguments)], input=stdin)


def test_command_writes_a_file(model: Path, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    result = run(source, "--out", out, "--model", model, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout) == {"answered": 2, "kept": 0, "bad": 3}
    again = run(source, "--out", out, "--model", model)
    assert again.stdout == f"0 answered, 2 answered before, 3 rejected (see {rejects_path(out)})\n"


def test_command_in_a_pipe(model: Path) -> None:
    result = run("-", "--model", model, stdin=line(id=7))
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["id"] == 7
    assert result.stderr == "1 answered\n"


def test_dash_is_standard_output(
    model: Path, source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(source, "--model", model, "-o", "-")
    assert [json.loads(text)["line"] for text in result.stdout.splitlines()] == [1, 4]
    assert not (tmp_path / "-").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the device is that of Linux")
def test_full_standard_output_is_reported(model: Path, source: Path) -> None:
    command = [sys.executable, "-m", "workings", "answer", str(source), "--model", str(model)]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-2:] == [
        *("Standard output: no space left on device", "Free space and try again."),
    ]


def test_command_with_bytes_that_are_not_utf8(model: Path) -> None:
    bad = b'{"id": "\xff", "question": "Who?", "passage": "Ada."}\n\xff\n'
    result = run("-", "--model", model, stdin=line(id=1).encode() + bad)
    assert result.exit_code == 3
    assert [json.loads(text)["id"] for text in result.stdout.splitlines()] == [1, "\udcff"]
    assert "not JSON" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the path of the pipe is that of Linux")
def test_command_reads_a_pipe_once(model: Path) -> None:
    """As with `workings answer <(command)`: a pipe gives its lines only once."""
    reading, writing = os.pipe()
    os.write(writing, line(id=7).encode())
    os.close(writing)
    result = run(f"/dev/fd/{reading}", "--model", model)
    os.close(reading)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["id"] == 7


def test_command_does_not_write_to_its_input(
    model: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, link = source.read_bytes(), tmp_path / "link.jsonl"
    link.symlink_to(source)
    for out in (source, link):
        result = run(source, "--model", model, "-o", out)
        assert result.exit_code == 1
        assert "is the input file" in result.stderr
    with source.open("ab") as file:  # workings answer questions.jsonl >> questions.jsonl
        monkeypatch.setattr("workings.cli.answer._STDOUT", file.fileno())
        result = run(source, "--model", model)
    assert result.exit_code == 1
    assert "standard output is the input file" in result.stderr
    assert source.read_bytes() == before


def test_command_does_not_write_to_its_standard_input(source: Path) -> None:
    """Standard input is a file of the process, so the command runs in one of its own."""
    before = source.read_bytes()
    command = [sys.executable, "-m", "workings", "answer", "-", "-o", str(source)]
    with source.open("rb") as stdin:
        result = subprocess.run(command, stdin=stdin, capture_output=True, text=True)
    assert result.returncode == 1
    assert "is the input file" in result.stderr
    assert source.read_bytes() == before


@pytest.mark.parametrize("threshold", ["nan", "2", "-1", "high"])
def test_command_rejects_bad_threshold(model: Path, source: Path, threshold: str) -> None:
    result = run(source, "--model", model, "--threshold", threshold)
    assert result.exit_code == 2
    assert "threshold" in result.stderr


def test_documented_commands_run(
    monkeypatch: pytest.MonkeyPatch, model: Path, tmp_path: Path, examples: Path
) -> None:
    monkeypatch.setattr("workings.checkpoint.model_folder.shipped_model", lambda: model)
    monkeypatch.chdir(tmp_path)
    for name in ("game.txt", "questions.jsonl"):
        shutil.copy(examples / name, tmp_path)
    Path("questions.csv").write_text(f'question,passage\n{OTHER},"{PASSAGE}"\n')
    text = (DOCS / "start.md").read_text("utf-8")
    commands = re.findall(r"^\$ workings ((?:ask|answer) .*)$", text, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        arguments, _, file = command.partition(" < ")
        stdin = Path(file).read_text("utf-8") if file else None
        result = CliRunner().invoke(app, shlex.split(arguments), input=stdin)
        assert result.exit_code == 0, result.stderr
    assert len(rows(Path("answers.jsonl"))) == 5
    assert len(rows(Path("from-table.jsonl"))) == 1
