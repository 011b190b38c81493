"""Uncertain sets: a probability for each candidate, how many are in, and which is the largest."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.ops.grounding import log_safe
from workings.ops.results import Attention

# Most candidates are not members: start from a small prior.
_PRIOR = -3.0


class Membership(nn.Module):
    """The log-odds that each candidate belongs to what the attended words speak of."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.projection = nn.Linear(width, width, bias=False)
        self.prior = nn.Linear(width, 1)
        self.attention_weight = nn.Parameter(torch.tensor(0.5))
        nn.init.constant_(self.prior.bias, _PRIOR)

    def forward(
        self,
        attention: Attention,
        encoding: Encoding,
        candidates: Float[Tensor, "b k d"],
        weights: Float[Tensor, "b k"],
        mask: Bool[Tensor, "b k"],
    ) -> Float[Tensor, "b k"]:
        """``weights`` say how much attention each candidate has; evenly spread it says nothing."""
        meant = attended(attention, encoding)
        match = (candidates @ self.projection(meant)[..., None])[..., 0] * meant.shape[-1] ** -0.5
        notice = log_safe(weights * mask.sum(-1, keepdim=True))
        logits: Tensor = match + self.prior(candidates)[..., 0] + self.attention_weight * notice
        return logits


def attended(attention: Attention, encoding: Encoding) -> Float[Tensor, "b d"]:
    """The mean vector of the attended words of passage and question."""
    passage = attention.passage[:, None, :] @ encoding.passage
    question = attention.question[:, None, :] @ encoding.question
    return (passage + question)[:, 0]


def total(probabilities: Float[Tensor, "b k"], largest: int) -> Float[Tensor, "b s"]:
    """How many of independent events happen, from none to ``largest`` (Poisson-binomial).

    Polynomials of pairs are multiplied up a tree: only sums of products, so small
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
    """The probability of each candidate to be in the set with none above it, given any is in."""
    present = functional.logsigmoid(logits)
    absent = functional.logsigmoid(-logits) * mask
    scores = present + above(absent, rank)
    scores = scores.masked_fill(~mask, torch.finfo(logits.dtype).min)
    return torch.softmax(scores, -1) * mask


def above(weights: Float[Tensor, "b k"], rank: Int[Tensor, "b k"]) -> Float[Tensor, "b k"]:
    """For each candidate the total weight of those that outrank it."""
    order = rank.argsort(-1, descending=True)
    higher = functional.pad(weights.gather(1, order), (1, 0)).cumsum(-1)[:, :-1]
    return torch.zeros_like(weights).scatter(1, order, higher)
