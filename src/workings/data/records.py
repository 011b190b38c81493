"""Passages, questions and answers, read from DROP's JSON or from JSON lines."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from workings.errors import DataError, did_you_mean
from workings.files import read_text

KINDS: tuple[str, ...] = (
    "date-compare",
    "date-difference",
    "number-compare",
    "extract-number",
    "count",
    "extract-argument",
    "add-sub",
)
COMPARISONS = ("date-compare", "number-compare")

_HALF = re.compile("[\ud800-\udfff]")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """One annotated answer: a number, spans of text, or a date as (day, month, year)."""

    number: str = ""
    spans: tuple[str, ...] = ()
    date: tuple[str, str, str] = ("", "", "")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answers, the annotator's first; no answers when unknown."""

    id: str
    text: str
    answers: tuple[GoldAnswer, ...]
    kind: str | None = None
    evidence: str = ""
    source: str = "gold"
    augmented: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph and the questions asked about it."""

    id: str
    text: str
    questions: tuple[Question, ...]


def without_evidence(passage: Passage) -> Passage:
    """The same passage, as if nobody had said where its answers come from."""
    bare = tuple(replace(question, evidence="") for question in passage.questions)
    return replace(passage, questions=bare)


def without_kinds(passage: Passage) -> Passage:
    """The same passage, as if nobody had sorted its questions."""
    bare = tuple(replace(question, kind=None) for question in passage.questions)
    return replace(passage, questions=bare)


@dataclass(frozen=True, slots=True)
class MalformedRecord:
    """A record that was left out, where it stands and why."""

    file: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LoadedPassages:
    """What a file held: its passages, and the records that were left out."""

    passages: tuple[Passage, ...]
    faults: tuple[MalformedRecord, ...]

    @property
    def note(self) -> str:
        """What to say of the records that were left out, where some were."""
        return f"{len(self.faults):,} malformed records are left out, first {self.faults[0]}"


def read_passages(path: Path, *, strict: bool = False) -> LoadedPassages:
    """Read DROP's JSON, or JSON lines if the name says ``.jsonl``, gzipped or not.

    A malformed record is left out and noted; ``strict`` raises at the first one.
    """
    text = read_text(path)
    clerk = _Clerk(path, strict)
    lines = path.name.removesuffix(".gz").endswith(".jsonl")
    found = tuple(_from_lines(text, clerk) if lines else _from_drop(text, clerk))
    if clerk.faults and not any(passage.questions for passage in found):
        message = f"None of {len(clerk.faults):,} records can be read, first {clerk.faults[0]}"
        raise DataError(message, hint="Mend them, or give a file of questions.")
    return LoadedPassages(found, tuple(clerk.faults))


class _RecordError(Exception):
    """A record that cannot be read, and why."""


@dataclass
class _Clerk:
    """Keeps the faults of one file, or stops at the first when strict."""

    file: Path
    strict: bool
    faults: list[MalformedRecord] = field(default_factory=list)

    def attempt(self, place: str, parse: Callable[..., _T], *args: Any) -> _T | None:
        try:
            return parse(*args)
        except _RecordError as error:
            fault = MalformedRecord(str(self.file), place, str(error))
            if self.strict:
                hint = "Mend the record, or read without --strict to leave it out."
                raise DataError(str(fault), hint=hint) from error
            self.faults.append(fault)
            return None


def _from_drop(text: str, clerk: _Clerk) -> Iterator[Passage]:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = "Give DROP's JSON; if each line is a record of its own, name the file .jsonl."
        raise DataError(f"{clerk.file}: not JSON: {error}", hint=hint) from error
    if not isinstance(raw, dict):
        hint = 'DROP\'s layout is {passage id: {"passage": ..., "qa_pairs": [...]}}.'
        raise DataError(f"{clerk.file}: not an object of passages", hint=hint)
    for name, record in raw.items():
        parts = clerk.attempt(f"passage {name}", _passage_parts, name, record)
        if parts is not None:
            text, pairs = parts
            yield Passage(name, text, tuple(_questions(name, pairs, clerk)))


def _questions(passage: str, pairs: list[Any], clerk: _Clerk) -> Iterator[Question]:
    for index, pair in enumerate(pairs, 1):
        place = f"passage {passage}, question {index}"
        question = clerk.attempt(place, _question, pair, f"{passage}-{index}")
        if question is not None:
            yield question


def _from_lines(text: str, clerk: _Clerk) -> Iterator[Passage]:
    """Lines about the same text, near or far apart, become one passage."""
    by_text: dict[str, list[Question]] = {}
    # Not splitlines: a JSON string may hold a line separator of Unicode as it is.
    for index, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found = clerk.attempt(f"line {index}", _line_parts, line, f"line-{index}")
            if found is not None:
                by_text.setdefault(found[0], []).append(found[1])
    for index, (passage, questions) in enumerate(by_text.items(), 1):
        yield Passage(f"passage-{index}", passage, tuple(questions))


def _passage_parts(name: str, record: Any) -> tuple[str, list[Any]]:
    _whole(name)
    fields = _object(record, "the passage record")
    return _string(fields, "passage"), _list(fields, "qa_pairs")


def _line_parts(line: str, default_id: str) -> tuple[str, Question]:
    try:
        fields = _object(json.loads(line), "the line")
    except (ValueError, RecursionError) as error:
        raise _RecordError(f"not JSON: {error}") from error
    return _string(fields, "passage"), _question(fields, default_id)


def _question(record: Any, default_id: str) -> Question:
    fields = _object(record, "the question record")
    validated = fields.get("validated_answers")
    answers = [fields.get("answer"), *(_list(fields, "validated_answers") if validated else [])]
    return Question(
        id=_text_of(fields.get("query_id") or fields.get("id") or default_id),
        text=_string(fields, "question"),
        answers=tuple(answer for answer in map(_answer, answers) if answer != GoldAnswer()),
        kind=_kind(fields.get("kind")),
        evidence=_text_of(fields.get("evidence") or ""),
        source=_text_of(fields.get("source") or "gold"),
        augmented=bool(fields.get("augmented")),
    )


def _answer(raw: Any) -> GoldAnswer:
    """DROP's record of an answer, or a bare string, number or list of spans."""
    if isinstance(raw, str):
        return (
            GoldAnswer(number=raw.strip()) if _is_number(raw) else GoldAnswer(spans=_spans([raw]))
        )
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return GoldAnswer(number=str(raw))
    if isinstance(raw, list):
        return GoldAnswer(spans=_spans(raw))
    if raw is None:
        return GoldAnswer()
    fields = _object(raw, "the answer")
    date = _object(fields.get("date") or {}, "the answer's date")
    return GoldAnswer(
        number=_text_of(fields.get("number")),
        spans=_spans(fields.get("spans") or []),
        date=(_text_of(date.get("day")), _text_of(date.get("month")), _text_of(date.get("year"))),
    )


def _spans(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(span, str) for span in raw):
        raise _RecordError("the answer's spans are not a list of strings")
    return tuple(_whole(span) for span in raw if span.strip())


def _kind(raw: Any) -> str | None:
    if raw is not None and raw not in KINDS:
        raise _RecordError(f"unknown kind {raw!r}: {did_you_mean(str(raw), KINDS)}")
    return raw if isinstance(raw, str) else None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?\d[\d,]*(\.\d+)?\s*", text) is not None


def _text_of(raw: Any) -> str:
    return "" if raw is None else _whole(str(raw).strip())


def _whole(text: str) -> str:
    """JSON can write half a character, which nothing after it can."""
    if _HALF.search(text):
        raise _RecordError("it holds half of a character (a lone surrogate)")
    return text


def _object(raw: Any, what: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise _RecordError(f"{what} is not an object")
    return raw


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not any(map(str.isalnum, value)):
        raise _RecordError(f"{name!r} is missing, empty or not text")
    return _whole(value)


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise _RecordError(f"{name!r} is missing or not a list")
    return value
