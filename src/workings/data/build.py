"""Builds the paper's dataset from DROP: labels kinds, augments the training split, counts."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workings.data.augment import augment
from workings.data.kinds import operand_counts, with_kinds
from workings.data.records import GoldAnswer, MalformedRecord, Passage, Question, read_passages
from workings.errors import DataError
from workings.files import check_output, write_atomically

# The paper's data table as printed. Its kinds do not quite sum to its "all", and a question may be
# counted under "2 numbers" and under "3 numbers".
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
# The rows of the counts; "made" counts augmented questions.
COUNT_ROWS = (*_PAPER, "made")

_TRAIN = "train"
_ENDINGS = (".json", ".json.gz", ".jsonl", ".jsonl.gz")

# Iterates over passages while showing progress, given a title and the number of passages.
TrackPassages = Callable[[Iterable[Passage], str, int], Iterable[Passage]]


@dataclass(frozen=True, slots=True)
class BuiltSplit:
    """One file of the built dataset.

    Attributes:
        name: The name of the split, such as "train".
        path: The file written.
        passages: The number of passages.
        questions: The number of questions.
        counts: The number of questions of each row of ``COUNT_ROWS`` that occurs.
        malformed: The records that were skipped.
    """

    name: str
    path: Path
    passages: int
    questions: int
    counts: dict[str, int]
    malformed: tuple[MalformedRecord, ...]


def build(
    source: Path, out: Path, *, strict: bool = False, track: TrackPassages | None = None
) -> list[BuiltSplit]:
    """Build every file of a folder: label question kinds, and augment the training split.

    Args:
        source: A folder with DROP's files.
        out: The folder to write to; not ``source``.
        strict: Whether to raise at the first malformed record instead of skipping it.
        track: Wraps the iteration over the passages of each file, to show progress.

    Raises:
        DataError: ``source`` has no readable data files, or is the same folder as ``out``.
    """
    if out.resolve() == source.resolve():
        hint = "Choose another folder for --out, so that the source is not overwritten."
        raise DataError(f"{out} is the source folder", hint=hint)
    splits = _find_splits(source)
    for name in splits:
        check_output(_target(out, name), *splits.values())
    return [
        _build_split(name, path, _target(out, name), strict, track or _no_tracking)
        for name, path in splits.items()
    ]


def _target(out: Path, name: str) -> Path:
    """The file to write for a split."""
    return out / f"{name}.json.gz"


def paper_count(row: str, split: str) -> int | None:
    """The paper's count for a row and a split; None if its table has none."""
    if row not in _PAPER or split not in _PAPER_SPLITS:
        return None
    return _PAPER[row][_PAPER_SPLITS.index(split)]


def write_drop(path: Path, passages: Iterable[Passage]) -> None:
    """Write passages in DROP's layout, gzipped. The same passages give the same bytes."""
    records = {passage.id: _passage_record(passage) for passage in passages}
    raw = json.dumps(records, ensure_ascii=False).encode()
    with write_atomically(path) as file:
        file.write(gzip.compress(raw, compresslevel=6, mtime=0))


def _no_tracking(passages: Iterable[Passage], _title: str, _total: int) -> Iterable[Passage]:
    return passages


def _find_splits(source: Path) -> dict[str, Path]:
    """The data files of a folder by split name, in the order of the paper's table."""
    try:
        paths = sorted(path for path in source.iterdir() if path.name.endswith(_ENDINGS))
    except OSError as error:
        hint = "Give a folder with DROP's files. `workings data download` makes one."
        raise DataError(f"{source}: {error.strerror}", hint=hint) from error
    splits: dict[str, Path] = {}
    for path in paths:
        name = path.name.partition(".json")[0].removeprefix("drop_dataset_")
        if name in splits:
            hint = "Keep one file for each split in the folder."
            raise DataError(f"{splits[name].name} and {path.name} are the same split", hint=hint)
        splits[name] = path
    if not splits:
        hint = "Give a folder of .json or .jsonl files. `workings data download` fetches DROP."
        raise DataError(f"{source}: no data files", hint=hint)
    names = [name for name in _PAPER_SPLITS if name in splits]
    return {name: splits[name] for name in dict.fromkeys([*names, *splits])}


def _build_split(
    name: str, path: Path, target: Path, strict: bool, track: TrackPassages
) -> BuiltSplit:
    loaded = read_passages(path, strict=strict)
    prepared: list[Passage] = []
    counts: Counter[str] = Counter()
    for passage in track(with_kinds(loaded.passages), name, len(loaded.passages)):
        prepared.append(augment(passage) if name == _TRAIN else passage)
        counts.update(_count_rows(prepared[-1]))
    write_drop(target, prepared)
    questions = sum(len(passage.questions) for passage in prepared)
    return BuiltSplit(name, target, len(prepared), questions, dict(counts), loaded.malformed)


def _count_rows(passage: Passage) -> Iterator[str]:
    """The rows under which the questions of a passage are counted."""
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
    record = {"passage": passage.text, "qa_pairs": list(map(_question_record, passage.questions))}
    return record | ({"title": passage.title} if passage.title else {})


def _question_record(question: Question) -> dict[str, Any]:
    """DROP's own fields, and those of our fields that are set."""
    answers = _answer_records(question.answers)
    extra = {
        "source": question.source,
        "kind": question.kind,
        "evidence": question.evidence,
        "augmented": question.augmented,
        "type": question.type,
        "asks": list(map(asdict, question.asks)),
        "unanswerable": question.unanswerable,
    }
    start = {} if question.start is None else {"start": question.start}
    return {
        "query_id": question.id,
        "question": question.text,
        **({"answer": answers[0], "validated_answers": answers[1:]} if answers else {}),
        **{name: value for name, value in extra.items() if value},
        **start,
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
