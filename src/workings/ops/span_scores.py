"""Scores of whole spans: both ends together, with a penalty for each further token."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from workings.ops.results import Span

# Longer spans are never answers.
MAX_SPAN_TOKENS = 40


def following_tokens(tokens: Tensor, padding: float) -> Tensor:
    """For each token its own entry and those of the tokens after it, up to the longest span."""
    padded = functional.pad(tokens, (0, MAX_SPAN_TOKENS - 1), value=padding)
    return padded.unfold(-1, MAX_SPAN_TOKENS, 1)


def score_spans(
    ends: Float[Tensor, "b t 2"],
    penalty: Float[Tensor, "b t"],
    mask: Bool[Tensor, "b t"],
    question_length: int,
) -> Span:
    """Normalise over all spans that lie in the question or in the passage.

    Args:
        ends: Score of each token as the first and as the last of a span.
        penalty: Penalty for continuing a span to each token.
        mask: Which tokens a span may contain.
        question_length: Number of leading tokens that belong to the question; no span crosses
            from the question into the passage.
    """
    # The first token of a span costs nothing.
    total_penalty = following_tokens(penalty, 0.0).cumsum(-1) - penalty[..., None]
    positions = torch.arange(mask.shape[1], device=mask.device)
    in_question = (positions < question_length)[None].expand_as(mask)
    allowed = following_tokens(mask.byte(), 0.0).bool() & mask[..., None]
    same_text = following_tokens(in_question.byte(), 0.0).bool() == in_question[..., None]
    scores = ends[..., :1] + following_tokens(ends[..., 1], 0.0) - total_penalty
    scores = scores.masked_fill(~(allowed & same_text), torch.finfo(ends.dtype).min)
    phrases = torch.log_softmax(scores.flatten(1), -1).view_as(scores)
    return Span(torch.logsumexp(phrases, -1), _last_tokens(phrases), phrases)


def _last_tokens(phrases: Float[Tensor, "b t l"]) -> Float[Tensor, "b t"]:
    """Log-probability of each token as the last of a span, summed over all lengths."""
    rows, tokens, lengths = phrases.shape
    # Shift each span by its length, so that spans with the same last token line up.
    low = torch.finfo(phrases.dtype).min
    shifted = phrases.new_full((rows, tokens + lengths, lengths), low)
    further = torch.arange(lengths, device=phrases.device)
    first = torch.arange(tokens, device=phrases.device)
    shifted[:, first[:, None] + further, further] = phrases
    return torch.logsumexp(shifted[:, :tokens], -1)
