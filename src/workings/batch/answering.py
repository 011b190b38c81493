"""Files of questions answered line by line: what is done is kept, what is bad is set aside."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TextIO

from workings.errors import DataError, WorkingsError
from workings.explain import Explanation
from workings.files import make_folder
from workings.reader import MAX_PASSAGE, Reader

# Lines taken together, so that questions about one passage share its reading.
CHUNK = 64
# A field of a table may hold more than a passage may: the reader says so better than the table.
_LARGEST_FIELD = 4 * MAX_PASSAGE


@dataclass(frozen=True)
class Request:
    """One line that can be answered."""

    line: int
    id: Any
    question: str
    passage: str


@dataclass(frozen=True)
class RejectedLine:
    """One line that cannot, and why."""

    line: int
    reason: str
    text: str


Chunk = Sequence[Request | RejectedLine]


@dataclass(frozen=True)
class ChunkResult:
    """What came of a chunk: answers as lines of JSON, and what is to be set aside."""

    answers: list[str] = field(default_factory=list)
    bad: list[RejectedLine] = field(default_factory=list)


class Backend(Protocol):
    """Where the work is done: here, or on many machines."""

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """What came of each chunk, in order."""


@dataclass(frozen=True)
class BatchAnswerer:
    """Answers one chunk after the other; ``whole`` writes the explanations too."""

    reader: Reader
    whole: bool = False

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        return map(self.work, chunks)

    def work(self, chunk: Chunk) -> ChunkResult:
        """Questions about one passage share its reading."""
        asked = [line for line in chunk if isinstance(line, Request)]
        done = ChunkResult(bad=[line for line in chunk if isinstance(line, RejectedLine)])
        found = ask_each(self.reader, [(line.question, line.passage) for line in asked])
        for line, result in zip(asked, found, strict=True):
            if isinstance(result, WorkingsError):
                done.bad.append(RejectedLine(line.line, result.message, line.question))
            else:
                done.answers.append(self._write(line, result))
        done.bad.sort(key=lambda bad: bad.line)  # however lines were shared out
        return done

    def _write(self, asked: Request, found: Explanation) -> str:
        answer = {
            "line": asked.line,
            "id": asked.id,
            "question": asked.question,
            "answer": list(found.answer.texts),
            "value": found.answer.value,
            "confidence": found.confidence,
            "program": found.program,
        }
        return _to_line(answer | ({"explanation": found.to_json()} if self.whole else {}))


def from_model(model: Path | None, *, whole: bool, threshold: float, fast: bool) -> BatchAnswerer:
    """A clerk with a reader of its own."""
    return BatchAnswerer(Reader.from_pretrained(model, threshold=threshold, fast=fast), whole)


@dataclass(frozen=True)
class Counts:
    """What came of a file: lines answered now, answered before, and set aside."""

    answered: int = 0
    kept: int = 0
    bad: int = 0


@dataclass(frozen=True)
class FileAnswerer:
    """Takes lines to an engine and what comes of them to where it belongs."""

    engine: Backend
    watch: Callable[[int], None] = lambda _lines: None

    def into(self, out: Path, lines: Iterable[Request | RejectedLine]) -> Counts:
        """Answer lines into a .jsonl file, going on where an earlier run stopped.

        Those that cannot be answered are written beside it, to ``rejects_path(out)``.
        """
        make_folder(out.parent)
        aside = rejects_path(out)
        try:
            known = _known(out)
            with (
                out.open("a", encoding="utf-8") as answers,
                aside.open("w", encoding="utf-8") as bad,
            ):
                rest = replace(self, watch=lambda done: self.watch(len(known) + done))
                tally = rest.stream(_remaining(lines, known, out), answers, bad)
            if not tally.bad:
                aside.unlink()
        except OSError as error:
            hint = "See to it, then run this again: what is answered is kept."
            raise DataError(f"{out}: {error.strerror or error}", hint=hint) from error
        return Counts(tally.answered, len(known), tally.bad)

    def stream(self, lines: Iterable[Request | RejectedLine], out: TextIO, aside: TextIO) -> Counts:
        """Answer lines as they come, and write each to where it belongs."""
        answered = bad = 0
        for done in self.engine.answer(_chunks(lines)):
            out.writelines(done.answers)
            aside.writelines(_to_line(asdict(line)) for line in done.bad)
            out.flush()
            aside.flush()
            answered, bad = answered + len(done.answers), bad + len(done.bad)
            self.watch(answered + bad)
        return Counts(answered, 0, bad)


def ask_each(reader: Reader, pairs: Sequence[tuple[str, str]]) -> list[Explanation | WorkingsError]:
    """Every pair's answer or its own fault: a bad one does not spoil those beside it."""
    try:
        return list(reader.ask_many(pairs))
    except WorkingsError as error:
        if len(pairs) == 1:
            return [error]
        half = len(pairs) // 2
        return ask_each(reader, pairs[:half]) + ask_each(reader, pairs[half:])


