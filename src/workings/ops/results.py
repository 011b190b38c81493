"""The typed results that modules exchange; each is a batch with one row per question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from workings.arithmetic.operation import Operation
from workings.arithmetic.support import PairResults, Support
from workings.ops.distinct import MentionWeights, PairJoint
from workings.values import ClockUnit

# Pairs of numbers that are combined exactly. Their results are computed once per passage.
MAX_EXACT_PAIRS = 1 << 17
# Pairs that are combined where there are more. The likeliest numbers differ from question to
# question, and so their results are computed for each: fewer pairs keep that fast.
MAX_LIKELY_PAIRS = 1 << 15


@dataclass(frozen=True)
class Result:
    """The typed, batched output of one step."""

    word: ClassVar[str]  # the type's name in signatures, messages and explanations


@dataclass(frozen=True)
class Attention(Result):
    """Attention over the passage and over the question."""

    word = "attention"
    passage: Float[Tensor, "b m"]
    question: Float[Tensor, "b n"]

    def mix(
        self, other: "Attention", weight: Float[Tensor, " b"], other_weight: Float[Tensor, " b"]
    ) -> "Attention":
        """The weighted sum of this attention and another."""
        return Attention(
            weight[:, None] * self.passage + other_weight[:, None] * other.passage,
            weight[:, None] * self.question + other_weight[:, None] * other.question,
        )


@dataclass(frozen=True)
class Numbers(Result):
    """A distribution over exact numbers.

    Attributes:
        weights: Probability of each number, padded to the largest support of the batch.
        supports: The numbers of each row.
        mention_weights: The mentions the numbers were read from, if they were read from mentions.
        pair_joint: The pair of mentions behind each number, if two mentions were combined.
    """

    word = "numbers"
    weights: Float[Tensor, "b s"]
    supports: Sequence[Support]
    mention_weights: MentionWeights | None = None
    pair_joint: PairJoint | None = None

    @property
    def undefined(self) -> Float[Tensor, " b"]:
        """Probability that there is no result, as for a division by zero or a negative number."""
        return (1 - self.weights.sum(-1)).clamp(min=0)

    def combine(
        self, other: "Numbers", operation: Operation, *, distinct: bool = False
    ) -> "Numbers":
        """Compute the exact distribution of an operation on two independent numbers.

        Each pair's probability is added to the pair's result. If there are more than
        ``MAX_EXACT_PAIRS`` pairs, only the likeliest numbers are combined; the probability of the
        others is part of ``undefined``.

        Args:
            other: The second operand.
            operation: The operation. Pairs with a negative or undefined result are dropped.
            distinct: Exclude combinations of up to three operands that use a mention twice, and
                renormalise.
        """
        first, second = self.bounded(other)
        return first._combine(second, operation, distinct=distinct)

    def bounded(self, other: "Numbers") -> "tuple[Numbers, Numbers]":
        """The numbers of two operands that are combined: all of them if there are few pairs."""
        rows, columns = self.weights.shape[1], other.weights.shape[1]
        if rows * columns <= MAX_EXACT_PAIRS:
            return self, other
        least = isqrt(MAX_LIKELY_PAIRS)
        return (
            self.likeliest(max(least, MAX_LIKELY_PAIRS // columns)),
            other.likeliest(max(least, MAX_LIKELY_PAIRS // rows)),
        )

    def likeliest(self, count: int) -> "Numbers":
        """Keep the likeliest numbers of each row; the weight of the others is dropped."""
        size = self.weights.shape[1]
        if size <= count:
            return self
        positions = self.weights.topk(count).indices.sort().values
        supports = [
            Support(tuple(support.values[p] for p in row if p < len(support)))
            for support, row in zip(self.supports, positions.tolist(), strict=True)
        ]
        # The new position of each number; ``count`` for those that are dropped.
        moved = torch.full((len(positions), size + 1), count, device=positions.device)
        moved.scatter_(
            1, positions, torch.arange(count, device=positions.device).expand_as(positions)
        )
        return Numbers(
            self.weights.gather(1, positions),
            supports,
            self.mention_weights and self.mention_weights.moved(moved, count),
            self.pair_joint and self.pair_joint.moved(moved),
        )

    def _combine(
        self, other: "Numbers", operation: Operation, *, distinct: bool = False
    ) -> "Numbers":
        pairs = [
            first.combine(second, operation)
            for first, second in zip(self.supports, other.supports, strict=True)
        ]
        size = max(len(pair.support) for pair in pairs)
        joint = self.weights.unsqueeze(2) * other.weights.unsqueeze(1)
        index = _result_index(pairs, joint, size)
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
        weights = results.narrow(1, 0, size)
        return Numbers(weights, [pair.support for pair in pairs], pair_joint=pair_joint)


def _result_index(
    pairs: Sequence[PairResults], joint: Float[Tensor, "b i j"], size: int
) -> Int[Tensor, "b i j"]:
    """Position of each pair's result; dropped pairs and padding have the position ``size``."""
    first = pairs[0]
    if first.index.shape == joint.shape[1:] and all(pair is first for pair in pairs):
        return first.index.to(joint.device).expand_as(joint)  # most batches have one passage
    index = torch.full_like(joint, size, dtype=torch.long)
    for row, pair in zip(index, pairs, strict=True):
        rows, columns = pair.index.shape
        row[:rows, :columns] = pair.index.masked_fill(pair.index == len(pair.support), size)
    return index


