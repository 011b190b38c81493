"""Question words: whether each step attends to the words that ask for its result."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from torch import Tensor

from workings.analysis.alignment import AlignedStep, align_steps
from workings.analysis.step_values import likeliest_value
from workings.analysis.word_removal import top_words
from workings.data.asked_values import asks_for
from workings.data.content_words import content_words
from workings.data.records import Ask, Passage
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import DataError
from workings.evaluation.prediction import predict
from workings.files import write_atomically
from workings.inference.ranking import Candidate
from workings.modules import REGISTRY
from workings.modules.filter import Filter
from workings.network.network import Network


@dataclass(frozen=True)
class StepWords:
    """The question attention of one step.

    Attributes:
        module: Name of the module.
        role: Role of the annotated phrase; empty if the step has none.
        on_phrase: Share of the attention on the phrase; None if there is none.
        even: Share that a uniform distribution over the question has there.
        stop_word_first: Whether the word with the largest weight is a stop word or punctuation.
    """

    module: str
    role: str
    on_phrase: float | None
    even: float | None
    stop_word_first: bool


@dataclass(frozen=True)
class QuestionWords:
    """The question attention of the steps of one module and role.

    Attributes:
        module: Name of the module.
        role: Role of the annotated phrases; empty if the steps have none.
        steps: Number of steps.
        on_phrase: Mean share of the attention on the phrase.
        even: Mean share that a uniform distribution has there.
        stop_word_first: Share of the steps whose word with the largest weight is a stop word.
    """

    module: str
    role: str
    steps: int
    on_phrase: float | None
    even: float | None
    stop_word_first: float

    def to_json(self) -> dict[str, Any]:
        """The means as plain data."""
        return asdict(self)


def annotated_questions(passages: Sequence[Passage]) -> list[Passage]:
    """The passages with their annotated questions only.

    Raises:
        DataError: If no question is annotated.
    """
    kept = (
        replace(passage, questions=tuple(q for q in passage.questions if q.asks))
        for passage in passages
    )
    annotated = [passage for passage in kept if passage.questions]
    if not annotated:
        hint = "Give a file in DROP's layout whose questions have the field `asks`."
        raise DataError("No question has annotated phrases.", hint=hint)
    return annotated


def measure_question_words(
    network: Network, passages: Sequence[Passage]
) -> Iterator[list[StepWords]]:
    """Measure the steps of every question that read the question.

    Args:
        network: The network.
        passages: Passages with annotated questions.

    Yields:
        The measurements of one question.
    """
    for question, candidates in predict(network, passages):
        yield list(step_words(candidates[0], question.asks)) if candidates else []


def step_words(candidate: Candidate, asks: Sequence[Ask]) -> Iterator[StepWords]:
    """Yield the measurements of the steps that read the question, inputs first.

    Args:
        candidate: A program with its execution.
        asks: The annotated phrases of its question.
    """
    encoding, row = candidate.execution.encoding, candidate.row
    tokens, passage = encoding.questions[row], encoding.inputs[row]
    filtered = any(step.name == Filter.name for step in candidate.scored.program.walk())
    # Without a filter, the find selects by the conditions too.
    things = ("find",) if filtered else ("find", "filter")
    for aligned in align_steps(candidate.execution.step, {}):
        name = aligned.step.program.name
        if not REGISTRY[name].uses_question:
            continue
        weights = aligned.step.question_attention[row, : len(tokens)].detach().float().cpu()
        stop_word_first = _is_stop_word_first(tokens, weights)
        found = _phrases(aligned, asks, things, passage, row)
        positions = _positions(tokens, [ask.phrase for ask in found])
        if not positions:
            yield StepWords(name, "", None, None, stop_word_first)
            continue
        on_phrase, even = float(weights[positions].sum()), len(positions) / len(tokens)
        yield StepWords(name, found[0].role, on_phrase, even, stop_word_first)


def _phrases(
    aligned: AlignedStep,
    asks: Sequence[Ask],
    things: Sequence[str],
    passage: PassageInput,
    row: int,
) -> list[Ask]:
    """The phrases that a step should attend to.

    These are the conditions for a filter, the phrases of its value for a find from which a value is
    read, and the kind of thing for any other find.
    """
    if aligned.step.inputs:
        return [ask for ask in asks if aligned.module.keeps_place and ask.role == "filter"]
    read = aligned.consumer.values_read
    if read is None:
        return [ask for ask in asks if ask.role in things]
    value = likeliest_value(read, passage, row)
    if value is None:
        return []
    return [ask for ask in asks if asks_for(ask, value)]


def _positions(tokens: TokenizedText, phrases: Iterable[str]) -> list[int]:
    """The question tokens of the first occurrence of each phrase."""
    positions: set[int] = set()
    for phrase in phrases:
        start = tokens.text.find(phrase) if phrase else -1
        if start >= 0:
            first, last = tokens.locate(start, start + len(phrase))
            positions.update(range(first, last + 1))
    return sorted(positions)


def _is_stop_word_first(tokens: TokenizedText, weights: Tensor) -> bool:
    words = top_words(tokens, weights.tolist())
    return not words or not content_words(tokens.text[slice(*words[0])])


def summarise_question_words(measured: Iterable[StepWords]) -> list[QuestionWords]:
    """Average the measurements by module and role."""
    groups: dict[tuple[str, str], list[StepWords]] = {}
    for step in measured:
        groups.setdefault((step.module, step.role), []).append(step)
    return [
        QuestionWords(
            module,
            role,
            len(steps),
            on_phrase=_mean([step.on_phrase for step in steps]),
            even=_mean([step.even for step in steps]),
            stop_word_first=fmean(step.stop_word_first for step in steps),
        )
        for (module, role), steps in sorted(groups.items())
    ]


def _mean(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return fmean(known) if known else None


def write_question_words(folder: Path, rows: Sequence[QuestionWords]) -> None:
    """Write ``asks.json`` into a folder."""
    with write_atomically(folder / "asks.json") as file:
        file.write(json.dumps([row.to_json() for row in rows], indent=1).encode())
