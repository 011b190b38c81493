"""How much of an answer is kept when words of its passage are taken away."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch

from workings.analysis.word_removal import MOST, Word, blank_of, without
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction
from workings.inference.ranking import Candidate, answer_candidates
from workings.network.network import Network
from workings.ops.grounding import EPSILON
from workings.ops.results import Dates, Numbers, Result, Span, Spans
from workings.peers import Model
from workings.program import Program

Gone = frozenset[Word]  # the words taken away
Kept = Callable[[Sequence[Gone]], list[float]]  # the share of the answer that each leaves
Pair = tuple[list[float], list[float]]  # with a step's own words, with random ones

_ROWS = 16


@dataclass(frozen=True)
class Curves:
    """What is kept as the heaviest words go one after the other, and as they come back."""

    deletion: Pair
    insertion: Pair
    sizes: ClassVar[tuple[int, ...]] = (1, 2, 4, MOST)

    @property
    def deletion_area(self) -> float:
        """How much more is lost without the step's own words than without random ones."""
        return _area(*self.deletion[::-1])

    @property
    def insertion_area(self) -> float:
        """How much more is won back by the step's own words than by random ones."""
        return _area(*self.insertion)


def _area(upper: Sequence[float], lower: Sequence[float]) -> float:
    return sum(a - b for a, b in zip(upper, lower, strict=True)) / len(upper)


def draw(own: Sequence[Word], random: Sequence[Word], kept: Kept) -> Curves:
    """Take words from the passage; then, where both lists are gone, put words of one back."""
    both, sizes = frozenset((*own, *random)), Curves.sizes
    lists = own, random
    gone = [[frozenset(words[:size]) for size in sizes] for words in lists]
    back = [[both - some for some in row] for row in gone]
    distinct = list(dict.fromkeys(some for row in (*gone, *back) for some in row))
    shares = dict(zip(distinct, kept(distinct), strict=True))
    out, in_ = ([[shares[some] for some in row] for row in rows] for rows in (gone, back))
    return Curves((out[0], out[1]), (in_[0], in_[1]))


def kept_probability(network: Network, tried: Candidate) -> Kept:
    """The probability of the same answer by the same program, as a share of what it was."""
    encoding, program = tried.execution.encoding, tried.scored.program
    question, passage = encoding.questions[tried.row], encoding.inputs[tried.row]

    @torch.inference_mode()
    def kept(gone: Sequence[Gone]) -> list[float]:
        likely: list[float] = []
        for read in _batches(passage, [frozenset(), *gone], blank_of(network.tokenizer)):
            found = network.encoder([question] * len(read), read)
            result = _run(network, program, found)
            likely += [probability(result, found, row, tried.answer) for row in range(len(read))]
        return [min(1.0, each / max(likely[0], EPSILON)) for each in likely[1:]]

    return kept


def kept_answer(
    model: Model, question: TokenizedText, passage: PassageInput, answer: Prediction
) -> Kept:
    """One where a model of any sort still says the same, nought where it does not."""

    @torch.inference_mode()
    def kept(gone: Sequence[Gone]) -> list[float]:
        said: list[Prediction] = []
        for read in _batches(passage, gone, blank_of(model.tokenizer)):
            said += say(model, [question] * len(read), read)
        return [float(one.texts == answer.texts) for one in said]

    return kept


def say(
    model: Model, questions: Sequence[TokenizedText], passages: Sequence[PassageInput]
) -> list[Prediction]:
    """What a model of any sort answers."""
    if isinstance(model, Network):
        return [
            tried[0].answer
            for tried in answer_candidates(model, model.encoder(questions, passages))
        ]
    return model.answer(model.read(questions, passages))


def _run(network: Network, program: Program, encoding: Encoding) -> Result:
    rows = range(len(encoding))
    _, asked = network.programmer.score(encoding, [program for _ in rows])
    looked = torch.stack(asked, 1)
    (execution,) = network.run(
        encoding, [(row, program) for row in rows], [looked[row] for row in rows]
    )
    return execution.step.output


def _batches(
    passage: PassageInput, gone: Sequence[Gone], blank: int
) -> Iterator[list[PassageInput]]:
    for place in range(0, len(gone), _ROWS):
        yield [without(passage, words, blank) for words in gone[place : place + _ROWS]]


def probability(result: Result, encoding: Encoding, row: int, answer: Prediction) -> float:
    """The probability of a given answer under one row of a result."""
    match result:
        case Numbers():
            place = None if answer.value is None else result.supports[row].places.get(answer.value)
            return 0.0 if place is None else float(result.weights[row, place])
        case Dates():
            dates = [(str(date),) for date in encoding.inputs[row].dates]
            same = [place for place, date in enumerate(dates) if date == answer.texts]
            return float(result.weights[row, same].sum())
        case Span():
            known: list[list[tuple[int, int]]] = [[] for _ in encoding.inputs]
            known[row] = [_ends(encoding, row, place) for place in answer.places]
            return float(result.log_likelihood(known)[row].exp())
        case Spans():
            return _of_spans(result, encoding, row, answer)
    raise AssertionError(f"{result.word} is no answer")


def _of_spans(result: Spans, encoding: Encoding, row: int, answer: Prediction) -> float:
    inside = torch.zeros_like(encoding.passage_mask)
    for _, start, end in answer.places:
        first, last = encoding.inputs[row].tokens.locate(start, end)
        inside[row, first : last + 1] = True
    return float(result.log_likelihood(inside, encoding.passage_mask)[row].exp())


def _ends(encoding: Encoding, row: int, place: tuple[str, int, int]) -> tuple[int, int]:
    """First and last of a span over question then passage."""
    where, start, end = place
    if where == "question":
        return encoding.questions[row].locate(start, end)
    offset = encoding.question.shape[1]
    first, last = encoding.inputs[row].tokens.locate(start, end)
    return first + offset, last + offset
