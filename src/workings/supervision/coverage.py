"""How many questions of each kind have derivations, and what evidence adds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from workings.data.records import KINDS, Passage, Question
from workings.errors import DataError
from workings.supervision.derivation import Supervision


@dataclass(frozen=True, slots=True)
class Coverage:
    """The questions of one kind: how many can be derived, in how many ways, by what evidence."""

    kind: str
    questions: int
    derived: int
    ambiguous: int
    median: float
    with_evidence: int
    narrowed: int


def coverage(
    passages: Iterable[Passage], supervisions: Mapping[str, Supervision]
) -> tuple[Coverage, ...]:
    """One row for each kind there is, one for the questions of none, one for all kinds."""
    kinds: dict[str, list[Question]] = {kind: [] for kind in (*KINDS, "none", "all kinds")}
    for question in (question for passage in passages for question in passage.questions):
        kinds[question.kind or "none"].append(question)
        if question.kind:
            kinds["all kinds"].append(question)
    return tuple(_row(kind, found, supervisions) for kind, found in kinds.items() if found)


def find_split(source: Path, split: str) -> Path:
    """The file of a split in a folder, or the source itself where it is a file."""
    if not source.is_dir():
        return source
    names = [
        f"{prefix}{split}.json{end}" for prefix in ("", "drop_dataset_") for end in (".gz", "")
    ]
    found = [source / name for name in names if (source / name).is_file()]
    if not found:
        hint = "Name one of the folder's splits with --split, or give the path of a file."
        raise DataError(f"{source}: no {split}.json.gz and no {split}.json", hint=hint)
    return found[0]


def _row(kind: str, questions: list[Question], supervisions: Mapping[str, Supervision]) -> Coverage:
    found = [supervisions[question.id] for question in questions]
    counts = [supervision.count for supervision in found if supervision.derivations]
    narrowed = [any(d.narrowed for d in supervision.derivations) for supervision in found]
    return Coverage(
        kind=kind,
        questions=len(questions),
        derived=len(counts),
        ambiguous=sum(count > 1 for count in counts),
        median=median(counts) if counts else 0,
        with_evidence=sum(bool(question.evidence) for question in questions),
        narrowed=sum(narrowed),
    )
