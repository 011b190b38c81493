"""Passages, questions and gold answers, and the readers of DROP's JSON and of JSON lines."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
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

# Types of questions, in data that has a type for every question. The passage does not answer "none"
# questions.
QUESTION_TYPES: tuple[str, ...] = (
    "sub",
    "add2",
    "add3",
    "add4",
    "addsub3",
    "product",
    "ratio",
    "average",
    "percent-of",
    "percent-change",
    "percent-rest",
    "count",
    "count-diff",
    "max",
    "min",
    "order",
    "compare-num",
    "compare-date",
    "years",
    "days",
    "months",
    "duration",
    "number",
    "date",
    "span",
    "spans",
    "none",
)

_SURROGATE = re.compile("[\ud800-\udfff]")

# Writing out a number such as 1e99999999 would take minutes.
_LARGE_EXPONENT = re.compile(r"[eE][+-]?\d{4}")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """One annotated answer: a number, spans of text, or a date as (day, month, year)."""

    number: str = ""
    spans: tuple[str, ...] = ()
    date: tuple[str, str, str] = ("", "", "")

    @property
    def exact_number(self) -> Fraction | None:
        """The value of ``number``; None if there is none, or if it cannot be read."""
        if _LARGE_EXPONENT.search(self.number):
            return None
        try:
            return Fraction(self.number.replace(",", "").strip())
        except (ValueError, ZeroDivisionError):
            return None


@dataclass(frozen=True, slots=True)
class Ask:
    """A phrase of a question and what it asks for.

    Attributes:
        role: "value" for the words that single out values, "find" for the things counted or ranked,
            "filter" for a condition, "op" for the words that ask for an operation.
        phrase: The words, verbatim in the question.
        values: The values that the phrase singles out, as written in the data.
    """

    role: str
    phrase: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answers.

    Attributes:
        id: Unique name of the question.
        text: The question.
        answers: The gold answers, the first annotator's first; empty if unknown.
        kind: One of ``KINDS``, or None if the question is of no kind.
        evidence: The annotator's note on how the answer follows from the passage, if any.
        source: Where the question comes from.
        augmented: Whether the question is a variant made by ``workings data build``.
        type: One of ``QUESTION_TYPES``, or None if the data do not give it.
        asks: Phrases of the question and what each asks for.
        unanswerable: Whether the passage does not contain the answer.
        start: The character of the passage at which the first answer begins, if the data give it.
    """

    id: str
    text: str
    answers: tuple[GoldAnswer, ...]
    kind: str | None = None
    evidence: str = ""
    source: str = "gold"
    augmented: bool = False
    type: str | None = None
    asks: tuple[Ask, ...] = ()
    unanswerable: bool = False
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph and the questions asked about it.

    Attributes:
        id: Unique name of the passage.
        text: The paragraph.
        questions: The questions.
        title: The title of the document that the passage is from; empty if unknown.
    """

    id: str
    text: str
    questions: tuple[Question, ...]
    title: str = ""


def without_evidence(passage: Passage) -> Passage:
    """A copy of the passage whose questions have no evidence."""
    questions = tuple(replace(question, evidence="") for question in passage.questions)
    return replace(passage, questions=questions)


def without_kinds(passage: Passage) -> Passage:
    """A copy of the passage whose questions have no kind and no type."""
    questions = tuple(replace(question, kind=None, type=None) for question in passage.questions)
    return replace(passage, questions=questions)


@dataclass(frozen=True, slots=True)
class MalformedRecord:
    """A record that was skipped, with its location and the reason."""

    file: str
    location: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.location}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LoadedPassages:
    """The passages of a file, and the records that were skipped."""

    passages: tuple[Passage, ...]
    malformed: tuple[MalformedRecord, ...]

    @property
    def warning(self) -> str:
        """A line about the skipped records; only defined if there are any."""
        return f"{len(self.malformed):,} malformed records were skipped. First: {self.malformed[0]}"


def read_passages(path: Path, *, strict: bool = False) -> LoadedPassages:
    """Read a file of passages with questions.

    Args:
        path: DROP's JSON, or JSON lines if the name ends in ``.jsonl``; ``.gz`` is decompressed.
        strict: Whether to raise at the first malformed record instead of skipping it.

    Raises:
        DataError: The file cannot be read, no record of it is valid, or ``strict`` is set and a
            record is malformed.
    """
    text = read_text(path)
    parser = _RecordParser(path, strict)
    is_lines = path.name.removesuffix(".gz").endswith(".jsonl")
    passages = tuple(_from_lines(text, parser) if is_lines else _from_drop(text, parser))
    malformed = tuple(parser.malformed)
    if malformed and not any(passage.questions for passage in passages):
        message = f"None of {len(malformed):,} records can be read. First: {malformed[0]}"
        raise DataError(message, hint="Correct the records, or give a file of questions.")
    return LoadedPassages(passages, malformed)


class _RecordError(Exception):
    """A record is malformed; the message is the reason."""


@dataclass
class _RecordParser:
    """Parses the records of one file and collects the malformed ones."""

    file: Path
    strict: bool
    malformed: list[MalformedRecord] = field(default_factory=list)

    def parse(self, location: str, parse: Callable[..., _T], *args: Any) -> _T | None:
        """Call ``parse``; None if the record is malformed.

        Raises:
            DataError: The record is malformed, and the parser is strict.
        """
        try:
            return parse(*args)
        except _RecordError as error:
            record = MalformedRecord(str(self.file), location, str(error))
            if self.strict:
                hint = "Correct the record, or omit --strict to skip it."
                raise DataError(str(record), hint=hint) from error
            self.malformed.append(record)
            return None


def _from_drop(text: str, parser: _RecordParser) -> Iterator[Passage]:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = "Give DROP's JSON. If each line is one record, name the file .jsonl."
        raise DataError(f"{parser.file}: not JSON: {error}", hint=hint) from error
    if not isinstance(raw, dict):
        hint = 'DROP\'s layout is {passage id: {"passage": ..., "qa_pairs": [...]}}.'
        raise DataError(f"{parser.file}: not an object of passages", hint=hint)
    for name, record in raw.items():
        parts = parser.parse(f"passage {name}", _passage_parts, name, record)
        if parts is not None:
            text, pairs, title = parts
            yield Passage(name, text, tuple(_questions(name, pairs, parser)), title)


def _questions(passage: str, pairs: list[Any], parser: _RecordParser) -> Iterator[Question]:
    for index, pair in enumerate(pairs, 1):
        location = f"passage {passage}, question {index}"
        question = parser.parse(location, _question, pair, f"{passage}-{index}")
        if question is not None:
            yield question


def _from_lines(text: str, parser: _RecordParser) -> Iterator[Passage]:
    """Read one question a line; lines with the same passage text become one passage."""
    by_text: dict[str, list[Question]] = {}
    # Not splitlines: a JSON string may contain the line separators of Unicode.
    for index, line in enumerate(text.split("\n"), 1):
        if line.strip():
            parts = parser.parse(f"line {index}", _line_parts, line, f"line-{index}")
            if parts is not None:
                by_text.setdefault(parts[0], []).append(parts[1])
    for index, (passage, questions) in enumerate(by_text.items(), 1):
        yield Passage(f"passage-{index}", passage, tuple(questions))


def _passage_parts(name: str, record: Any) -> tuple[str, list[Any], str]:
    _without_surrogates(name)
    fields = _object(record, "the passage record")
    return _string(fields, "passage"), _list(fields, "qa_pairs"), _text(fields.get("title"))


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
        id=_text(fields.get("query_id") or fields.get("id") or default_id),
        text=_string(fields, "question"),
        answers=tuple(answer for answer in map(_answer, answers) if answer != GoldAnswer()),
        kind=_choice(fields.get("kind"), KINDS, "kind"),
        evidence=_text(fields.get("evidence") or ""),
        source=_text(fields.get("source") or "gold"),
        augmented=bool(fields.get("augmented")),
        type=_choice(fields.get("type"), QUESTION_TYPES, "type"),
        asks=tuple(map(_ask, _list(fields, "asks") if fields.get("asks") else [])),
        unanswerable=bool(fields.get("unanswerable")),
        start=_start(fields.get("start")),
    )


def _ask(raw: Any) -> Ask:
    fields = _object(raw, "an entry of 'asks'")
    values = fields.get("values") or []
    if not isinstance(values, list):
        raise _RecordError("the values of an entry of 'asks' are not a list")
    return Ask(
        _text(fields.get("role")), _string(fields, "phrase").strip(), tuple(map(_text, values))
    )


def _start(raw: Any) -> int | None:
    """The character at which an answer begins. Answers without a place have none, or -1."""
    if raw is None:
        return None
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise _RecordError("'start' is not a whole number")
    return raw if raw >= 0 else None


def _answer(raw: Any) -> GoldAnswer:
    """Parse DROP's record of an answer, or a plain string, number or list of spans."""
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
        number=_text(fields.get("number")),
        spans=_spans(fields.get("spans") or []),
        date=(_text(date.get("day")), _text(date.get("month")), _text(date.get("year"))),
    )


def _spans(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(span, str) for span in raw):
        raise _RecordError("the answer's spans are not a list of strings")
    return tuple(_without_surrogates(span) for span in raw if span.strip())


def _choice(raw: Any, known: tuple[str, ...], name: str) -> str | None:
    if raw is not None and raw not in known:
        raise _RecordError(f"unknown {name} {raw!r}: {did_you_mean(str(raw), known)}")
    return raw if isinstance(raw, str) else None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?\d[\d,]*(\.\d+)?\s*", text) is not None


def _text(raw: Any) -> str:
    return "" if raw is None else _without_surrogates(str(raw).strip())


def _without_surrogates(text: str) -> str:
    """Reject text that JSON can contain but UTF-8 cannot encode."""
    if _SURROGATE.search(text):
        raise _RecordError("it contains half of a character (a lone surrogate)")
    return text


def _object(raw: Any, what: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise _RecordError(f"{what} is not an object")
    return raw


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not any(map(str.isalnum, value)):
        raise _RecordError(f"{name!r} is missing, empty or not text")
    return _without_surrogates(value)


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise _RecordError(f"{name!r} is missing or not a list")
    return value
