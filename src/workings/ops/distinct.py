"""No mention taken twice: what such picks weigh goes to all others."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

_NOTHING = 1e-4


class MentionWeights(NamedTuple):
    """Values picked by their mentions: the weight of each mention, and its value's place."""

    weights: Float[Tensor, "b k"]
    entry: Int[Tensor, "b k"]


class Renormalised(NamedTuple):
    """What is left of a distribution, and what each weight was multiplied by to make up.

    Where there was nothing else to pick it is not ``renormalised``: one mention twice, after all.
    """

    weights: Float[Tensor, "b s"]
    scale: Float[Tensor, "b 1"]
    renormalised: Bool[Tensor, "b 1"]


@dataclass(frozen=True)
class PairJoint:
    """Two mentions combined, as a third one must know them."""

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
        """Combine all pairs but those of one mention with itself."""
        twice = first.weights * second.weights
        own = index.diagonal(dim1=1, dim2=2)  # where a number goes that is combined with itself
        return PairJoint(
            first, second, index, _leave_out(results, own.gather(1, first.entry), twice)
        )

    def joined(
        self, results: Float[Tensor, "b s"], index: Int[Tensor, "b r j"], third: MentionWeights
    ) -> Float[Tensor, "b s"]:
        """Combined with a third, where ``index`` places each of my results with each number."""
        if not index.shape[1]:  # my results were all below zero
            return results
        places = self._places()
        weights = self._weights() * (places < index.shape[1])  # the rest were below zero
        rows = places.clamp(max=index.shape[1] - 1) * index.shape[2]
        # The third is my first, or my second; where it is both it is left out but once.
        as_first, as_second = third.entry[:, :, None], third.entry[:, None, :]
        again = torch.cat([rows + as_first, rows + as_second], 1).flatten(1)
        twice = torch.cat(
            [
                weights * third.weights[:, :, None],
                weights * third.weights[:, None, :] * ~_same(weights),
            ],
            1,
        )
        return _leave_out(results, index.flatten(1).gather(1, again), twice.flatten(1)).weights

    def _places(self) -> Int[Tensor, "b k k"]:
        """Where each pair of mentions goes."""
        pairs = self.first.entry[:, :, None] * self.index.shape[2] + self.second.entry[:, None, :]
        found = self.index.flatten(1).gather(1, pairs.flatten(1))
        return found.view(pairs.shape)

    def _weights(self) -> Float[Tensor, "b k k"]:
        """What each pair of mentions weighs in the result."""
        joint = self.first.weights[:, :, None] * self.second.weights[:, None, :]
        out = self.renormalised.renormalised[:, :, None] & _same(joint)
        return joint.masked_fill(out, 0) * self.renormalised.scale[:, :, None]


def _same(joint: Float[Tensor, "b k k"]) -> Bool[Tensor, "k k"]:
    """Which pairs are of one mention."""
    return torch.eye(joint.shape[1], dtype=torch.bool, device=joint.device)


def _leave_out(
    results: Float[Tensor, "b s"], places: Int[Tensor, "b n"], weights: Float[Tensor, "b n"]
) -> Renormalised:
    """Take weights away from where they went and let all others make up for them."""
    others = results.scatter_add(1, places, -weights).clamp(min=0)
    left = others.sum(-1, keepdim=True)
    renormalised = left > _NOTHING
    scale = results.sum(-1, keepdim=True) / left.clamp(min=_NOTHING)
    scale = torch.where(renormalised, scale, torch.ones_like(scale))
    return Renormalised(torch.where(renormalised, others * scale, results), scale, renormalised)