@dataclass(frozen=True)
class Dates(Result):
    """A distribution over the dates of the passage."""

    word = "dates"
    weights: Float[Tensor, "b k"]
    mention_weights: MentionWeights | None = None


@dataclass(frozen=True)
class Timings(Result):
    """A distribution over the clock times and durations of the passage."""

    word = "times"
    weights: Float[Tensor, "b k"]
    mention_weights: MentionWeights | None = None


@dataclass(frozen=True)
class TokenProbabilities(Result):
    """An independent probability for each token of the passage: an uncertain set."""

    word = "marks"
    passage: Float[Tensor, "b m"]


@dataclass(frozen=True)
class Span(Result):
    """Log-probabilities of the first and last token of a span, over question then passage.

    Attributes:
        start: Log-probability that the span starts at a token.
        end: Log-probability that the span ends at a token.
        phrases: Log-probability of each span by its first token and its number of further tokens;
            None if start and end are independent.
    """

    word = "span"
    start: Float[Tensor, "b t"]
    end: Float[Tensor, "b t"]
    phrases: Float[Tensor, "b t l"] | None = None

    def log_likelihood(self, spans: Sequence[Sequence[tuple[int, int]]]) -> Float[Tensor, " b"]:
        """Log of the total probability of each row's spans, given by first and last token."""
        width = max(1, *map(len, spans))
        index = torch.tensor([[*row, *[(0, 0)] * (width - len(row))] for row in spans])
        real = torch.tensor([[column < len(row) for column in range(width)] for row in spans])
        index, real = index.to(self.start.device), real.to(self.start.device)
        joint = self._joint(index[..., 0], index[..., 1])
        # Log-probabilities of masked tokens are too low to add: keep everything finite.
        joint = joint.masked_fill(~real, -1e4).clamp(min=-1e4)
        return torch.logsumexp(joint, -1)

    def _joint(self, first: Int[Tensor, "b w"], last: Int[Tensor, "b w"]) -> Float[Tensor, "b w"]:
        if self.phrases is None:
            return self.start.gather(1, first) + self.end.gather(1, last)
        lengths = self.phrases.shape[2]
        index = first * lengths + (last - first) % lengths
        joint = self.phrases.flatten(1).gather(1, index)
        return joint.masked_fill(last - first >= lengths, -torch.inf)


@dataclass(frozen=True)
class Spans(Result):
    """Log-odds that each token of the passage belongs to one of several answer spans."""

    word = "spans"
    inside: Float[Tensor, "b m"]

    def log_likelihood(
        self, answer: Bool[Tensor, "b m"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, " b"]:
        """Log-likelihood of all tokens, divided by the number of answer tokens.

        The division keeps a long list from outweighing other questions of a batch.
        """
        loss = functional.binary_cross_entropy_with_logits(
            self.inside, answer.to(self.inside), reduction="none"
        )
        return -(loss * mask).sum(-1) / answer.sum(-1).clamp(min=1)


@dataclass(frozen=True)
class Nothing(Result):
    """The statement that the passage does not answer the question.

    Attributes:
        weights: Probability of the statement, given the program that makes it.
    """

    word = "nothing"
    weights: Float[Tensor, " b"]


@dataclass(frozen=True)
class TimingCount:
    """How a module counts clock times and durations.

    Attributes:
        unit: The unit.
        wraps: Whether an end before the start lies after midnight.
    """

    unit: ClockUnit
    wraps: bool = False


@dataclass
class StepDetails:
    """Intermediate results that a module records while it runs, for display and supervision.

    Attributes:
        operands: The values read off the two events of a comparison or a time difference.
        candidates: The numbers that compete in a maximum or minimum.
        counted: The mentions that a count adds up.
        several: The probability that a counted mention counts as several things.
        members: The probability that each number mention belongs to a sum or an average.
        operation: The exact operation on two numbers or dates.
        aggregate: How a module combines its members.
        date_unit: The unit in which a module counts the time between two dates.
        timing: How a module counts clock times and durations.
    """

    operands: tuple[Numbers, Numbers] | tuple[Dates, Dates] | tuple[Timings, ...] | None = None
    candidates: TokenProbabilities | None = None
    counted: TokenProbabilities | None = None
    several: TokenProbabilities | None = None
    members: Float[Tensor, "b k"] | None = None
    operation: Operation | None = None
    aggregate: Literal["sum", "average"] = "sum"
    date_unit: Literal["years", "months", "days"] = "years"
    timing: TimingCount | None = None

    def named(self) -> Iterator[tuple[str, Result]]:
        """Yield each recorded distribution with the name that explanations show."""
        if self.operands is not None:
            yield from zip(("first", "second"), self.operands, strict=False)
        if self.candidates is not None:
            yield "candidates", self.candidates
        if self.counted is not None:
            yield "counted", self.counted
        if self.several is not None:
            yield "several", self.several
