"""The exact distribution of the total, or the mean, of an uncertain set of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from workings.arithmetic.support import Support
from workings.ops.results import Numbers

# Less likely members are left out. The chance that one of them belongs to the set is accounted for
# as undefined.
_MIN_PROBABILITY = 1e-4
# The most different totals that are followed; beyond it only the likeliest are.
MAX_TOTALS = 2048
# Larger states are computed with Python's integers, which cannot overflow.
_MAX_INT64 = 1 << 62

# Each state is a total in common units and a size, as one whole number: total * base + size.
_States: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


def sum_of_members(
    probabilities: Float[Tensor, "b k"], values: Sequence[Sequence[Fraction]]
) -> Numbers:
    """The distribution of the sum of the members; an empty set has no sum.

    Args:
        probabilities: The probability that each number is a member, independently.
        values: The numbers of each row; padding has no number.
    """
    # A sum depends on whether there are members, not on how many there are.
    return _stack([_totals(*row, largest_size=1) for row in _rows(probabilities, values)])


def mean_of_members(
    probabilities: Float[Tensor, "b k"], values: Sequence[Sequence[Fraction]]
) -> Numbers:
    """The distribution of the mean of the members; an empty set has no mean.

    Args:
        probabilities: The probability that each number is a member, independently.
        values: The numbers of each row; padding has no number.
    """
    return _stack([_totals(*row, largest_size=len(row[1])) for row in _rows(probabilities, values)])


def _rows(
    probabilities: Float[Tensor, "b k"], values: Sequence[Sequence[Fraction]]
) -> list[tuple[Tensor, Sequence[Fraction]]]:
    """The probabilities and numbers of each row, without padding."""
    return [(p[: len(row)], row) for p, row in zip(probabilities, values, strict=True)]


@dataclass(frozen=True)
class _Total:
    """The distribution of one row."""

    support: Support
    weights: Float[Tensor, " s"]


def _totals(
    probabilities: Float[Tensor, " k"], values: Sequence[Fraction], *, largest_size: int
) -> _Total:
    """Add one number after the other to the set, and keep the weight of each distinct state.

    Args:
        probabilities: The probability that each number is a member.
        values: The numbers.
        largest_size: Sizes are counted up to this one. Totals are divided by the size.
    """
    unit, base = lcm(1, *(value.denominator for value in values)), largest_size + 1
    steps = [int(value * unit) for value in values]
    is_likely = probabilities.detach() > _MIN_PROBABILITY
    fits = (sum(map(abs, steps)) + 1) * base < _MAX_INT64
    states: _States = np.zeros(1, dtype=np.int64 if fits else object)
    weights = (1 - probabilities[~is_likely]).prod()[None]
    for index in is_likely.nonzero()[:, 0].tolist():
        states, weights = _extend(states, weights, steps[index], probabilities[index], base)
    return _measured(states, weights, unit, base)


def _extend(
    states: _States,
    weights: Float[Tensor, " s"],
    step: int,
    probability: Float[Tensor, ""],
    base: int,
) -> tuple[_States, Float[Tensor, " t"]]:
    """The states with and without one more number."""
    sizes = np.minimum(states % base + 1, base - 1)
    larger = (states // base + step) * base + sizes
    distinct, index = np.unique(np.concatenate([states, larger]), return_inverse=True)
    both = torch.cat([weights * (1 - probability), weights * probability])
    positions = torch.from_numpy(index.reshape(-1)).to(weights.device)
    merged = weights.new_zeros(len(distinct)).index_add(0, positions, both)
    if len(distinct) <= MAX_TOTALS:
        return distinct, merged
    kept = merged.detach().topk(MAX_TOTALS).indices
    return distinct[kept.cpu().numpy()], merged[kept]


def _measured(states: _States, weights: Float[Tensor, " s"], unit: int, base: int) -> _Total:
    """The distribution of total divided by size, over the states with at least one member."""
    totals, sizes = states // base, states % base
    kept = np.flatnonzero((sizes > 0) & (totals >= 0))
    # Whole numbers over one denominator sort much faster than fractions.
    common = lcm(1, *sizes[kept].tolist())
    factors = np.array([common // size for size in sizes[kept].tolist()], dtype=object)
    distinct, index = np.unique(totals[kept].astype(object) * factors, return_inverse=True)
    support = Support(tuple(Fraction(total, unit * common) for total in distinct.tolist()))
    positions = torch.from_numpy(index.reshape(-1)).to(weights.device)
    members = torch.from_numpy(kept).to(weights.device)
    summed = weights.new_zeros(len(support)).index_add(0, positions, weights[members])
    return _Total(support, summed)


def _stack(rows: Sequence[_Total]) -> Numbers:
    size = max(1, *(len(row.support) for row in rows))
    padded = [
        torch.cat([row.weights, row.weights.new_zeros(size - len(row.weights))]) for row in rows
    ]
    return Numbers(torch.stack(padded), [row.support for row in rows])
