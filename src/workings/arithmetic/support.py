"""Exact supports of number distributions, and how two of them combine."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from weakref import WeakKeyDictionary

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

# What one operation makes of scaled integers must stay exact in 64 bits.
_SAFE_BITS = 61


@dataclass(frozen=True)
class Operation:
    """Arithmetic on whole numbers; results are scaled by the numbers' scale to the ``degree``."""

    name: str
    apply: Callable[[np.ndarray, np.ndarray], np.ndarray]
    degree: int = 1


@dataclass(frozen=True)
class Pairs:
    """Where each pair of operands lands: a place in ``support``, past its end what is left out."""

    support: "Support"
    index: Int[Tensor, "first second"]


@dataclass(frozen=True, eq=False)
class Support:
    """Distinct numbers in rising order. Combinations are built when first asked for, and kept."""

    values: tuple[Fraction, ...]
    # Weak keys: a support of many passages (the counts, say) must not keep them all alive.
    _pairs: "WeakKeyDictionary[Support, dict[str, Pairs]]" = field(
        default_factory=WeakKeyDictionary, repr=False
    )

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def places(self) -> dict[Fraction, int]:
        """Where each value stands."""
        return {value: place for place, value in enumerate(self.values)}

    def combine(self, other: "Support", operation: Operation) -> Pairs:
        """All results on a number of mine and one of ``other``; negative ones are left out."""
        kept = self._pairs.setdefault(other, {})
        if operation.name not in kept:
            kept[operation.name] = _combine(self.values, other.values, operation)
        return kept[operation.name]


def _combine(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], operation: Operation
) -> Pairs:
    scale = lcm(*(value.denominator for value in first + second), 1)
    bits = _SAFE_BITS // operation.degree
    left, right = _scaled(first, scale, bits), _scaled(second, scale, bits)
    results = operation.apply(left[:, None], right[None, :])
    distinct, index = np.unique(results, return_inverse=True)
    negative = int(np.searchsorted(distinct, 0))
    places = index.reshape(results.shape) - negative
    places[places < 0] = len(distinct) - negative
    unit = scale**operation.degree
    support = Support(tuple(Fraction(int(value), unit) for value in distinct[negative:]))
    return Pairs(support, torch.from_numpy(places.astype(np.int64)))


def _scaled(values: tuple[Fraction, ...], scale: int, bits: int) -> np.ndarray:
    """Exact integers: 64-bit where they fit, Python's own where they don't."""
    scaled = [value.numerator * (scale // value.denominator) for value in values]
    fits = all(abs(value) < 1 << bits for value in scaled)
    return np.array(scaled, dtype=np.int64 if fits else object)


# A difference drops what is below zero, or looks at the distance only.
DIFFERENCES = {
    "ordered": Operation("sub", np.subtract),
    "absolute": Operation("distance", lambda first, second: abs(first - second)),
}
