"""Lines of bounded length: long lines are rejected, and endless ones end with an error."""

import io
import sys
from pathlib import Path

import pytest

from workings.batch import lines as lines_module
from workings.batch.lines import BoundedLines
from workings.batch.questions import (
    QuestionLine,
    RejectedLine,
    Request,
    read_csv,
    read_jsonl,
    read_questions,
)
from workings.errors import DataError

REASON = "the line has more than 1,000 characters"
GOOD = '{"question": "Who?", "passage": "Ada."}\n'


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "MAX_LINE_LENGTH", 1_000)
    monkeypatch.setattr(lines_module, "LIMIT", 100_000)


@pytest.mark.parametrize("length", [1_001, 1_999, 2_000, 2_001, 5_000])
@pytest.mark.parametrize("end", ["\n", ""])
def test_long_json_line_is_rejected(length: int, end: str) -> None:
    text = GOOD + "x" * length + end + (GOOD if end else "")
    expected: list[QuestionLine] = [
        Request(1, None, "Who?", "Ada."),
        RejectedLine(2, REASON, "x" * 100),
        Request(3, None, "Who?", "Ada."),
    ]
    found = list(read_jsonl(BoundedLines(io.StringIO(text))))
    assert found == (expected if end else expected[:2])


def test_line_of_the_greatest_length_is_read() -> None:
    text = "x" * 999 + "\n"
    assert list(BoundedLines(io.StringIO(text * 2))) == [text, text]


def test_long_csv_row_is_rejected() -> None:
    """A row is never cut: its passage would be incomplete."""
    table = f"question,passage\nWho?,Ada.\nWho?,{'x' * 2_000}\nWho?,Ben.\n"
    assert list(read_csv(BoundedLines(io.StringIO(table)))) == [
        Request(2, None, "Who?", "Ada."),
        RejectedLine(3, REASON, "Who?," + "x" * 95),
        Request(4, None, "Who?", "Ben."),
    ]


def test_long_first_row_is_refused() -> None:
    with pytest.raises(DataError, match="more than 1,000 characters"):
        list(read_csv(BoundedLines(io.StringIO("x" * 2_000))))


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are those of Linux")
@pytest.mark.parametrize("name", ["zero.jsonl", "zero.csv"])
def test_device_without_end_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.symlink_to("/dev/zero")
    with pytest.raises(DataError, match="more than 100,000 characters"):
        list(read_questions(path))
