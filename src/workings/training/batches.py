"""The order of training: questions of one passage together, passages shuffled anew each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

T = TypeVar("T")


def split_groups(groups: Sequence[Sequence[T]], size: int) -> list[Sequence[T]]:
    """Each passage's questions in even parts of at most ``size``."""
    parts: list[Sequence[T]] = []
    for group in groups:
        count = -(-len(group) // size)
        parts += [group[place::count] for place in range(count)]
    return parts


def portions(group: Sequence[T], pieces: Sequence[int], most: int) -> list[Sequence[T]]:
    """A group in even parts of at most so many pieces each, or of one question."""
    return split_groups([group], max(1, most // max(pieces)))


@dataclass(frozen=True)
class Order:
    """In which groups questions are read: of how many passages, how many of each, which seed."""

    size: int
    seed: int
    passages: int = 1

    def length(self, groups: Sequence[Sequence[T]]) -> int:
        """The groups of one epoch."""
        return -(-len(split_groups(groups, self.size)) // self.passages)

    def epoch(self, groups: Sequence[Sequence[T]], number: int) -> list[Sequence[T]]:
        """All groups in the order of one epoch: the same for the same seed and epoch."""
        order = random.Random(f"{self.seed}/{number}")
        shuffled = [order.sample(group, len(group)) for group in groups]
        parts = split_groups(shuffled, self.size)
        order.shuffle(parts)
        starts = range(0, len(parts), self.passages)
        return [list(chain(*parts[start : start + self.passages])) for start in starts]

    def endless(
        self, groups: Sequence[Sequence[T]], start: int
    ) -> Iterator[tuple[int, Sequence[T]]]:
        """Groups for ever, with their running number, beginning at number ``start``."""
        length = self.length(groups)
        number, place = divmod(start, length)
        while True:
            for offset, group in enumerate(self.epoch(groups, number)[place:], place):
                yield number * length + offset, group
            number, place = number + 1, 0
