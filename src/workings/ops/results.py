"""What modules hand each other: each result is a batch, one row a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from workings.arithmetic.support import Operation, Pairs, Support
from workings.ops.distinct import MentionWeights, PairJoint

# Three numbers out of a hundred are weighed in full; hundreds of them would take all memory.
MOST_PAIRS = 1 << 20


@dataclass(frozen=True)
class Result:
    """A typed, batched value of one step."""

    word: ClassVar[str]


@dataclass(frozen=True)
class Attention(Result):
    """Which words of the passage, and which of the question, a step looks at."""

    word = "attention"
    passage: Float[Tensor, "b m"]
    question: Float[Tensor, "b n"]

    def mix(
        self, other: "Attention", mine: Float[Tensor, " b"], theirs: Float[Tensor, " b"]
    ) -> "Attention":
        """This attention and another, each by its share."""
        return Attention(
            mine[:, None] * self.passage + theirs[:, None] * other.passage,
            mine[:, None] * self.question + theirs[:, None] * other.question,
        )


@dataclass(frozen=True)
class Numbers(Result):
    """A distribution over exact numbers; each row has its own support, padded to the longest."""

    word = "numbers"
    weights: Float[Tensor, "b s"]
    supports: Sequence[Support]
    mention_weights: MentionWeights | None = None
    pair_joint: PairJoint | None = None

    def combine(
        self, other: "Numbers", operation: Operation, *, distinct: bool = False
    ) -> "Numbers":
        """The exact distribution of the result: every pair's probability goes to what it makes.

        Of more than ``MOST_PAIRS`` pairs only those of the likeliest numbers are weighed.
        ``distinct`` says that no mention is taken twice, in a combination of up to three.
        """
        rows, columns = self.weights.shape[1], other.weights.shape[1]
        if rows * columns > MOST_PAIRS:
            least = isqrt(MOST_PAIRS)
            mine = self.likeliest(max(least, MOST_PAIRS // columns))
            return mine._combine(other.likeliest(max(least, MOST_PAIRS // rows)), operation)
        return self._combine(other, operation, distinct=distinct)

    def likeliest(self, most: int) -> "Numbers":
        """So many numbers a row at most; what the others weigh is left out."""
        if self.weights.shape[1] <= most:
            return self
        places = self.weights.topk(most).indices.sort().values
        renormalised = zip(self.supports, places.tolist(), strict=True)
        supports = [
            Support(tuple(s.values[p] for p in row if p < len(s))) for s, row in renormalised
        ]
        return Numbers(self.weights.gather(1, places), supports)

    def _combine(
        self, other: "Numbers", operation: Operation, *, distinct: bool = False
    ) -> "Numbers":
        pairs = [
            mine.combine(theirs, operation)
            for mine, theirs in zip(self.supports, other.supports, strict=True)
        ]
        size = max(len(pair.support) for pair in pairs)
        joint = self.weights.unsqueeze(2) * other.weights.unsqueeze(1)
        index = _places(pairs, joint, size)
        results = joint.new_zeros(len(pairs), size + 1)
        results.scatter_add_(1, index.flatten(1), joint.flatten(1))
        pair_joint = None
        if distinct and self.mention_weights and other.mention_weights:
            pair_joint = PairJoint.of(results, index, self.mention_weights, other.mention_weights)
            results = pair_joint.renormalised.weights
        elif distinct and self.pair_joint and other.mention_weights:
            results = self.pair_joint.joined(results, index, other.mention_weights)
        elif distinct and self.mention_weights and other.pair_joint:
            results = other.pair_joint.joined(results, index.mT, self.mention_weights)
        renormalised = results.narrow(1, 0, size)
        return Numbers(renormalised, [pair.support for pair in pairs], pair_joint=pair_joint)


def _places(
    pairs: Sequence[Pairs], joint: Float[Tensor, "b i j"], size: int
) -> Int[Tensor, "b i j"]:
    """Where each pair's weight goes; what is left out and padding, to one bin past the end."""
    first = pairs[0]
    if first.index.shape == joint.shape[1:] and all(pair is first for pair in pairs):
        return first.index.to(joint.device).expand_as(joint)  # most batches are of one passage
    places = torch.full_like(joint, size, dtype=torch.long)
    for row, pair in zip(places, pairs, strict=True):
        rows, columns = pair.index.shape
        row[:rows, :columns] = pair.index.masked_fill(pair.index == len(pair.support), size)
    return places


@dataclass(frozen=True)
class Dates(Result):
    """A distribution over the passage's dates."""

    word = "dates"
    weights: Float[Tensor, "b k"]
    mention_weights: MentionWeights | None = None


@dataclass(frozen=True)
class TokenProbabilities(Result):
    """A probability of its own for each word of the passage: an uncertain set."""

    word = "marks"
    passage: Float[Tensor, "b m"]


@dataclass(frozen=True)
class Span(Result):
    """Log-probabilities of an answer's first and last token, over question then passage."""

    word = "span"
    start: Float[Tensor, "b t"]
    end: Float[Tensor, "b t"]
    # Of whole phrases, by first token and further ones; without it the ends are independent.
    phrases: Float[Tensor, "b t l"] | None = None

    def log_likelihood(self, known: Sequence[Sequence[tuple[int, int]]]) -> Float[Tensor, " b"]:
        """log of the total probability of each row's (first, last) places."""
        width = max(1, *map(len, known))
        index = torch.tensor([[*pairs, *[(0, 0)] * (width - len(pairs))] for pairs in known])
        real = torch.tensor([[place < len(pairs) for place in range(width)] for pairs in known])
        index, real = index.to(self.start.device), real.to(self.start.device)
        joint = self._joint(index[..., 0], index[..., 1])
        # A masked token has a log-probability too low to add: keep all finite.
        joint = joint.masked_fill(~real, -1e4).clamp(min=-1e4)
        return torch.logsumexp(joint, -1)

    def _joint(self, first: Int[Tensor, "b w"], last: Int[Tensor, "b w"]) -> Float[Tensor, "b w"]:
        if self.phrases is None:
            return self.start.gather(1, first) + self.end.gather(1, last)
        lengths = self.phrases.shape[2]
        found = self.phrases.flatten(1).gather(1, first * lengths + (last - first) % lengths)
        return found.masked_fill(last - first >= lengths, -torch.inf)


@dataclass(frozen=True)
class Spans(Result):
    """Log-odds of each passage token lying inside one of several answers."""

    word = "spans"
    inside: Float[Tensor, "b m"]

    def log_likelihood(
        self, answer: Bool[Tensor, "b m"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, " b"]:
        """Of all tokens, shared out among the answer's own: a long list must not weigh more."""
        loss = functional.binary_cross_entropy_with_logits(
            self.inside, answer.to(self.inside), reduction="none"
        )
        return -(loss * mask).sum(-1) / answer.sum(-1).clamp(min=1)
