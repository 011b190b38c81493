"""How likely the known answer is under the result a program gave."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.ops.grounding import log_safe
from workings.ops.results import Dates, Numbers, Result, Span, Spans
from workings.training.examples import TrainingExample
from workings.training.targets import (
    Places,
    answer_spans,
    date_places,
    mask_of,
    number_places,
    piece_span,
)


def answer_log_likelihood(
    result: Result, encoding: Encoding, examples: Sequence[TrainingExample]
) -> Float[Tensor, " b"]:
    """log p(answer | program) for each row."""
    match result:
        case Numbers():
            return _of_numbers(result, examples)
        case Dates():
            places = [
                place
                for row, one in enumerate(examples)
                for place in date_places(row, one.supervision.dates, one.passage)
            ]
            return log_safe((result.weights * mask_of(places, result.weights)).sum(-1))
        case Span():
            return _of_span(result, encoding, examples)
        case Spans():
            return _of_spans(result, encoding, examples)
    raise AssertionError(f"{result.word} is no answer")


def _of_numbers(result: Numbers, examples: Sequence[TrainingExample]) -> Tensor:
    places: Places = []
    for row, (one, support) in enumerate(zip(examples, result.supports, strict=True)):
        places += number_places(row, one.supervision.numbers, support)
    return log_safe((result.weights * mask_of(places, result.weights)).sum(-1))


def _of_span(result: Span, encoding: Encoding, examples: Sequence[TrainingExample]) -> Tensor:
    """The total over all places where the answer stands."""
    offset = encoding.question.shape[1]
    known = [answer_spans(one, offset) for one in examples]
    found = result.log_likelihood(known)
    # An answer that stands nowhere is as unlikely as a number that cannot come out.
    somewhere = torch.tensor([bool(places) for places in known], device=found.device)
    return found.where(somewhere, log_safe(found.new_zeros(())))


def _of_spans(result: Spans, encoding: Encoding, examples: Sequence[TrainingExample]) -> Tensor:
    places: Places = []
    for row, one in enumerate(examples):
        for span in one.supervision.spans:
            first, last = piece_span(one.passage, span)
            places += [(row, place) for place in range(first, last + 1)]
    return result.log_likelihood(mask_of(places, result.inside).bool(), encoding.passage_mask)
