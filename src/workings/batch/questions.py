"""Read files of questions: JSON lines or CSV, one question per line or row."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from workings.batch.lines import BoundedLines, LongLineError
from workings.errors import DataError
from workings.reader import MAX_PASSAGE_LENGTH

# Larger than the longest passage, so that the reader, with its clearer message, refuses a passage
# that is too long.
_MAX_CSV_FIELD = 4 * MAX_PASSAGE_LENGTH


@dataclass(frozen=True)
class Request:
    """A question to answer.

    Attributes:
        line: Line number in the file, from 1.
        id: The id given in the file, if any.
        question: The question.
        passage: The passage.
    """

    line: int
    id: Any
    question: str
    passage: str


@dataclass(frozen=True)
class RejectedLine:
    """A line that cannot be answered.

    Attributes:
        line: Line number in the file, from 1.
        reason: What is wrong with it.
        text: The line, or its question.
    """

    line: int
    reason: str
    text: str


QuestionLine: TypeAlias = Request | RejectedLine


def read_questions(source: Path) -> Iterator[QuestionLine]:
    """Read a file of questions: CSV if its name ends in ``.csv``, else JSON lines.

    Raises:
        DataError: If the file cannot be opened, a CSV file lacks a column, or a line does not end.
    """
    read = read_csv if source.suffix.lower() == ".csv" else read_jsonl
    try:
        with source.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
            yield from read(BoundedLines(lines))
    except OSError as error:
        hint = "Give the path of a .jsonl or .csv file, or - to read from standard input."
        raise DataError(f"{source}: {error.strerror}", hint=hint) from error


def read_jsonl(lines: Iterable[str]) -> Iterator[QuestionLine]:
    """Read JSON lines: objects with ``question``, ``passage`` and an optional ``id``."""
    rest = iter(lines)
    for number in count(1):
        text = ""
        try:
            text = next(rest)
            if text.strip():
                yield _to_request(number, json.loads(text, parse_constant=_refuse), text)
        except StopIteration:
            return
        except LongLineError as error:
            yield RejectedLine(number, str(error), error.start)
        except (ValueError, RecursionError) as error:
            yield RejectedLine(number, f"not JSON: {error}", text.rstrip("\r\n"))


def read_csv(lines: Iterable[str]) -> Iterator[QuestionLine]:
    """Read CSV with the columns ``question``, ``passage`` and an optional ``id``.

    Raises:
        DataError: If the first row does not name the columns.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _MAX_CSV_FIELD))
    rows = csv.DictReader(lines, strict=True)
    hint = "Name the columns in the first row: id,question,passage."
    try:
        missing = {"question", "passage"} - set(rows.fieldnames or ())
    except (csv.Error, LongLineError) as error:
        raise DataError(f"The first row is not CSV: {error}.", hint=hint) from error
    if missing:
        raise DataError(f"The table has no column {' nor '.join(sorted(missing))}.", hint=hint)
    long_lines = 0  # the line number of csv leaves them out
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except LongLineError as error:
            long_lines += 1
            yield RejectedLine(rows.line_num + long_lines, str(error), error.start)
        except csv.Error as error:
            yield RejectedLine(rows.line_num + long_lines, f"not CSV: {error}", "")
        else:
            number = rows.line_num + long_lines
            yield _to_request(number, row, json.dumps(list(row.values())))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def _to_request(number: int, record: Any, text: str) -> QuestionLine:
    if not isinstance(record, dict):
        return RejectedLine(number, "not an object", text.rstrip("\r\n"))
    for name in ("question", "passage"):
        if not isinstance(record.get(name), str):
            return RejectedLine(number, f"no {name}", text.rstrip("\r\n"))
    request_id = record.get("id", record.get("query_id"))
    try:
        json.dumps(request_id, allow_nan=False)
    except ValueError:  # JSON reads 1e999 as infinity, and cannot write it
        return RejectedLine(number, "the id is too large a number", text.rstrip("\r\n"))
    return Request(number, request_id, record["question"], record["passage"])
