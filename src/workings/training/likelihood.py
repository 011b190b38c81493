"""The log-likelihood of the known answer under the result of a program."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.ops.grounding import log_safe
from workings.ops.results import Dates, Nothing, Numbers, Result, Span, Spans
from workings.training.examples import TrainingExample
from workings.training.targets import (
    Positions,
    answer_token_spans,
    date_positions,
    mask_at,
    number_positions,
    token_span,
)


def answer_log_likelihood(
    result: Result, encoding: Encoding, examples: Sequence[TrainingExample]
) -> Float[Tensor, " b"]:
    """log p(answer | program) for each row.

    Args:
        result: The output of a program, one row per example.
        encoding: The encoded texts of the rows.
        examples: The example of each row.
    """
    match result:
        case Numbers():
            return _numbers_log_likelihood(result, examples)
        case Dates():
            return _dates_log_likelihood(result, examples)
        case Span():
            return _span_log_likelihood(result, encoding, examples)
        case Spans():
            return _spans_log_likelihood(result, encoding, examples)
        case Nothing():
            return _nothing_log_likelihood(result, examples)
    raise AssertionError(f"{type(result).__name__} is not an answer")


def _nothing_log_likelihood(result: Nothing, examples: Sequence[TrainingExample]) -> Tensor:
    """Only a question without an answer is answered by nothing."""
    questions = [example.question for example in examples]
    without = torch.tensor([q.unanswerable or not q.answers for q in questions])
    return log_safe(result.weights * without.to(result.weights))


def _numbers_log_likelihood(result: Numbers, examples: Sequence[TrainingExample]) -> Tensor:
    positions: Positions = []
    for row, (example, support) in enumerate(zip(examples, result.supports, strict=True)):
        positions += number_positions(row, example.supervision.numbers, support)
    return log_safe((result.weights * mask_at(positions, result.weights)).sum(-1))


def _dates_log_likelihood(result: Dates, examples: Sequence[TrainingExample]) -> Tensor:
    positions: Positions = []
    for row, example in enumerate(examples):
        positions += date_positions(row, example.supervision.dates, example.passage)
    return log_safe((result.weights * mask_at(positions, result.weights)).sum(-1))


def _span_log_likelihood(
    result: Span, encoding: Encoding, examples: Sequence[TrainingExample]
) -> Tensor:
    """The total over all occurrences of the answer in passage and question."""
    offset = encoding.question.shape[1]
    spans = [answer_token_spans(example, offset) for example in examples]
    log_likelihood = result.log_likelihood(spans)
    # An answer that does not occur gets the same floor as a number that cannot result.
    occurs = torch.tensor([bool(tokens) for tokens in spans], device=log_likelihood.device)
    return log_likelihood.where(occurs, log_safe(log_likelihood.new_zeros(())))


def _spans_log_likelihood(
    result: Spans, encoding: Encoding, examples: Sequence[TrainingExample]
) -> Tensor:
    positions: Positions = []
    for row, example in enumerate(examples):
        for span in example.supervision.spans:
            first, last = token_span(example.passage, span)
            positions += [(row, token) for token in range(first, last + 1)]
    inside = mask_at(positions, result.inside).bool()
    return result.log_likelihood(inside, encoding.passage_mask)
