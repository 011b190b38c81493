"""Derives the supervision of questions from their gold answers."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from workings.data.records import GoldAnswer, Passage, Question
from workings.supervision import derivation_cache
from workings.supervision.case import Case, find_all
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.supervision.from_evidence import is_out_of_reach
from workings.supervision.from_search import derive_from_search
from workings.supervision.from_types import derive_from_evidence
from workings.supervision.module_lookup import has_added_modules
from workings.supervision.text_search import SearchableText
from workings.values import Values, read_values

__all__ = [
    "MAX_DERIVATIONS",
    "Derivation",
    "StepTarget",
    "Supervision",
    "supervise",
    "supervise_all",
]

# The most derivations that are stored for a question.
MAX_DERIVATIONS = 64

# Called with the number of passages done and their total.
PassageProgress: TypeAlias = Callable[[int, int], None]

# For fewer passages, starting processes takes longer than the work.
_MIN_PASSAGES_TO_SHARE = 64


def supervise(passage: Passage, question: Question, values: Values) -> Supervision:
    """Derive the supervision of one question from its first answer.

    Args:
        passage: The passage.
        question: The question; without answers, the supervision is empty.
        values: The numbers and dates of the passage.
    """
    answer = question.answers[0] if question.answers else GoldAnswer()
    case = Case(SearchableText.cached(passage.text), values, question, answer)
    derivations, count = _derivations(case)
    return Supervision(
        derivations=tuple(dict.fromkeys(derivations)),
        count=count,
        spans=case.answer_spans,
        question_spans=find_all(SearchableText.cached(question.text), answer.spans),
        numbers=_numbers(case, derivations),
        dates=() if case.answer_date is None else tuple(case.dates_like(case.answer_date)),
    )


def supervise_all(
    passages: Sequence[Passage],
    *,
    cache: Path | None = None,
    progress: PassageProgress | None = None,
) -> dict[str, Supervision]:
    """Derive the supervision of every question, in parallel for many passages.

    Args:
        passages: The passages.
        cache: A folder from which results are loaded, and in which they are saved.
        progress: Called after each passage.

    Returns:
        The supervision of each question, by question id.
    """
    path = cache / derivation_cache.cache_name(passages) if cache else None
    supervisions = derivation_cache.load(path) if path and path.exists() else None
    if supervisions is None:
        supervisions = _derive_all(passages, progress)
        if path:
            derivation_cache.save(path, supervisions)
    return supervisions


def _derive_all(
    passages: Sequence[Passage], progress: PassageProgress | None
) -> dict[str, Supervision]:
    supervisions: dict[str, Supervision] = {}
    for done, of_passage in enumerate(_by_passage(passages), 1):
        supervisions.update(of_passage)
        if progress:
            progress(done, len(passages))
    return supervisions


def _by_passage(passages: Sequence[Passage]) -> Iterator[dict[str, Supervision]]:
    """The supervision of each passage in order; many passages are shared among processes."""
    if len(passages) < _MIN_PASSAGES_TO_SHARE or not _workers_have_all_modules():
        yield from map(_supervise_passage, passages)
        return
    with multiprocessing.Pool() as pool:
        yield from pool.imap(_supervise_passage, passages, chunksize=16)


def _workers_have_all_modules() -> bool:
    """A process that is not forked has only the modules of the package."""
    return multiprocessing.get_start_method() == "fork" or not has_added_modules()


def _supervise_passage(passage: Passage) -> dict[str, Supervision]:
    values = read_values(passage.text)
    return {question.id: supervise(passage, question, values) for question in passage.questions}


def _numbers(case: Case, derivations: Sequence[Derivation]) -> tuple[Fraction, ...]:
    """The answer, and the exact results of derivations of which it is the rounded value."""
    if case.answer_number is None:
        return ()
    roots = (target for each in derivations for target in each.targets if target.step == 0)
    results = (target.numbers[0] for target in roots if len(target.numbers) == 1)
    exact = (result for result in results if case.accepts(result))
    return tuple(dict.fromkeys((case.answer_number, *exact)))


def _derivations(case: Case) -> tuple[list[Derivation], int]:
    """The derivations to store, and the number of derivations that exist."""
    plans = derive_from_evidence(case)
    if plans:
        stored = plans[:MAX_DERIVATIONS]
        return [plan.derivation(from_evidence=True) for plan in stored], len(plans)
    builders = [] if is_out_of_reach(case) else derive_from_search(case)
    built = [build().derivation(from_evidence=False) for build in builders[:MAX_DERIVATIONS]]
    return built, len(builders)
