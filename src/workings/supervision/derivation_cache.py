"""Supervision kept on disk as compact JSON, under a name made from all it depends on."""

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
from workings.values import Date

# The code whose change may change what is derived.
_SOURCES = ("values/*.py", "data/deriv*.py", "data/evidence.py", "data/programs.py")


def cache_name(passages: Iterable[Passage]) -> str:
    """A name that changes with the passages and with the code that reads them."""
    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for source in sorted(path for pattern in _SOURCES for path in root.glob(pattern)):
        digest.update(source.read_bytes())
    for passage in passages:
        digest.update(repr(passage).encode("utf-8", "surrogatepass"))
    return f"supervision-{digest.hexdigest()[:32]}.json.gz"


def load(path: Path) -> dict[str, Supervision] | None:
    """What was saved under the path; nothing if it is absent or damaged."""
    try:
        raw = json.loads(read_text(path))
        return {name: _supervision(row) for name, row in raw.items()}
    except (DataError, ValueError, TypeError, AttributeError):
        return None


def save(path: Path, supervisions: Mapping[str, Supervision]) -> None:
    """Write aside, then rename: a broken run leaves no half-written file."""
    rows = {name: _row(supervision) for name, supervision in supervisions.items()}
    text = json.dumps(rows, separators=(",", ":"))
    with write_atomically(path) as file:
        file.write(gzip.compress(text.encode(), compresslevel=1, mtime=0))


def _row(supervision: Supervision) -> list[Any]:
    return [
        [[d.program, [_pick_row(pick) for pick in d.picks], d.narrowed]
         for d in supervision.derivations],
        supervision.count,
        supervision.spans,
        supervision.question_spans,
        [str(number) for number in supervision.numbers],
        [_date_row(date) for date in supervision.dates],
    ]  # fmt: skip


def _supervision(row: list[Any]) -> Supervision:
    derivations, count, spans, question_spans, numbers, dates = row
    return Supervision(
        derivations=tuple(
            Derivation(program, tuple(map(_pick, picks)), narrowed)
            for program, picks, narrowed in derivations
        ),
        count=count,
        spans=_spans(spans),
        question_spans=_spans(question_spans),
        numbers=tuple(map(Fraction, numbers)),
        dates=tuple(Date(*date) for date in dates),
    )


def _pick_row(pick: StepTarget) -> list[Any]:
    numbers = [str(number) for number in pick.numbers]
    return [pick.step, numbers, [_date_row(date) for date in pick.dates], pick.spans]


def _pick(row: list[Any]) -> StepTarget:
    step, numbers, dates, spans = row
    dated = tuple(Date(*date) for date in dates)
    return StepTarget(step, tuple(map(Fraction, numbers)), dated, _spans(spans))


def _date_row(date: Date) -> list[int | None]:
    return [date.year, date.month, date.day]


def _spans(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in rows)
