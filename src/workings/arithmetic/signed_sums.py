"""Exact search for numbers whose signed sum is a given number."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

# The index of a number and its sign, 1 or -1.
Term: TypeAlias = tuple[int, int]
# The signs that one term of a sum may have.
Signs: TypeAlias = tuple[int, ...]

PLUS: Signs = (1,)
MINUS: Signs = (-1,)
EITHER: Signs = (1, -1)


def signed_sums(
    values: Sequence[Fraction], target: Fraction, signs: Sequence[Signs], *, reuse: bool = False
) -> Iterator[tuple[Term, ...]]:
    """Find every choice of numbers whose signed sum is exactly the target.

    Terms with the same allowed signs can change places, so only the choice with ascending indices
    is given. For three numbers, ``(PLUS, PLUS, MINUS)`` gives 0 + 1 - 2 but not 1 + 0 - 2.

    Args:
        values: The numbers to choose from.
        target: The value of the sum.
        signs: The allowed signs of each term; its length is the number of terms, at least 1.
        reuse: Whether one number may be used by several terms.

    Yields:
        One term for each entry of ``signs``, in lexicographic order of the indices.
    """
    unit = math.lcm(target.denominator, *(value.denominator for value in values))
    scaled = [value.numerator * (unit // value.denominator) for value in values]
    search = _Search(scaled, tuple(signs), reuse)
    return search.complete((), target.numerator * (unit // target.denominator))


class _Search:
    """Depth-first search over all terms but the last, which is looked up."""

    def __init__(self, values: list[int], signs: tuple[Signs, ...], reuse: bool) -> None:
        self.values = values
        self.signs = signs
        self.reuse = reuse
        self.last_terms: dict[int, list[Term]] = {}
        for index, value in enumerate(values):
            for sign in signs[-1]:
                self.last_terms.setdefault(sign * value, []).append((index, sign))

    def complete(self, chosen: tuple[Term, ...], rest: int) -> Iterator[tuple[Term, ...]]:
        """Extend the chosen terms by terms that sum to the rest."""
        start, taken = self._start(chosen), self._taken(chosen)
        if len(chosen) + 1 == len(self.signs):
            for term in self.last_terms.get(rest, ()):
                if term[0] >= start and term[0] not in taken:
                    yield (*chosen, term)
            return
        next_is_last = len(chosen) + 2 == len(self.signs)
        for index in range(start, len(self.values)):
            for sign in self.signs[len(chosen)]:
                remainder = rest - sign * self.values[index]
                if next_is_last and remainder not in self.last_terms:
                    continue
                if index not in taken:
                    yield from self.complete((*chosen, (index, sign)), remainder)

    def _start(self, chosen: tuple[Term, ...]) -> int:
        """The first index of the next term, after the terms it can change places with."""
        signs = self.signs[len(chosen)]
        same = [term[0] for term, other in zip(chosen, self.signs, strict=False) if other == signs]
        if not same:
            return 0
        return same[-1] if self.reuse else same[-1] + 1

    def _taken(self, chosen: tuple[Term, ...]) -> set[int]:
        return set() if self.reuse else {index for index, _ in chosen}
