"""The lines of JSON that answering writes: their fields, and how to recognise them."""

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from workings.batch.questions import Request
from workings.errors import DataError

# The fields that say what was asked.
QUESTION_FIELDS = ("line", "id", "question", "passage_id")
ANSWER_FIELDS = (*QUESTION_FIELDS, "answer", "value", "confidence", "program")
REJECT_FIELDS = ("line", "reason", "text")

# The longest line of an output file, in bytes. The explanation of the longest passage is shorter.
_MAX_LINE_BYTES = 1 << 28
_LINE_NUMBER = re.compile(rb'\{"line": ([1-9]\d{0,17}), "')
_SHORT_START = re.compile(rb'\{("(l(i(n(e("(:( (\d{1,18}(,( )?)?)?)?)?)?)?)?)?)?)?')


def json_line(record: dict[str, Any]) -> str:
    """Render one line of JSON; bytes that were not UTF-8 are written as escapes."""
    text = json.dumps(record, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def answer_start(request: Request) -> dict[str, Any]:
    """Return the first fields of the record of an answer."""
    passage_id = blake2b(request.passage.encode("utf-8", "surrogatepass"), digest_size=8)
    values = (request.line, request.id, request.question, passage_id.hexdigest())
    return dict(zip(QUESTION_FIELDS, values, strict=True))


def read_records(path: Path, fields: tuple[str, ...], what: str) -> Iterator[tuple[bytes, Any]]:
    """Read a file of answers or of rejected lines, which may end within a line.

    Args:
        path: The file; a missing one counts as empty.
        fields: The fields that each record must have.
        what: What the file should be, for the error message.

    Yields:
        Each line with its record. The record is None for an incomplete last line.

    Raises:
        DataError: If the file contains something else.
        OSError: If the file cannot be read.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        first = True
        while line := file.readline(_MAX_LINE_BYTES):
            record = _parse(line)
            is_fragment = record is None and _is_fragment(line, fields[1], first=first)
            if not is_fragment and not _is_record(record, fields):
                hint = "Move it, or name another output file; it was not changed."
                raise DataError(f"{path} exists and is not {what}.", hint=hint)
            yield line, record
            first = False


def fragment_line_number(fragment: bytes) -> int | None:
    """Return the line number that an incomplete line contains, if it contains one."""
    match = _LINE_NUMBER.match(fragment)
    return int(match[1]) if match else None


def _parse(line: bytes) -> Any:
    """Return the value of a line of JSON; None if it is not complete."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_record(value: Any, fields: tuple[str, ...]) -> bool:
    if not isinstance(value, dict) or not value.keys() >= set(fields):
        return False
    return type(value["line"]) is int and value["line"] > 0


def _is_fragment(line: bytes, second_field: str, *, first: bool) -> bool:
    """Whether text is the start of a record that was not written to its end.

    A text that is too short for the check is accepted after complete lines only: nothing is
    lost with it.
    """
    if line.endswith(b"\n"):
        return False
    match = _LINE_NUMBER.match(line)
    if match is None:
        return not first and _SHORT_START.fullmatch(line) is not None
    return agree(line[match.end() :], f'{second_field}": '.encode())


def agree(first: bytes, second: bytes) -> bool:
    """Whether one text is the start of the other."""
    return first.startswith(second) or second.startswith(first)
