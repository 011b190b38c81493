"""Derivations: how each known answer can come out of the values of its passage."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from workings.data.records import GoldAnswer, Passage, Question
from workings.supervision import derivation_cache
from workings.supervision.case import Case, find_all
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.supervision.from_evidence import beyond_reach, by_evidence
from workings.supervision.from_search import by_search
from workings.supervision.text_search import text_of
from workings.values import Values, read_values

__all__ = ["MAX_KEPT", "Derivation", "StepTarget", "Supervision", "supervise", "supervise_all"]

MAX_KEPT = 64

# Called with the passages done and all there are.
Progress: TypeAlias = Callable[[int, int], None]

# Below this, starting processes takes longer than the work.
_WORTH_SHARING = 64


def supervise(passage: Passage, question: Question, values: Values) -> Supervision:
    """All that the first answer of a question says of how it is answered."""
    answer = question.answers[0] if question.answers else GoldAnswer()
    case = Case(text_of(passage.text), values, question, answer)
    derivations, count = _derivations(case)
    return Supervision(
        derivations=tuple(dict.fromkeys(derivations)),
        count=count,
        spans=case.spans,
        question_spans=find_all(text_of(question.text), answer.spans),
        numbers=() if case.number is None else (case.number,),
        dates=() if case.date is None else tuple(case.dates_like(case.date)),
    )


def supervise_all(
    passages: Sequence[Passage], *, cache: Path | None = None, progress: Progress | None = None
) -> dict[str, Supervision]:
    """The supervision of every question by its id, from the folder ``cache`` if it is there."""
    path = cache / derivation_cache.cache_name(passages) if cache else None
    found = derivation_cache.load(path) if path and path.exists() else None
    if found is None:
        found = _work(passages, progress)
        if path:
            derivation_cache.save(path, found)
    return found


def _work(passages: Sequence[Passage], progress: Progress | None) -> dict[str, Supervision]:
    found: dict[str, Supervision] = {}
    for done, supervised in enumerate(_spread(passages), 1):
        found.update(supervised)
        if progress:
            progress(done, len(passages))
    return found


def _spread(passages: Sequence[Passage]) -> Iterator[dict[str, Supervision]]:
    """Passage by passage, over all processors where there are many."""
    if len(passages) < _WORTH_SHARING:
        yield from map(_supervise_passage, passages)
        return
    with multiprocessing.Pool() as pool:
        yield from pool.imap(_supervise_passage, passages, chunksize=16)


def _supervise_passage(passage: Passage) -> dict[str, Supervision]:
    values = read_values(passage.text)
    return {question.id: supervise(passage, question, values) for question in passage.questions}


def _derivations(case: Case) -> tuple[list[Derivation], int]:
    """The derivations to keep, and how many there were."""
    plans = by_evidence(case)
    if plans:
        return [plan.derivation(narrowed=True) for plan in plans[:MAX_KEPT]], len(plans)
    drafts = [] if beyond_reach(case) else by_search(case)
    return [draft().derivation(narrowed=False) for draft in drafts[:MAX_KEPT]], len(drafts)
