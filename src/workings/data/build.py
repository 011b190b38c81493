"""The paper's dataset from DROP's files: kinds told, training augmented, all of it counted."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings.data.augment import augment
from workings.data.kinds import operand_counts, with_kinds
from workings.data.records import GoldAnswer, MalformedRecord, Passage, Question, read_passages
from workings.errors import DataError
from workings.files import write_atomically

# The paper's data table as printed: its kinds do not quite sum to its "all", and a question may
# be among those of two numbers and those of three.
_PAPER_SPLITS = ("train", "dev", "test")
_PAPER: dict[str, tuple[int, int, int]] = {
    "date-compare": (3505, 91, 333),
    "date-difference": (3055, 75, 313),
    "number-compare": (2642, 157, 632),
    "extract-number": (3349, 57, 222),
    "count": (4527, 73, 288),
    "extract-argument": (3467, 51, 208),
    "add-sub": (4689, 124, 553),
    "2 numbers": (4440, 106, 505),
    "3 numbers": (259, 24, 66),
    "all": (25165, 623, 2547),
}
COUNTED = (*_PAPER, "made")

_TRAIN = "train"
_ENDINGS = (".json", ".json.gz", ".jsonl", ".jsonl.gz")

ProgressCallback = Callable[[Iterable[Passage], str, int], Iterable[Passage]]
"""Passes passages on, given a title and how many there are; a progress bar looks on so."""


@dataclass(frozen=True, slots=True)
class BuiltSplit:
    """One file of the dataset as built, and how many questions of each sort are in it."""

    name: str
    path: Path
    passages: int
    questions: int
    counts: dict[str, int]
    faults: tuple[MalformedRecord, ...]


def build(
    source: Path, out: Path, *, strict: bool = False, watch: ProgressCallback | None = None
) -> list[BuiltSplit]:
    """Build each of DROP's files in ``source`` into a file of ``out``; training is augmented."""
    if out.resolve() == source.resolve():
        hint = "Choose another folder for --out, so that the source stays as it is."
        raise DataError(f"{out}: this is the source folder", hint=hint)
    return [
        _build_split(name, path, out / f"{name}.json.gz", strict, watch or _unwatched)
        for name, path in _find(source).items()
    ]


def paper_count(row: str, split: str) -> int | None:
    """How many questions of a sort the paper has in a split, where it says."""
    if row not in _PAPER or split not in _PAPER_SPLITS:
        return None
    return _PAPER[row][_PAPER_SPLITS.index(split)]


def write_drop(path: Path, passages: Iterable[Passage]) -> None:
    """Write passages in DROP's layout, gzipped; equal passages make equal files."""
    records = {passage.id: _passage_record(passage) for passage in passages}
    raw = json.dumps(records, ensure_ascii=False).encode()
    with write_atomically(path) as file:
        file.write(gzip.compress(raw, compresslevel=6, mtime=0))


def _unwatched(passages: Iterable[Passage], _title: str, _total: int) -> Iterable[Passage]:
    return passages


def _find(source: Path) -> dict[str, Path]:
    """The data files of a folder by the name of their split, in the order of the paper's table."""
    try:
        paths = sorted(path for path in source.iterdir() if path.name.endswith(_ENDINGS))
    except OSError as error:
        hint = "Give the folder that holds DROP's files; `workings data download` makes one."
        raise DataError(f"{source}: {error.strerror}", hint=hint) from error
    found: dict[str, Path] = {}
    for path in paths:
        name = path.name.partition(".json")[0].removeprefix("drop_dataset_")
        if name in found:
            hint = "Keep one file for each split in the folder."
            raise DataError(f"{found[name].name} and {path.name} are one split", hint=hint)
        found[name] = path
    if not found:
        hint = "`workings data download` fetches DROP; a folder of .json or .jsonl files will do."
        raise DataError(f"{source}: no data files", hint=hint)
    names = [name for name in _PAPER_SPLITS if name in found]
    return {name: found[name] for name in dict.fromkeys([*names, *found])}


def _build_split(
    name: str, path: Path, target: Path, strict: bool, watch: ProgressCallback
) -> BuiltSplit:
    reading = read_passages(path, strict=strict)
    prepared: list[Passage] = []
    counts: Counter[str] = Counter()
    for passage in watch(with_kinds(reading.passages), name, len(reading.passages)):
        prepared.append(augment(passage) if name == _TRAIN else passage)
        counts.update(_labels(prepared[-1]))
    write_drop(target, prepared)
    questions = sum(len(passage.questions) for passage in prepared)
    return BuiltSplit(name, target, len(prepared), questions, dict(counts), reading.faults)


def _labels(passage: Passage) -> Iterator[str]:
    """All that each question of a passage is counted under."""
    for question in passage.questions:
        if question.kind is not None:
            yield from (question.kind, "all")
        if question.kind == "add-sub":
            answer = next(iter(question.answers), None)
            for count in operand_counts(question.text, answer, passage.text):
                yield f"{count} numbers"
        if question.augmented:
            yield "made"


def _passage_record(passage: Passage) -> dict[str, Any]:
    return {"passage": passage.text, "qa_pairs": list(map(_question_record, passage.questions))}


def _question_record(question: Question) -> dict[str, Any]:
    """DROP's own fields, and of ours those that say something."""
    answers = _answer_records(question.answers)
    ours = {
        "source": question.source,
        "kind": question.kind,
        "evidence": question.evidence,
        "augmented": question.augmented,
    }
    return {
        "query_id": question.id,
        "question": question.text,
        **({"answer": answers[0], "validated_answers": answers[1:]} if answers else {}),
        **{name: value for name, value in ours.items() if value},
    }


def _answer_records(answers: Sequence[GoldAnswer]) -> list[dict[str, Any]]:
    return [
        {
            "number": answer.number,
            "date": dict(zip(("day", "month", "year"), answer.date, strict=True)),
            "spans": list(answer.spans),
        }
        for answer in answers
    ]
