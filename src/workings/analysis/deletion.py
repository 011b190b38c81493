"""Deletion and insertion curves: how much of an answer remains without words of its passage."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from workings.analysis.word_removal import MAX_WORDS, Word, mask_token_id, remove_words
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction
from workings.inference.ranking import Candidate, answer_candidates
from workings.network.network import Network
from workings.ops.grounding import EPSILON
from workings.ops.results import Dates, Numbers, Result, Span, Spans
from workings.peers import Model
from workings.program import Program

RemovedWords = frozenset[Word]
# Returns the share of the answer that remains without each set of words.
Retention = Callable[[Sequence[RemovedWords]], list[float]]
CurvePair = tuple[list[float], list[float]]  # for the step's own words, for random words

_BATCH_SIZE = 16


@dataclass(frozen=True)
class Curves:
    """The remaining share of an answer by the number of words removed or put back.

    Attributes:
        deletion: Shares after removing words, those with the largest weights first.
        insertion: Shares after removing both lists of words and putting words of one list back.
        sizes: The numbers of words.
    """

    deletion: CurvePair
    insertion: CurvePair
    sizes: ClassVar[tuple[int, ...]] = (1, 2, 4, MAX_WORDS)

    @property
    def deletion_area(self) -> float:
        """Mean loss without the step's own words, less the mean loss without random words."""
        return _area(*self.deletion[::-1])

    @property
    def insertion_area(self) -> float:
        """Mean gain from the step's own words, less the mean gain from random words."""
        return _area(*self.insertion)


def _area(upper: Sequence[float], lower: Sequence[float]) -> float:
    return sum(a - b for a, b in zip(upper, lower, strict=True)) / len(upper)


def measure_curves(own: Sequence[Word], random: Sequence[Word], retention: Retention) -> Curves:
    """Measure the deletion and insertion curves of a step.

    Args:
        own: The step's own words, largest weight first.
        random: Random words of the same types.
        retention: Measures the remaining share; each distinct set of words is measured once.
    """
    both, sizes = frozenset((*own, *random)), Curves.sizes
    deleted = [[frozenset(words[:size]) for size in sizes] for words in (own, random)]
    inserted = [[both - words for words in row] for row in deleted]
    distinct = list(dict.fromkeys(words for row in (*deleted, *inserted) for words in row))
    shares = dict(zip(distinct, retention(distinct), strict=True))
    deletion, insertion = (
        [[shares[words] for words in row] for row in rows] for rows in (deleted, inserted)
    )
    return Curves((deletion[0], deletion[1]), (insertion[0], insertion[1]))


def probability_retention(network: Network, candidate: Candidate) -> Retention:
    """Measure the probability of the same answer by the same program, as a share of the original.

    Shares are at most 1.
    """
    encoding, program = candidate.execution.encoding, candidate.scored.program
    question, passage = encoding.questions[candidate.row], encoding.inputs[candidate.row]

    @torch.inference_mode()
    def retention(removed: Sequence[RemovedWords]) -> list[float]:
        probabilities: list[float] = []
        mask_id = mask_token_id(network.tokenizer)
        for passages in _batches(passage, [frozenset(), *removed], mask_id):
            batch = network.encoder([question] * len(passages), passages)
            result = _run(network, program, batch)
            probabilities += [
                prediction_probability(result, batch, row, candidate.answer)
                for row in range(len(passages))
            ]
        original, *remaining = probabilities
        return [min(1.0, probability / max(original, EPSILON)) for probability in remaining]

    return retention


def answer_retention(
    model: Model, question: TokenizedText, passage: PassageInput, answer: Prediction
) -> Retention:
    """Measure whether a model still gives the same answer: 1 if it does, 0 otherwise."""

    @torch.inference_mode()
    def retention(removed: Sequence[RemovedWords]) -> list[float]:
        predictions: list[Prediction] = []
        for passages in _batches(passage, removed, mask_token_id(model.tokenizer)):
            predictions += _answer(model, [question] * len(passages), passages)
        return [float(prediction.texts == answer.texts) for prediction in predictions]

    return retention


def _answer(
    model: Model, questions: Sequence[TokenizedText], passages: Sequence[PassageInput]
) -> list[Prediction]:
    if isinstance(model, Network):
        batch = answer_candidates(model, model.encoder(questions, passages))
        return [candidates[0].answer for candidates in batch]
    return model.answer(model.read(questions, passages))


def _run(network: Network, program: Program, encoding: Encoding) -> Result:
    """Run one program on every row of a batch."""
    rows = range(len(encoding))
    _, attention = network.programmer.score(encoding, [program for _ in rows])
    by_row = torch.stack(attention, 1)
    (execution,) = network.run(
        encoding, [(row, program) for row in rows], [by_row[row] for row in rows]
    )
    return execution.step.output


def _batches(
    passage: PassageInput, removed: Sequence[RemovedWords], mask_id: int
) -> Iterator[list[PassageInput]]:
    for start in range(0, len(removed), _BATCH_SIZE):
        batch = removed[start : start + _BATCH_SIZE]
        yield [remove_words(passage, words, mask_id) for words in batch]


def prediction_probability(
    result: Result, encoding: Encoding, row: int, answer: Prediction
) -> float:
    """The probability of a given answer in one row of a result.

    Args:
        result: A result of a type that can be an answer.
        encoding: The batch in which the result was computed.
        row: The question's row in the batch.
        answer: The answer, which may have been decoded from another result.

    Returns:
        The probability; 0 if the result cannot express the answer.
    """
    match result:
        case Numbers():
            positions = result.supports[row].positions
            position = None if answer.value is None else positions.get(answer.value)
            return 0.0 if position is None else float(result.weights[row, position])
        case Dates():
            dates = [(str(date),) for date in encoding.inputs[row].dates]
            same = [index for index, date in enumerate(dates) if date == answer.texts]
            return float(result.weights[row, same].sum())
        case Span():
            spans: list[list[tuple[int, int]]] = [[] for _ in encoding.inputs]
            spans[row] = [_token_span(encoding, row, place) for place in answer.places]
            return float(result.log_likelihood(spans)[row].exp())
        case Spans():
            return _spans_probability(result, encoding, row, answer)
    raise AssertionError(f"{result.word} is not a type of answer")


def _spans_probability(result: Spans, encoding: Encoding, row: int, answer: Prediction) -> float:
    inside = torch.zeros_like(encoding.passage_mask)
    for _, start, end in answer.places:
        first, last = encoding.inputs[row].tokens.locate(start, end)
        inside[row, first : last + 1] = True
    return float(result.log_likelihood(inside, encoding.passage_mask)[row].exp())


def _token_span(encoding: Encoding, row: int, place: tuple[str, int, int]) -> tuple[int, int]:
    """First and last token of a character span, counted over the question and then the passage."""
    source, start, end = place
    if source == "question":
        return encoding.questions[row].locate(start, end)
    offset = encoding.question.shape[1]
    first, last = encoding.inputs[row].tokens.locate(start, end)
    return first + offset, last + offset
