"""Uncertain sets: a membership probability for each candidate, their count and their largest."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.ops.grounding import EPSILON, bounded, log_safe
from workings.ops.results import Attention
from workings.settings import ModuleSettings

# Initial bias: most candidates are not members.
_INITIAL_PRIOR = -3.0


# With `modules.gated`, a candidate's vector changes its log-odds by at most this much.
VECTOR_BOUND = 4.0
# With `modules.gated`, attention below this share of the highest counts as none. Its logarithm
# outweighs the bound, so that candidates without attention stay out.
_MIN_SHARE = 1e-4
# Log-odds of the candidate with the highest attention before its vector is considered.
_INITIAL_GATE = 1.5


class Membership(nn.Module):
    """The log-odds that each candidate belongs to the attended set."""

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__()
        self.settings = settings
        self.projection = nn.Linear(width, width, bias=False)
        self.prior = nn.Linear(width, 1)
        if settings.gated:
            self.gate = nn.Parameter(torch.tensor(_INITIAL_GATE))
        else:
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
        mean = attended(attention, encoding, self.settings)
        match = (candidates @ self.projection(mean)[..., None])[..., 0] * mean.shape[-1] ** -0.5
        by_vector = match + self.prior(candidates)[..., 0]
        if self.settings.gated:
            return bounded(by_vector, VECTOR_BOUND) + self._gate(weights * mask)
        relative = log_safe(weights * mask.sum(-1, keepdim=True))
        logits: Tensor = by_vector + self.attention_weight * relative
        return logits

    def _gate(self, weights: Float[Tensor, "b k"]) -> Float[Tensor, "b k"]:
        """Log-odds from the attention on each candidate, as a share of the highest."""
        highest = weights.amax(-1, keepdim=True).clamp(min=EPSILON)
        return self.gate + torch.log(weights / highest + _MIN_SHARE)


def attended(
    attention: Attention, encoding: Encoding, settings: ModuleSettings
) -> Float[Tensor, "b d"]:
    """The attention-weighted sum of the token vectors of the passage, or of both texts."""
    passage = attention.passage[:, None, :] @ encoding.passage
    if settings.pooled_words == "passage":
        return passage[:, 0]
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


def count_with_multiples(
    probabilities: Float[Tensor, "b k"],
    several: Float[Tensor, "b k"],
    multiples: Int[Tensor, "b k"],
    largest: int,
) -> Float[Tensor, "b s"]:
    """The distribution of a count in which one member may count as several things.

    Args:
        probabilities: The probability that each candidate is a member.
        several: The probability that a member counts as many times as its multiple.
        multiples: The multiple of each candidate; 1 for one thing.
        largest: The largest count.
    """
    is_multiple = multiples > 1
    counts = count_members(probabilities.masked_fill(is_multiple, 0), largest)
    places = torch.arange(largest + 1, device=counts.device)
    # The candidates with a multiple come first, so that the loop covers only those.
    order = is_multiple.long().argsort(dim=-1, descending=True, stable=True)
    for index in order[:, : int(is_multiple.sum(-1).max())].unbind(1):
        column = index[:, None]
        member = probabilities.gather(1, column) * is_multiple.gather(1, column)
        many = several.gather(1, column)
        counts = (
            counts * (1 - member)
            + _shifted(counts, torch.ones_like(column), places) * member * (1 - many)
            + _shifted(counts, multiples.gather(1, column), places) * member * many
        )
    return counts


def _shifted(
    counts: Float[Tensor, "b s"], by: Int[Tensor, "b 1"], places: Int[Tensor, " s"]
) -> Float[Tensor, "b s"]:
    """The distribution after adding a fixed number to each row's count."""
    source = places - by
    return counts.gather(1, source.clamp(min=0)) * (source >= 0)


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


def ranked_member(
    probabilities: Float[Tensor, "b k"], rank: Int[Tensor, "b k"], place: Float[Tensor, "b p"]
) -> Float[Tensor, "b k"]:
    """The probability that each candidate has the requested place among the members.

    Args:
        probabilities: The probability that each candidate is a member.
        rank: The rank of each candidate; the first place belongs to the member of highest rank.
        place: The probability that the first, second, … place is requested.

    Returns:
        The probabilities, given that some member has the place; zeros if none can have it.
    """
    order = rank.argsort(-1, descending=True)
    ahead = torch.zeros_like(place)  # the probability of 0, 1, … members before this candidate
    ahead[:, 0] = 1
    found = []
    for probability in probabilities.gather(1, order).unbind(1):
        member = probability[:, None]
        found.append((member * ahead * place).sum(-1))
        ahead = ahead * (1 - member) + functional.pad(ahead * member, (1, 0))[:, :-1]
    scores = torch.stack(found, -1)
    scores = scores / scores.sum(-1, keepdim=True).clamp(min=EPSILON)
    return torch.zeros_like(probabilities).scatter(1, order, scores)


def weight_above(weights: Float[Tensor, "b k"], rank: Int[Tensor, "b k"]) -> Float[Tensor, "b k"]:
    """The total weight of the candidates that rank higher than each candidate."""
    order = rank.argsort(-1, descending=True)
    higher = functional.pad(weights.gather(1, order), (1, 0)).cumsum(-1)[:, :-1]
    return torch.zeros_like(weights).scatter(1, order, higher)
