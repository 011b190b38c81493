"""Files of questions: answered, gone on with, and with bad lines set aside."""

import io
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch.answering import (
    BatchAnswerer,
    Counts,
    FileAnswerer,
    RejectedLine,
    Request,
    ask_each,
    read_csv,
    read_jsonl,
    read_questions,
    rejects_path,
)
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.errors import DataError, InputError
from workings.explain import Explanation
from workings.reader import Reader

OTHER = "Who kicked the 24-yard field goal?"


def line(question: str = QUESTION, **more: Any) -> str:
    return json.dumps({"question": question, "passage": PASSAGE, **more}) + "\n"


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in file.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text(line(id="a") + "\n{broken\n" + line(OTHER) + line("  ") + "[1]\n")
    return file


def test_lines_are_answered_or_set_aside(reader: Reader, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "answers.jsonl"
    tally = FileAnswerer(BatchAnswerer(reader)).into(out, read_questions(source))
    assert tally == Counts(answered=2, kept=0, bad=3)
    first, second = rows(out)
    assert (first["line"], first["id"], first["question"]) == (1, "a", QUESTION)
    assert (second["line"], second["id"]) == (4, None)
    alone = reader.ask(QUESTION, PASSAGE)
    assert first["answer"] == list(alone.answer.texts)
    assert first["program"] == alone.program
    assert "explanation" not in first
    bad = {row["line"]: row for row in rows(rejects_path(out))}
    assert bad[3]["text"] == "{broken"
    assert bad[3]["reason"].startswith("not JSON")
    assert bad[5]["reason"] == "The question is empty."
    assert bad[6]["reason"] == "not an object"


def test_a_stopped_run_goes_on(reader: Reader, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    FileAnswerer(BatchAnswerer(reader)).into(out, read_questions(source))
    whole = out.read_bytes()
    out.write_bytes(whole[: whole.index(b"\n") + 20])  # stopped while it wrote the second answer
    assert FileAnswerer(BatchAnswerer(reader)).into(out, read_questions(source)) == Counts(1, 1, 3)
    assert out.read_bytes() == whole
    assert FileAnswerer(BatchAnswerer(reader)).into(out, read_questions(source)) == Counts(0, 2, 3)
    assert out.read_bytes() == whole


def test_answers_to_other_questions_are_not_mixed(reader: Reader, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    FileAnswerer(BatchAnswerer(reader)).into(out, read_jsonl([line()]))
    with pytest.raises(DataError, match="other questions"):
        FileAnswerer(BatchAnswerer(reader)).into(out, read_jsonl([line(OTHER)]))


def test_a_file_of_something_else_is_not_written_to(reader: Reader, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("my notes\n")
    with pytest.raises(DataError, match="not a file of answers"):
        FileAnswerer(BatchAnswerer(reader)).into(out, read_jsonl([line()]))
    assert out.read_text() == "my notes\n"


def test_no_bad_line_no_file(reader: Reader, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    FileAnswerer(BatchAnswerer(reader, whole=True)).into(out, read_jsonl([line()]))
    assert not rejects_path(out).exists()
    assert Explanation.from_json(rows(out)[0]["explanation"]).question == QUESTION


def test_each_pair_has_its_own_fault(reader: Reader) -> None:
    pairs = [(QUESTION, PASSAGE), ("", PASSAGE), (OTHER, PASSAGE), (OTHER, "\0")]
    first, empty, second, binary = ask_each(reader, pairs)
    assert isinstance(first, Explanation) and first.question == QUESTION
    assert isinstance(second, Explanation) and second.question == OTHER
    assert isinstance(empty, InputError)
    assert isinstance(binary, InputError)


def test_progress_is_told(reader: Reader) -> None:
    told: list[int] = []
    work = FileAnswerer(BatchAnswerer(reader), watch=told.append)
    work.stream(read_jsonl([line(), "x\n"]), io.StringIO(), io.StringIO())
    assert told == [2]


def test_tables() -> None:
    table = 'id,question,passage\n1,"How many?","Two, or\nthree."\n2,Who?\n'
    good, bad = read_csv(table.splitlines(keepends=True))
    assert good == Request(3, "1", "How many?", "Two, or\nthree.")
    assert isinstance(bad, RejectedLine) and bad.reason == "no passage"


def test_a_table_with_a_long_passage() -> None:
    passage = "They met. " * 20_000
    (only,) = read_csv(["question,passage\n", f'Who?,"{passage}"\n'])
    assert only == Request(2, None, "Who?", passage)


def test_a_table_without_the_columns() -> None:
    with pytest.raises(DataError, match="no column passage") as caught:
        list(read_csv(["id,question\n"]))
    assert "first row" in caught.value.hint


def test_bytes_that_are_no_text_are_one_bad_line(reader: Reader, tmp_path: Path) -> None:
    source, out = tmp_path / "q.csv", tmp_path / "a.jsonl"
    source.write_bytes(b"question,passage\nWho?,caf\xe9\nWho?,Ada kicked.\n")
    assert FileAnswerer(BatchAnswerer(reader)).into(out, read_questions(source)) == Counts(1, 0, 1)
    assert "binary" in rows(rejects_path(out))[0]["reason"]


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        list(read_questions(tmp_path / "none.csv"))


@given(st.lists(st.text()))
def test_any_text_is_read_line_by_line(texts: list[str]) -> None:
    assert all(isinstance(found, Request | RejectedLine) for found in read_jsonl(texts))
    found = list(read_csv(["question,passage\n", *texts]))
    assert all(isinstance(one, Request | RejectedLine) for one in found)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


def run(*arguments: str | Path, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["answer", *map(str, arguments)], input=typed)


def test_the_command_writes_a_file(model: Path, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    done = run(source, "--out", out, "--model", model, "--json")
    assert done.exit_code == 3
    assert json.loads(done.stdout) == {"answered": 2, "kept": 0, "bad": 3}
    again = run(source, "--out", out, "--model", model)
    assert again.stdout == f"0 answered, 2 before, 3 set aside in {rejects_path(out)}\n"


def test_the_command_in_a_pipe(model: Path) -> None:
    done = run("-", "--model", model, typed=line(id=7))
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["id"] == 7
    assert done.stderr == "1 answered\n"


def test_bytes_that_are_no_text_in_a_pipe(model: Path) -> None:
    typed = line(id=1).encode() + b'{"id": "\xff", "question": "Who?", "passage": "Ada."}\n\xff\n'
    done = CliRunner().invoke(app, ["answer", "-", "--model", str(model)], input=typed)
    assert done.exit_code == 3
    assert [json.loads(text)["id"] for text in done.stdout.splitlines()] == [1, "\udcff"]
    assert "not JSON" in done.stderr


def test_the_documented_commands_run(
    monkeypatch: pytest.MonkeyPatch, model: Path, tmp_path: Path, examples: Path
) -> None:
    monkeypatch.setattr("workings.reader.shipped_model", lambda: model)
    monkeypatch.chdir(tmp_path)
    for name in ("game.txt", "questions.jsonl"):
        shutil.copy(examples / name, tmp_path)
    Path("questions.csv").write_text(f'question,passage\n{OTHER},"{PASSAGE}"\n')
    text = (Path(__file__).parents[1] / "docs" / "start.md").read_text("utf-8")
    commands = re.findall(r"^\$ workings ((?:ask|answer) .*)$", text, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        typed, _, file = command.partition(" < ")
        given = Path(file).read_text("utf-8") if file else None
        done = CliRunner().invoke(app, shlex.split(typed), input=given)
        assert done.exit_code == 0, done.stderr
    assert len(rows(Path("answers.jsonl"))) == 5
    assert len(rows(Path("from-table.jsonl"))) == 1


@pytest.mark.parametrize("first", ['"a"b,question,passage', "question\0,passage", '"question'])
def test_a_first_row_that_is_no_table(first: str) -> None:
    with pytest.raises(DataError, match="id,question,passage"):
        list(read_csv([f"{first}\n", "1,2,3\n"]))
