"""Arrays of exact fractions: vectorised arithmetic without rounding or overflow."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

# Results of one operation on 64-bit integers must stay below 2 to this power.
_MAX_BITS = 62

Integers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class ExactArray:
    """Fractions as integer numerators and non-negative denominators.

    A denominator of 0 stands for an undefined fraction. Arrays hold 64-bit integers where all
    results fit, and Python integers otherwise.
    """

    numerator: Integers
    denominator: Integers

    @staticmethod
    def of(values: "tuple[Fraction, ...]", scale: int | None = None) -> "ExactArray":
        """Build an array over one common denominator.

        Args:
            values: The fractions.
            scale: The common denominator; the least one by default.
        """
        scale = scale or common_denominator(values)
        scaled = [value.numerator * (scale // value.denominator) for value in values]
        fits = all(abs(value) < 1 << _MAX_BITS for value in (*scaled, scale))
        kind: Any = np.int64 if fits else object
        return ExactArray(np.array(scaled, dtype=kind), np.array(scale, dtype=kind))

    @property
    def is_defined(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Which fractions exist: false after a division by zero."""
        defined: np.ndarray[Any, np.dtype[np.bool_]] = np.broadcast_to(
            self.denominator != 0, self.numerator.shape
        )
        return defined

    def reshape(self, *shape: int) -> "ExactArray":
        """Reshape the numerators; there must be one common denominator."""
        return ExactArray(self.numerator.reshape(*shape), self.denominator)

    def __add__(self, other: "ExactArray") -> "ExactArray":
        first, second, denominator = self._aligned(other)
        return ExactArray(_add(first, second), denominator)

    def __neg__(self) -> "ExactArray":
        return ExactArray(-self.numerator, self.denominator)

    def __sub__(self, other: "ExactArray") -> "ExactArray":
        return self + -other

    def __mul__(self, other: "ExactArray") -> "ExactArray":
        return ExactArray(
            _multiply(self.numerator, other.numerator),
            _multiply(self.denominator, other.denominator),
        )

    def __truediv__(self, other: "ExactArray") -> "ExactArray":
        sign = np.where(other.numerator < 0, -1, 1)
        numerator = _multiply(self.numerator * sign, other.denominator)
        denominator = _multiply(self.denominator, other.numerator * sign)
        undefined = (self.denominator == 0) | (other.denominator == 0)
        return ExactArray(numerator, np.where(undefined, 0, denominator))

    def __abs__(self) -> "ExactArray":
        return ExactArray(abs(self.numerator), self.denominator)

    def _aligned(self, other: "ExactArray") -> tuple[Integers, Integers, Integers]:
        """Both numerators over one denominator."""
        if self.denominator.ndim == other.denominator.ndim == 0 and bool(
            self.denominator == other.denominator
        ):
            return self.numerator, other.numerator, self.denominator
        return (
            _multiply(self.numerator, other.denominator),
            _multiply(other.numerator, self.denominator),
            _multiply(self.denominator, other.denominator),
        )


def common_denominator(values: "tuple[Fraction, ...]") -> int:
    """The least common denominator of some fractions."""
    return lcm(*(value.denominator for value in values), 1)


def _bits(array: Integers) -> int:
    """How many bits the largest absolute value needs."""
    return int(max(np.atleast_1d(abs(array)).max(initial=0), 1)).bit_length()


def _add(first: Integers, second: Integers) -> Integers:
    if max(_bits(first), _bits(second)) + 1 > _MAX_BITS:
        first, second = first.astype(object), second.astype(object)
    return np.asarray(first + second)


def _multiply(first: Integers, second: Integers) -> Integers:
    if _bits(first) + _bits(second) > _MAX_BITS:
        first, second = first.astype(object), second.astype(object)
    return np.asarray(first * second)
