"""Where in the passage a step points: what it gives, laid on the pieces it was read off."""

import torch
from torch import Tensor

from workings.encoder.encoding import Encoding, Mentions
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans, TokenProbabilities


def pointed(step: Step, encoding: Encoding) -> Tensor | None:
    """Weights of the passage's pieces, a row for each question; None if it points at no words.

    They sum to one, less what lies on the question or on no word. What has a probability of its own
    for each word is shared out.
    """
    if "counted" in step.notes:
        return _laid(step.notes["counted"], encoding)
    if "first" in step.notes:
        both = [_laid(step.notes[name], encoding) for name in ("first", "second")]
        return (both[0] + both[1]) / 2
    if step.inputs and all(isinstance(one.output, Numbers) for one in step.inputs):
        return None
    return _laid(step.output, encoding)


def _laid(result: Result, encoding: Encoding) -> Tensor:
    match result:
        case Attention():
            return result.passage
        case TokenProbabilities():
            return _shared(result.passage)
        case Spans():
            return _shared(torch.sigmoid(result.inside) * encoding.passage_mask)
        case Numbers():
            return _on_mentions(result.weights, encoding.numbers, encoding)
        case Dates():
            return _on_mentions(result.weights, encoding.dates, encoding)
        case Span():
            ends = (result.start.exp() + result.end.exp()) / 2
            return ends[:, encoding.question.shape[1] :]
    raise AssertionError(f"{result.word} points nowhere")


def _on_mentions(weights: Tensor, mentions: Mentions, encoding: Encoding) -> Tensor:
    """The weight of a value, shared evenly by its mentions."""
    each = mentions.gather(mentions.placed.to(weights), weights.shape[1]).clamp(min=1)
    shares = (weights / each).gather(1, mentions.entry) * mentions.placed
    return mentions.spread(shares, encoding.passage.shape[1])


def _shared(marks: Tensor) -> Tensor:
    return marks / marks.sum(-1, keepdim=True).clamp(min=1e-8)
