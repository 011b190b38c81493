"""Tests of reading files of questions."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.batch.questions import RejectedLine, Request, read_csv, read_jsonl, read_questions
from workings.errors import DataError


def test_json_lines() -> None:
    lines = [
        '{"id": 7, "question": "Who?", "passage": "Ada."}\n',
        "\n",
        '{"query_id": "x", "question": "Who?", "passage": "Ada."}\n',
        '{"question": "Who?"}\n',
        "[1]\n",
    ]
    assert list(read_jsonl(lines)) == [
        Request(1, 7, "Who?", "Ada."),
        Request(3, "x", "Who?", "Ada."),
        RejectedLine(4, "no passage", '{"question": "Who?"}'),
        RejectedLine(5, "not an object", "[1]"),
    ]


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "[1e999]"])
def test_ids_that_json_cannot_write_are_rejected(number: str) -> None:
    text = f'{{"id": {number}, "question": "Who?", "passage": "Ada."}}\n'
    (line,) = read_jsonl([text])
    assert isinstance(line, RejectedLine) and "number" in line.reason


def test_csv() -> None:
    table = 'id,question,passage\n1,"How many?","Two, or\nthree."\n2,Who?\n'
    good, bad = read_csv(table.splitlines(keepends=True))
    assert good == Request(3, "1", "How many?", "Two, or\nthree.")
    assert isinstance(bad, RejectedLine) and bad.reason == "no passage"


def test_csv_with_a_long_passage() -> None:
    passage = "They met. " * 20_000
    (request,) = read_csv(["question,passage\n", f'Who?,"{passage}"\n'])
    assert request == Request(2, None, "Who?", passage)


def test_rejects_csv_without_the_columns() -> None:
    with pytest.raises(DataError, match="no column passage") as caught:
        list(read_csv(["id,question\n"]))
    assert "first row" in caught.value.hint


@pytest.mark.parametrize("first", ['"a"b,question,passage', "question\0,passage", '"question'])
def test_rejects_first_row_that_is_not_csv(first: str) -> None:
    with pytest.raises(DataError, match="id,question,passage"):
        list(read_csv([f"{first}\n", "1,2,3\n"]))


def test_format_depends_on_the_file_name(tmp_path: Path) -> None:
    table, lines = tmp_path / "q.CSV", tmp_path / "q.jsonl"
    table.write_text("\ufeffquestion,passage\nWho?,Ada.\n", encoding="utf-8")
    lines.write_text('{"question": "Who?", "passage": "Ada."}\n')
    assert list(read_questions(table)) == [Request(2, None, "Who?", "Ada.")]
    assert list(read_questions(lines)) == [Request(1, None, "Who?", "Ada.")]


@pytest.mark.parametrize("name", ["questions.jsonl", "questions.csv"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_refused_as_a_whole(name: str, encoding: str, tmp_path: Path) -> None:
    """Otherwise every line would be rejected with a message about JSON."""
    file = tmp_path / name
    file.write_text("\ufeffquestion,passage\nWho?,Ada.\n", encoding)
    with pytest.raises(DataError, match="UTF-16") as caught:
        list(read_questions(file))
    assert "UTF-8" in caught.value.hint


def test_rejects_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        list(read_questions(tmp_path / "none.csv"))


@given(st.lists(st.text()))
def test_any_text_gives_requests_or_rejected_lines(texts: list[str]) -> None:
    assert all(isinstance(line, Request | RejectedLine) for line in read_jsonl(texts))
    rows = list(read_csv(["question,passage\n", *texts]))
    assert all(isinstance(row, Request | RejectedLine) for row in rows)
