"""Interventions: does the answer follow when the output of one step is replaced?

The same program runs on with the replaced output, and all other computations stay as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import torch

from workings.analysis.alignment import align_steps
from workings.analysis.replacements import Replacement, replacements
from workings.analysis.step_values import Value, likeliest_value
from workings.data.alternatives import split_alternatives
from workings.data.content_words import content_words
from workings.data.records import Passage, Question
from workings.encoder.encoding import Encoding
from workings.evaluation.prediction import predict
from workings.inference.decoding import Prediction, decode, normalised_words
from workings.inference.ranking import Candidate
from workings.network.interpreter import Intervention, Step
from workings.network.network import Network
from workings.ops.results import Attention, Result
from workings.values import Date

_BATCH_SIZE = 8  # replacements that run together


@dataclass(frozen=True)
class Outcome:
    """The effect on an answer of replacing the output of one step.

    Attributes:
        module: Name of the step's module.
        replacement: Name of the replacement.
        kind: Kind of the question; "other" if it has none.
        question: The question.
        program: The program that ran.
        words: The words that the step attended to instead.
        before: The answer without a replacement.
        after: The answer with it.
        changed: Whether the two differ.
        followed: Whether the answer became the one that the replacement leads to.
        followed_alone: The same if the replaced output has no attention over the question.
    """

    module: str
    replacement: str
    kind: str
    question: str
    program: str
    words: str
    before: str
    after: str
    changed: bool
    followed: bool
    followed_alone: bool


def measure_interventions(
    network: Network, passages: Sequence[Passage], *, seed: int = 0
) -> Iterator[list[Outcome]]:
    """Answer every question and replace the outputs of its steps, one at a time.

    Args:
        network: The network.
        passages: Passages with questions.
        seed: Seed of the choice of places.

    Yields:
        The outcomes of one question.
    """
    for question, candidates in predict(network, passages):
        random = Random(f"{seed} {question.id}")
        yield intervene(network, question, candidates[0], random) if candidates else []


@torch.inference_mode()
def intervene(
    network: Network, question: Question, candidate: Candidate, random: Random
) -> list[Outcome]:
    """Replace the outputs of a candidate's steps, one at a time.

    Args:
        network: The network that made the candidate.
        question: The question.
        candidate: A program with its execution.
        random: Draws the places of the replacements.
    """
    execution, row = candidate.execution, candidate.row
    passage = execution.encoding.inputs[row]
    made = replacements(execution.step, row, passage, candidate.answer, random)
    outcomes: list[Outcome] = []
    for start in range(0, len(made), _BATCH_SIZE):
        outcomes += _run(network, question, candidate, made[start : start + _BATCH_SIZE])
    return outcomes


def _run(
    network: Network, question: Question, candidate: Candidate, made: Sequence[Replacement]
) -> list[Outcome]:
    """Run a program once for all its replacements.

    The first row is left as it is. Then each replacement has a row with the question part of its
    step, and a row without.
    """
    count = 1 + 2 * len(made)
    encoding = candidate.execution.encoding.select([candidate.row] * count)
    attention = [step.expand(count, -1) for step in candidate.scored.question_attention]
    changes: dict[int, list[tuple[int, Replacement, bool]]] = {}
    for index, replacement in enumerate(made):
        rows = changes.setdefault(replacement.position, [])
        rows += (1 + index, replacement, True), (1 + len(made) + index, replacement, False)
    program = candidate.scored.program
    steps = sum(1 for _ in program.walk())
    interventions = {position: _intervention(rows) for position, rows in changes.items()}
    root: Step = network.interpreter(
        program, encoding, attention[:steps], interventions=interventions
    )
    judge = _Judge(question, root, encoding)
    return [
        judge.outcome(replacement, 1 + index, 1 + len(made) + index)
        for index, replacement in enumerate(made)
    ]


def _intervention(rows: Sequence[tuple[int, Replacement, bool]]) -> Intervention:
    """Replace some rows of an attention, each with or without its question part."""

    def replace(output: Result) -> Result:
        assert isinstance(output, Attention)
        passage, question = output.passage.clone(), output.question.clone()
        for row, replacement, keep_question in rows:
            passage[row] = replacement.passage
            if not keep_question:
                question[row] = 0
            elif replacement.question is not None:
                question[row] = replacement.question
        return Attention(passage, question)

    return replace


@dataclass(frozen=True)
class _Judge:
    """Compares the answers of a run with the one of its first row, which has no replacement."""

    question: Question
    root: Step
    encoding: Encoding

    def outcome(self, replacement: Replacement, row: int, row_alone: int) -> Outcome:
        before, after = self._answer(0), self._answer(row)
        return Outcome(
            module=replacement.module,
            replacement=replacement.name,
            kind=self.question.kind or "other",
            question=self.question.text,
            program=str(self.root.program),
            words=replacement.words,
            before=str(before),
            after=str(after),
            changed=_differs(before, after),
            followed=self._followed(replacement, row),
            followed_alone=self._followed(replacement, row_alone),
        )

    def _answer(self, row: int) -> Prediction:
        return decode(self.root.output, self.encoding, row)

    def _followed(self, replacement: Replacement, row: int) -> bool:
        """Whether a row has the answer that its replacement leads to."""
        before, after = self._answer(0), self._answer(row)
        if not _differs(before, after):
            return False
        if (
            replacement.value is not None
            and self._value_read(replacement, row) != replacement.value
        ):
            return False
        if replacement.answer is not None:
            return _is_answer(after, replacement.answer)
        if replacement.place is not None:
            start, end = replacement.place
            places = (place for place in after.places if place[0] == "passage")
            return any(first < end and start < last for _, first, last in places)
        return not replacement.flips or self._is_other_option(before, after)

    def _value_read(self, replacement: Replacement, row: int) -> Value | None:
        step = list(self.root.walk())[replacement.position]
        aligned = next(each for each in align_steps(self.root, {}) if each.step is step)
        values = aligned.consumer.values_read
        assert values is not None
        return likeliest_value(values, self.encoding.inputs[row], row)

    def _is_other_option(self, before: Prediction, after: Prediction) -> bool:
        """Whether the answer is the other option, if the words of both answers decide it."""
        options = split_alternatives(self.question.text)
        if options is None:
            return True
        first, second = (_option(answer, options.texts) for answer in (before, after))
        return first is None or second is None or first != second


def _differs(before: Prediction, after: Prediction) -> bool:
    return [*map(normalised_words, before.texts)] != [*map(normalised_words, after.texts)]


def _is_answer(prediction: Prediction, value: Value) -> bool:
    if isinstance(value, Date):
        return prediction.texts == (str(value),)
    return prediction.value == value


def _option(answer: Prediction, options: tuple[str, str]) -> int | None:
    """The option that shares more words with an answer; None if both share as many."""
    words = content_words(str(answer))
    shared = [len(words & content_words(option)) for option in options]
    return None if shared[0] == shared[1] else shared.index(max(shared))
