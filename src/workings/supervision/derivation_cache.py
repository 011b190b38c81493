"""Stores supervision on disk, as compact JSON in a file named after everything it depends on."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from workings.data.records import Passage
from workings.errors import DataError
from workings.files import read_text, write_atomically
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.supervision.module_lookup import declarations
from workings.values import Date, Timing

_PACKAGE = Path(__file__).parent.parent

# Modules are listed for their class attributes; those of other folders are in `declarations`.
SOURCES = (
    "program.py",
    "values/*.py",
    "arithmetic/*.py",
    "data/alternatives.py",
    "data/records.py",
    "data/content_words.py",
    "modules/*.py",
    "supervision/*.py",
)


def cache_name(passages: Iterable[Passage], package: Path = _PACKAGE) -> str:
    """A file name that changes with the passages, the registered modules and the source files.

    Args:
        passages: The passages.
        package: The folder of the package ``workings``.
    """
    digest = hashlib.sha256()
    for source in source_files(package):
        digest.update(source.read_bytes())
    for declaration in declarations():
        digest.update(declaration.encode())
    for passage in passages:
        digest.update(repr(passage).encode("utf-8", "surrogatepass"))
    return f"supervision-{digest.hexdigest()[:32]}.json.gz"


def source_files(package: Path = _PACKAGE) -> list[Path]:
    """The source files whose change may change derivations."""
    return sorted(path for pattern in SOURCES for path in package.glob(pattern))


def load(path: Path) -> dict[str, Supervision] | None:
    """Load a saved file; None if it does not exist or is damaged."""
    try:
        raw = json.loads(read_text(path))
        return {name: _from_row(row) for name, row in raw.items()}
    except (DataError, ValueError, TypeError, AttributeError):
        return None


def save(path: Path, supervisions: Mapping[str, Supervision]) -> None:
    """Save the supervision of questions by their ids. The file is written atomically."""
    rows = {name: _to_row(supervision) for name, supervision in supervisions.items()}
    text = json.dumps(rows, separators=(",", ":"))
    with write_atomically(path) as file:
        file.write(gzip.compress(text.encode(), compresslevel=1, mtime=0))


def _to_row(supervision: Supervision) -> list[Any]:
    return [
        [
            [derivation.program, list(map(_target_to_row, derivation.targets)),
             derivation.from_evidence]
            for derivation in supervision.derivations
        ],
        supervision.count,
        supervision.spans,
        supervision.question_spans,
        [str(number) for number in supervision.numbers],
        [_date_to_row(date) for date in supervision.dates],
    ]  # fmt: skip


def _from_row(row: list[Any]) -> Supervision:
    derivations, count, spans, question_spans, numbers, dates = row
    return Supervision(
        derivations=tuple(
            Derivation(program, tuple(map(_target_from_row, targets)), from_evidence)
            for program, targets, from_evidence in derivations
        ),
        count=count,
        spans=_spans(spans),
        question_spans=_spans(question_spans),
        numbers=tuple(map(Fraction, numbers)),
        dates=tuple(Date(*date) for date in dates),
    )


def _target_to_row(target: StepTarget) -> list[Any]:
    numbers = [str(number) for number in target.numbers]
    members = [str(number) for number in target.members]
    timings = [[str(timing.seconds), *_flags(timing)] for timing in target.timings]
    dates = list(map(_date_to_row, target.dates))
    return [target.step, numbers, dates, target.spans, members, timings]


def _target_from_row(row: list[Any]) -> StepTarget:
    step, numbers, dates, spans, members, timings = row
    return StepTarget(
        step,
        tuple(map(Fraction, numbers)),
        tuple(Date(*date) for date in dates),
        _spans(spans),
        tuple(map(Fraction, members)),
        tuple(Timing(Fraction(seconds), *flags) for seconds, *flags in timings),
    )


def _flags(timing: Timing) -> tuple[bool, bool, bool]:
    return timing.is_duration, timing.is_half_day, timing.is_bare


def _date_to_row(date: Date) -> list[int | None]:
    return [date.year, date.month, date.day]


def _spans(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in rows)
