"""Phrases weighed as wholes: two ends that belong together, and what it costs to go on."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from workings.ops.results import Span

# Longer phrases are never meant as an answer.
MAX_SPAN_TOKENS = 40


def following_tokens(tokens: Tensor, value: float) -> Tensor:
    """Each token's own and the following entries, as many as a phrase may have."""
    return functional.pad(tokens, (0, MAX_SPAN_TOKENS - 1), value=value).unfold(
        -1, MAX_SPAN_TOKENS, 1
    )


def score_spans(
    ends: Float[Tensor, "b t 2"], costs: Float[Tensor, "b t"], mask: Bool[Tensor, "b t"], asked: int
) -> Span:
    """The distribution over all phrases from what speaks for their ends.

    A phrase pays the cost of each token it goes on to, and lies in the first ``asked`` tokens,
    which are the question's, or in the others: torn between two phrases, it is one of them.
    """
    paid = following_tokens(costs, 0.0).cumsum(-1) - costs[..., None]  # its first token is free
    places = torch.arange(mask.shape[1], device=mask.device)
    sides = (places < asked)[None].expand_as(mask)
    allowed = following_tokens(mask.byte(), 0).bool() & mask[..., None]
    allowed = allowed & (following_tokens(sides.byte(), 0).bool() == sides[..., None])
    scores = ends[..., :1] + following_tokens(ends[..., 1], 0.0) - paid
    scores = scores.masked_fill(~allowed, torch.finfo(ends.dtype).min)
    phrases = torch.log_softmax(scores.flatten(1), -1).view_as(scores)
    return Span(torch.logsumexp(phrases, -1), _last_tokens(phrases), phrases)


def _last_tokens(phrases: Float[Tensor, "b t l"]) -> Float[Tensor, "b t"]:
    """log-probabilities of the last token: the phrases that end there, however long."""
    rows, tokens, lengths = phrases.shape
    # Shifted by their length, all phrases that end at one token stand below each other.
    low = torch.finfo(phrases.dtype).min
    shifted = phrases.new_full((rows, tokens + lengths, lengths), low)
    further = torch.arange(lengths, device=phrases.device)
    begin = torch.arange(tokens, device=phrases.device)
    shifted[:, begin[:, None] + further, further] = phrases
    return torch.logsumexp(shifted[:, :tokens], -1)
