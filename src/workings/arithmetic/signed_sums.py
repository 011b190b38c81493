"""Every signed pair and triple of numbers that comes to a given one, exactly."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

# The places of the chosen numbers, one row for each way.
Ways: TypeAlias = npt.NDArray[np.int64]

# Sums of three numbers below this stay within 64 bits.
_SAFE = 2**60


def pair_sums(values: Sequence[Fraction], target: Fraction) -> Ways:
    """All i <= j with ``v[i] + v[j] = target``, self-pairs included."""
    v, goal = _scaled(values, target)
    ways = np.argwhere(v[:, None] + v == goal)
    return ways[ways[:, 0] <= ways[:, 1]]


def pair_differences(values: Sequence[Fraction], target: Fraction) -> Ways:
    """All (i, j) with ``v[i] - v[j] = target``, self-pairs included."""
    v, goal = _scaled(values, target)
    return np.argwhere(v[:, None] - v == goal)


def triple_sums(values: Sequence[Fraction], target: Fraction) -> Ways:
    """All i < j < k with ``v[i] + v[j] + v[k] = target``."""
    v, goal = _scaled(values, target)
    ways = np.argwhere(v[:, None, None] + v[:, None] + v == goal)
    return ways[(ways[:, 0] < ways[:, 1]) & (ways[:, 1] < ways[:, 2])]


def sums_less_one(values: Sequence[Fraction], target: Fraction) -> Ways:
    """All (i, j, k), i < j, with ``v[i] + v[j] - v[k] = target`` and k neither of the others."""
    v, goal = _scaled(values, target)
    ways = np.argwhere(v[:, None, None] + v[:, None] - v == goal)
    return _unlike(ways[ways[:, 0] < ways[:, 1]], 2)


def one_less_sums(values: Sequence[Fraction], target: Fraction) -> Ways:
    """All (i, j, k), j < k, with ``v[i] - v[j] - v[k] = target`` and i neither of the others."""
    v, goal = _scaled(values, target)
    ways = np.argwhere(v[:, None, None] - v[:, None] - v == goal)
    return _unlike(ways[ways[:, 1] < ways[:, 2]], 0)


def _scaled(values: Sequence[Fraction], target: Fraction) -> tuple[npt.NDArray[Any], int]:
    """All values as integers of one common unit; as Python's own where 64 bits are too few."""
    unit = math.lcm(target.denominator, *(value.denominator for value in values))
    whole = [int(value * unit) for value in values]
    small = max(map(abs, whole), default=0) < _SAFE
    return np.array(whole, dtype=np.int64 if small else object), int(target * unit)


def _unlike(ways: Ways, one: int) -> Ways:
    """The ways whose number at ``one`` is not also used with the opposite sign."""
    once: npt.NDArray[np.bool_] = (ways == ways[:, [one]]).sum(axis=1) == 1
    return ways[once]
