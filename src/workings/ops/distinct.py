"""Excludes combinations that use one mention twice, then renormalises.

Mentions of one place, such as "3.2" and "3.2 million", count as one mention.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# Below this total there is no other combination to renormalise over.
_MIN_TOTAL = 1e-4
# Mentions that are compared with those of a third operand; the likeliest if there are more.
MAX_MENTIONS = 128
# Mentions of one place: "3.2 million" is 3,200,000 and 3.2, "nine out of ten" is 9/10 and 9.
_MAX_OVERLAPPING = 3


class MentionWeights(NamedTuple):
    """A distribution over mentions.

    Attributes:
        weights: Probability of each mention.
        entry: Position of each mention's value in the support.
        place: Number of each mention's place in the text; mentions of one place are neighbours.
    """

    weights: Float[Tensor, "b k"]
    entry: Int[Tensor, "b k"]
    place: Int[Tensor, "b k"]

    def moved(self, positions: Int[Tensor, "b s"], size: int) -> "MentionWeights":
        """The same mentions in a smaller support.

        Args:
            positions: The new position of each value.
            size: Number of values that are left; mentions of others have no weight.
        """
        entry = positions.gather(1, self.entry)
        kept = entry < size
        return MentionWeights(self.weights * kept, entry * kept, self.place)

    def select(self, mentions: Int[Tensor, "b c"]) -> "MentionWeights":
        """Some of the mentions of each row, in text order."""
        return MentionWeights(*(part.gather(1, mentions) for part in self))

    def at_same_place(self) -> "Iterator[MentionWeights]":
        """For each mention the mentions of its place, one after the other: itself first.

        Each result has one mention for each mention of these; it has no weight where there is none.
        """
        yield self
        size = self.place.shape[1]
        for distance in range(1, min(_MAX_OVERLAPPING, size)):
            same = self.place[:, distance:] == self.place[:, :-distance]
            if same.any():
                missing = same.new_zeros(len(same), distance)
                yield self._rolled(-distance, torch.cat([same, missing], 1))
                yield self._rolled(distance, torch.cat([missing, same], 1))

    def _rolled(self, shift: int, kept: Bool[Tensor, "b k"]) -> "MentionWeights":
        weights, entry = self.weights.roll(shift, 1), self.entry.roll(shift, 1)
        return MentionWeights(weights * kept, entry, self.place)


class Renormalised(NamedTuple):
    """A distribution after some combinations were excluded.

    Attributes:
        weights: The weights of the results.
        scale: The factor that the remaining combinations were multiplied by.
        renormalised: Whether combinations were excluded; false for rows that have no other.
    """

    weights: Float[Tensor, "b s"]
    scale: Float[Tensor, "b 1"]
    renormalised: Bool[Tensor, "b 1"]


@dataclass(frozen=True)
class PairJoint:
    """The joint distribution of two different mentions, kept for combining it with a third.

    Attributes:
        first: Distribution of the first operand over mentions.
        second: Distribution of the second operand over mentions.
        index: Position of the result of each pair of values.
        renormalised: The distribution of the results.
    """

    first: MentionWeights
    second: MentionWeights
    index: Int[Tensor, "b i j"]
    renormalised: Renormalised

    @staticmethod
    def of(
        results: Float[Tensor, "b s"],
        index: Int[Tensor, "b i j"],
        first: MentionWeights,
        second: MentionWeights,
    ) -> "PairJoint":
        """Exclude the pairs of a mention with itself or with another one of its place."""
        rows = torch.arange(len(index), device=index.device)[:, None]
        others = list(second.at_same_place())
        repeated = [first.weights * other.weights for other in others]
        own_results = [index[rows, first.entry, other.entry] for other in others]
        renormalised = _exclude(results, torch.cat(own_results, 1), torch.cat(repeated, 1))
        return PairJoint(first, second, index, renormalised)

    def moved(self, positions: Int[Tensor, "b s"]) -> "PairJoint":
        """The same pairs with their results in a smaller support.

        Args:
            positions: The new position of each result; the size of the support if it is dropped.
        """
        index = positions.gather(1, self.index.flatten(1)).view(self.index.shape)
        return replace(self, index=index)

    def joined(
        self, results: Float[Tensor, "b s"], index: Int[Tensor, "b r j"], third: MentionWeights
    ) -> Float[Tensor, "b s"]:
        """Exclude the triples whose third mention is one of this pair.

        Args:
            results: Distribution of the results of this pair with the third operand.
            index: Position of the result of each of this pair's results with each value.
            third: Distribution of the third operand over mentions.
        """
        if not index.shape[1]:  # all results of the pair were negative
            return results
        pair, third = self._likeliest_mentions(third)
        positions = pair._pair_positions()
        # The results of the other pairs were negative or dropped.
        weights = pair._pair_weights() * (positions < index.shape[1])
        rows = positions.clamp(max=index.shape[1] - 1) * index.shape[2]
        # The third mention is at the place of the first or the second; a triple of one place counts
        # once.
        others = weights * ~pair._of_one_place()
        repeated, repeated_index = [], []
        for each in third.at_same_place():
            repeated += [weights * each.weights[:, :, None], others * each.weights[:, None, :]]
            repeated_index += [rows + each.entry[:, :, None], rows + each.entry[:, None, :]]
        result_index = index.flatten(1).gather(1, torch.cat(repeated_index, 1).flatten(1))
        return _exclude(results, result_index, torch.cat(repeated, 1).flatten(1)).weights

    def _likeliest_mentions(self, third: MentionWeights) -> "tuple[PairJoint, MentionWeights]":
        """This pair and a third operand, with the mentions that weigh most in one of the three."""
        if third.weights.shape[1] <= MAX_MENTIONS:
            return self, third
        weights = torch.stack([self.first.weights, self.second.weights, third.weights]).amax(0)
        mentions = weights.topk(MAX_MENTIONS).indices.sort().values
        first, second = self.first.select(mentions), self.second.select(mentions)
        return replace(self, first=first, second=second), third.select(mentions)

    def _pair_positions(self) -> Int[Tensor, "b k k"]:
        """Position of the result of each pair of mentions."""
        pairs = self.first.entry[:, :, None] * self.index.shape[2] + self.second.entry[:, None, :]
        positions = self.index.flatten(1).gather(1, pairs.flatten(1))
        return positions.view(pairs.shape)

    def _pair_weights(self) -> Float[Tensor, "b k k"]:
        """Weight of each pair of mentions in the renormalised distribution."""
        joint = self.first.weights[:, :, None] * self.second.weights[:, None, :]
        excluded = self.renormalised.renormalised[:, :, None] & self._of_one_place()
        return joint.masked_fill(excluded, 0) * self.renormalised.scale[:, :, None]

    def _of_one_place(self) -> Bool[Tensor, "b k k"]:
        """Which pairs consist of mentions of one place."""
        return self.first.place[:, :, None] == self.second.place[:, None, :]


def _exclude(
    results: Float[Tensor, "b s"], index: Int[Tensor, "b n"], weights: Float[Tensor, "b n"]
) -> Renormalised:
    """Subtract weights from their results, and rescale the rest to the old total."""
    others = results.scatter_add(1, index, -weights).clamp(min=0)
    total = others.sum(-1, keepdim=True)
    renormalised = total > _MIN_TOTAL
    scale = results.sum(-1, keepdim=True) / total.clamp(min=_MIN_TOTAL)
    scale = torch.where(renormalised, scale, torch.ones_like(scale))
    weights = torch.where(renormalised, others * scale, results)
    return Renormalised(weights, scale, renormalised)
