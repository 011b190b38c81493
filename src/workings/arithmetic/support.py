"""Supports of number distributions: sorted exact values, and the results of combining two."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from workings.arithmetic.exact_array import ExactArray, Integers, common_denominator
from workings.arithmetic.operation import Operation
from workings.budget import spend_pairs


@dataclass(frozen=True)
class PairResults:
    """The results of all pairs of operands.

    Attributes:
        support: The distinct results, without negative and undefined ones.
        index: Position in the support of the result of each pair; ``len(support)`` for pairs whose
            result is negative or undefined.
    """

    support: "Support"
    index: Int[Tensor, "first second"]


@dataclass(frozen=True, eq=False)
class Support:
    """Distinct numbers in ascending order. Combinations are computed lazily and cached."""

    values: tuple[Fraction, ...]
    # Weak keys: a support that all passages share (the counts) must not keep the others alive.
    _pairs: "WeakKeyDictionary[Support, dict[Operation, PairResults]]" = field(
        default_factory=WeakKeyDictionary, repr=False
    )

    def __len__(self) -> int:
        return len(self.values)

    def __reduce__(self) -> tuple[type["Support"], tuple[tuple[Fraction, ...]]]:
        """Pickle the values alone: the caches have weak keys, which cannot be pickled."""
        return Support, (self.values,)

    @cached_property
    def positions(self) -> dict[Fraction, int]:
        """The position of each value."""
        return {value: position for position, value in enumerate(self.values)}

    def combine(self, other: "Support", operation: Operation) -> PairResults:
        """Apply an operation to every pair of a value of this support and one of another.

        Args:
            other: The support of the second operand.
            operation: The operation; negative and undefined results are dropped.

        Raises:
            AnswerTimeoutError: The time of the budget in force is over.
            WorkLimitError: The budget in force has too few pairs left.
        """
        cached = self._pairs.setdefault(other, {})
        if operation not in cached:
            spend_pairs(len(self) * len(other))
            cached[operation] = _combine(self.values, other.values, operation)
        return cached[operation]

    def pairs_with_result(
        self, other: "Support", operation: Operation, result: Fraction
    ) -> tuple[Int[Tensor, " n"], Int[Tensor, " n"]]:
        """The positions of all pairs of a value of this support and one of another with a result.

        Args:
            other: The support of the second operand.
            operation: The operation.
            result: The result to look for.
        """
        results = _all_results(self.values, other.values, operation)
        difference = results - ExactArray.of((result,))
        rows, columns = ((difference.numerator == 0) & results.is_defined).nonzero()
        return torch.from_numpy(rows), torch.from_numpy(columns)


def _all_results(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], operation: Operation
) -> ExactArray:
    """The result of each pair of values."""
    scale = common_denominator(first + second)
    rows = ExactArray.of(first, scale).reshape(-1, 1)
    columns = ExactArray.of(second, scale).reshape(1, -1)
    return operation(rows, columns)


def _combine(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], operation: Operation
) -> PairResults:
    results = _all_results(first, second, operation)
    valid = results.is_defined & (results.numerator >= 0)
    values, index = _distinct(results, valid)
    positions = np.full(results.numerator.shape, len(values), dtype=np.int64)
    positions[valid] = index
    return PairResults(Support(values), torch.from_numpy(positions))


def _distinct(
    results: ExactArray, valid: "np.ndarray[Any, np.dtype[np.bool_]]"
) -> tuple[tuple[Fraction, ...], Integers]:
    """The distinct valid results in ascending order, and the position of each valid result."""
    numerators = results.numerator[valid]
    if results.denominator.ndim == 0:
        unique, index = np.unique(numerators, return_inverse=True)
        scale = int(results.denominator)
        integers = unique.tolist()
        if scale == 1:  # the common case, for which Fraction is twice as fast
            return tuple(map(Fraction, integers)), index.reshape(-1)
        return tuple(Fraction(value, scale) for value in integers), index.reshape(-1)
    denominators = np.broadcast_to(results.denominator, results.numerator.shape)[valid]
    divisor = np.gcd(numerators, denominators)
    reduced = zip((numerators // divisor).tolist(), (denominators // divisor).tolist(), strict=True)
    fractions = [Fraction(numerator, denominator) for numerator, denominator in reduced]
    values = tuple(sorted(set(fractions)))
    positions = {value: position for position, value in enumerate(values)}
    return values, np.array([positions[value] for value in fractions], dtype=np.int64)
