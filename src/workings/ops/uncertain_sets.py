"""Uncertain sets: a membership probability for each candidate, their count and their largest."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.ops.grounding import log_safe
from workings.ops.results import Attention

# Initial bias: most candidates are not members.
_INITIAL_PRIOR = -3.0


class Membership(nn.Module):
    """The log-odds that each candidate belongs to the attended set."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.projection = nn.Linear(width, width, bias=False)
        self.prior = nn.Linear(width, 1)
        self.attention_weight = nn.Parameter(torch.tensor(0.5))
        nn.init.constant_(self.prior.bias, _INITIAL_PRIOR)

    def forward(
        self,
        attention: Attention,
        encoding: Encoding,
        candidates: Float[Tensor, "b k d"],
        weights: Float[Tensor, "b k"],
        mask: Bool[Tensor, "b k"],
    ) -> Float[Tensor, "b k"]:
        """Score candidates by their match with the attended mean, by themselves and by attention.

        Args:
            attention: The attended words.
            encoding: The encoded batch.
            candidates: The candidates' vectors.
            weights: The attention on each candidate; even attention does not change the score.
            mask: Which candidates are real.
        """
        mean = attended(attention, encoding)
        match = (candidates @ self.projection(mean)[..., None])[..., 0] * mean.shape[-1] ** -0.5
        relative = log_safe(weights * mask.sum(-1, keepdim=True))
        logits: Tensor = match + self.prior(candidates)[..., 0] + self.attention_weight * relative
        return logits


def attended(attention: Attention, encoding: Encoding) -> Float[Tensor, "b d"]:
    """The attention-weighted sum of the token vectors of passage and question."""
    passage = attention.passage[:, None, :] @ encoding.passage
    question = attention.question[:, None, :] @ encoding.question
    return (passage + question)[:, 0]


def count_members(probabilities: Float[Tensor, "b k"], largest: int) -> Float[Tensor, "b s"]:
    """The distribution of the number of members, from 0 to ``largest`` (Poisson-binomial).

    The generating polynomials are multiplied pairwise up a tree. Only products are summed, so small
    probabilities keep their precision, and the depth is logarithmic.
    """
    polynomials = torch.stack([1 - probabilities, probabilities], -1)
    while polynomials.shape[1] > 1:
        if polynomials.shape[1] % 2:
            one = functional.one_hot(torch.zeros((), dtype=torch.long), polynomials.shape[-1])
            one = one.to(polynomials).expand(len(polynomials), 1, -1)
            polynomials = torch.cat([polynomials, one], 1)
        polynomials = _multiply(polynomials[:, ::2], polynomials[:, 1::2])[..., : largest + 1]
    return functional.pad(polynomials[:, 0], (0, largest + 1 - polynomials.shape[-1]))


def _multiply(first: Float[Tensor, "b k s"], second: Float[Tensor, "b k s"]) -> Tensor:
    """Coefficients of the products of polynomials of one size."""
    size = first.shape[-1]
    padded = functional.pad(second, (size - 1, size - 1))
    windows = padded.unfold(-1, size, 1).flip(-1)  # row t holds second[t], second[t-1], …
    return torch.einsum("bki,bkti->bkt", first, windows)


def largest_member(
    logits: Float[Tensor, "b k"], rank: Int[Tensor, "b k"], mask: Bool[Tensor, "b k"]
) -> Float[Tensor, "b k"]:
    """The probability that each candidate is the highest-ranked member, given there is one."""
    present = functional.logsigmoid(logits)
    absent = functional.logsigmoid(-logits) * mask
    scores = present + weight_above(absent, rank)
    scores = scores.masked_fill(~mask, torch.finfo(logits.dtype).min)
    return torch.softmax(scores, -1) * mask


def weight_above(weights: Float[Tensor, "b k"], rank: Int[Tensor, "b k"]) -> Float[Tensor, "b k"]:
    """The total weight of the candidates that rank higher than each candidate."""
    order = rank.argsort(-1, descending=True)
    higher = functional.pad(weights.gather(1, order), (1, 0)).cumsum(-1)[:, :-1]
    return torch.zeros_like(weights).scatter(1, order, higher)
