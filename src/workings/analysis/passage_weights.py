"""Passage weights of a step: its result distributed over the tokens it was read from."""

import torch
from jaxtyping import Float
from torch import Tensor

from workings.encoder.encoding import Encoding, Mentions
from workings.network.interpreter import Step
from workings.ops.results import (
    Attention,
    Dates,
    Numbers,
    Result,
    Span,
    Spans,
    Timings,
    TokenProbabilities,
)


def passage_weights(step: Step, encoding: Encoding) -> Float[Tensor, "b m"] | None:
    """Weigh the passage tokens by a step's result.

    Independent token probabilities are normalised. The weight of a value is divided evenly among
    its mentions.

    Returns:
        One row a question, or None for a step that combines numbers. A row sums to one, less the
        weight on the question and on constants.
    """
    if step.details.counted is not None:
        return _token_weights(step.details.counted, encoding)
    if step.details.operands is not None:
        read = [_token_weights(operand, encoding) for operand in step.details.operands]
        return torch.stack(read).mean(0)
    if step.inputs and all(isinstance(child.output, Numbers) for child in step.inputs):
        return None
    return _token_weights(step.output, encoding)


def _token_weights(result: Result, encoding: Encoding) -> Float[Tensor, "b m"]:
    match result:
        case Attention():
            return result.passage
        case TokenProbabilities():
            return _normalised(result.passage)
        case Spans():
            return _normalised(torch.sigmoid(result.inside) * encoding.passage_mask)
        case Numbers():
            return _mention_weights(result.weights, encoding.numbers, encoding)
        case Dates():
            return _mention_weights(result.weights, encoding.dates, encoding)
        case Timings():
            return _mention_weights(result.weights, encoding.timings, encoding)
        case Span():
            ends = (result.start.exp() + result.end.exp()) / 2
            return ends[:, encoding.question.shape[1] :]
    raise AssertionError(f"{result.word} has no passage weights")


def _mention_weights(
    weights: Float[Tensor, "b v"], mentions: Mentions, encoding: Encoding
) -> Float[Tensor, "b m"]:
    """Divide the weight of each value evenly among its mentions."""
    count = mentions.gather(mentions.placed.to(weights), weights.shape[1]).clamp(min=1)
    shares = (weights / count).gather(1, mentions.entry) * mentions.placed
    return mentions.spread(shares, encoding.passage.shape[1])


def _normalised(probabilities: Float[Tensor, "b m"]) -> Float[Tensor, "b m"]:
    return probabilities / probabilities.sum(-1, keepdim=True).clamp(min=1e-8)