def rejects_path(out: Path) -> Path:
    """The file of the lines that could not be answered."""
    return out.with_name(f"{out.stem}.bad.jsonl")


def read_questions(source: Path) -> Iterator[Request | RejectedLine]:
    """The lines of a .csv file, or of one with JSON lines."""
    read = read_csv if source.suffix.lower() == ".csv" else read_jsonl
    try:
        with source.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
            yield from read(lines)
    except OSError as error:
        hint = "Give the path of a .jsonl or .csv file, or - to read from standard input."
        raise DataError(f"{source}: {error.strerror}", hint=hint) from error


def read_jsonl(lines: Iterable[str]) -> Iterator[Request | RejectedLine]:
    """One question a line: an object with ``question``, ``passage`` and, if you like, ``id``."""
    for number, text in enumerate(lines, 1):
        if text.strip():
            try:
                yield _asked(number, json.loads(text), text)
            except (ValueError, RecursionError) as error:
                yield RejectedLine(number, f"not JSON: {error}", text.rstrip("\r\n"))


def read_csv(lines: Iterable[str]) -> Iterator[Request | RejectedLine]:
    """One question a row; the first row names ``question``, ``passage`` and maybe ``id``."""
    csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_FIELD))
    rows = csv.DictReader(lines, strict=True)
    hint = "Name the columns in the first row: id,question,passage."
    try:
        missing_values = {"question", "passage"} - set(rows.fieldnames or ())
    except csv.Error as error:
        raise DataError(f"The first row is not CSV: {error}.", hint=hint) from error
    if missing_values:
        raise DataError(
            f"The table has no column {' nor '.join(sorted(missing_values))}.", hint=hint
        )
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield RejectedLine(rows.line_num, f"not CSV: {error}", "")
        else:
            yield _asked(rows.line_num, row, json.dumps(list(row.values())))


def _asked(number: int, tree: Any, text: str) -> Request | RejectedLine:
    if not isinstance(tree, dict):
        return RejectedLine(number, "not an object", text.rstrip("\r\n"))
    for name in ("question", "passage"):
        if not isinstance(tree.get(name), str):
            return RejectedLine(number, f"no {name}", text.rstrip("\r\n"))
    return Request(number, tree.get("id", tree.get("query_id")), tree["question"], tree["passage"])


def _known(out: Path) -> dict[int, str]:
    """The lines an earlier run answered, with their questions; half a line at the end is cut."""
    if not out.exists():
        return {}
    raw = out.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    try:
        found = [json.loads(line) for line in whole.splitlines()]
        known = {one["line"]: one["question"] for one in found}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "Name another file to write to."
        raise DataError(f"{out}: not a file of answers", hint=hint) from error
    if len(whole) < len(raw):
        with out.open("r+b") as file:
            file.truncate(len(whole))
    return known


def _remaining(
    lines: Iterable[Request | RejectedLine], known: dict[int, str], out: Path
) -> Iterator[Request | RejectedLine]:
    for line in lines:
        if isinstance(line, RejectedLine) or line.line not in known:
            yield line
        elif known[line.line] != line.question:
            message = f"{out} answers other questions than these: see line {line.line}."
            raise DataError(message, hint="Name another file to write to.")


def _chunks(lines: Iterable[Request | RejectedLine]) -> Iterator[Chunk]:
    rest = iter(lines)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _to_line(tree: dict[str, Any]) -> str:
    """One line of JSON, in which bytes that were no text stay escaped."""
    text = json.dumps(tree, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode() + "\n"
