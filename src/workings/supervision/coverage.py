"""Coverage: how many questions of each kind have derivations, and how many by evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from workings.data.records import KINDS, Passage, Question
from workings.errors import DataError
from workings.supervision.derivation import Supervision


@dataclass(frozen=True, slots=True)
class Coverage:
    """The derivations of the questions of one kind.

    Attributes:
        kind: The kind, "none" or "all kinds".
        questions: The number of questions.
        derived: Those with a derivation.
        ambiguous: Those with several.
        median: The median number of derivations, of those that have any.
        with_evidence: The questions with evidence.
        narrowed: Those whose derivations come from evidence.
    """

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
    """Count derivations: a row for each kind that occurs, for questions of no kind, and for all."""
    kinds: dict[str, list[Question]] = {kind: [] for kind in (*KINDS, "none", "all kinds")}
    for question in (question for passage in passages for question in passage.questions):
        kinds[question.kind or "none"].append(question)
        if question.kind:
            kinds["all kinds"].append(question)
    return tuple(_row(kind, members, supervisions) for kind, members in kinds.items() if members)


def find_split(source: Path, split: str) -> Path:
    """The file of a split in a folder, or the source itself if it is a file.

    Raises:
        DataError: The folder has no file of the split.
    """
    if not source.is_dir():
        return source
    names = [
        f"{prefix}{split}.json{end}" for prefix in ("", "drop_dataset_") for end in (".gz", "")
    ]
    files = [source / name for name in names if (source / name).is_file()]
    if not files:
        hint = "Give another split with --split, or the path of a file."
        raise DataError(f"{source}: no {split}.json.gz and no {split}.json", hint=hint)
    return files[0]


def _row(kind: str, questions: list[Question], supervisions: Mapping[str, Supervision]) -> Coverage:
    supervised = [supervisions[question.id] for question in questions]
    counts = [supervision.count for supervision in supervised if supervision.derivations]
    return Coverage(
        kind=kind,
        questions=len(questions),
        derived=len(counts),
        ambiguous=sum(count > 1 for count in counts),
        median=median(counts) if counts else 0,
        with_evidence=sum(bool(question.evidence) for question in questions),
        narrowed=sum(
            any(derivation.from_evidence for derivation in supervision.derivations)
            for supervision in supervised
        ),
    )
