"""Coverage: how many questions have derivations, and how many by evidence, in groups."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from workings.data.records import KINDS, QUESTION_TYPES, Passage, Question
from workings.errors import DataError
from workings.supervision.derivation import Supervision


@dataclass(frozen=True, slots=True)
class Coverage:
    """The derivations of one group of questions.

    Attributes:
        kind: The name of the group: a kind, "none" or "all kinds"; a type or a source; or "all".
        questions: The number of questions.
        derived: Those with a derivation.
        ambiguous: Those with several.
        median: The median number of derivations, of those that have any.
        with_evidence: The questions with evidence.
        narrowed: Those whose derivations come from evidence.
        by: What the questions are grouped by: "kind", "type" or "source".
        one_program: Those whose derivations come from evidence and have a single program.
    """

    kind: str
    questions: int
    derived: int
    ambiguous: int
    median: float
    with_evidence: int
    narrowed: int
    by: str = "kind"
    one_program: int = 0


def coverage(
    passages: Iterable[Passage], supervisions: Mapping[str, Supervision]
) -> tuple[Coverage, ...]:
    """Count derivations by kind, and by type and source where the data have several of them.

    There is a row for each kind that occurs, for the questions of no kind and for all kinds; then
    for each type and for all questions; then for each source.
    """
    questions = [question for passage in passages for question in passage.questions]
    kinds: dict[str, list[Question]] = {kind: [] for kind in (*KINDS, "none", "all kinds")}
    for question in questions:
        kinds[question.kind or "none"].append(question)
        if question.kind:
            kinds["all kinds"].append(question)
    types = _grouped(questions, lambda question: question.type or "", QUESTION_TYPES)
    if types:
        types["all"] = questions
    sources = _grouped(questions, lambda question: question.source)
    groups = {"kind": kinds, "type": types, "source": sources if len(sources) > 1 else {}}
    return tuple(
        _row(by, name, members, supervisions)
        for by, named in groups.items()
        for name, members in named.items()
        if members
    )


def _grouped(
    questions: Iterable[Question], name: Callable[[Question], str], order: Iterable[str] = ()
) -> dict[str, list[Question]]:
    """The questions by a name, those of the given order first; an empty name is left out."""
    groups: dict[str, list[Question]] = {each: [] for each in order}
    for question in questions:
        groups.setdefault(name(question), []).append(question)
    return {each: members for each, members in groups.items() if each and members}


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


def _row(
    by: str, kind: str, questions: list[Question], supervisions: Mapping[str, Supervision]
) -> Coverage:
    supervised = [supervisions[question.id] for question in questions]
    counts = [supervision.count for supervision in supervised if supervision.derivations]
    return Coverage(
        kind=kind,
        questions=len(questions),
        derived=len(counts),
        ambiguous=sum(count > 1 for count in counts),
        median=median(counts) if counts else 0,
        with_evidence=sum(bool(question.evidence) for question in questions),
        narrowed=sum(map(_is_narrowed, supervised)),
        by=by,
        one_program=sum(
            _is_narrowed(supervision) and len({d.program for d in supervision.derivations}) == 1
            for supervision in supervised
        ),
    )


def _is_narrowed(supervision: Supervision) -> bool:
    return any(derivation.from_evidence for derivation in supervision.derivations)
