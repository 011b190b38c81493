"""The order of training: questions of one passage together, passages shuffled anew each epoch."""

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def split_groups(groups: Sequence[Sequence[T]], size: int) -> list[Sequence[T]]:
    """Each passage's questions in even parts of at most ``size``."""
    parts: list[Sequence[T]] = []
    for group in groups:
        count = -(-len(group) // size)
        parts += [group[place::count] for place in range(count)]
    return parts


def epoch(groups: Sequence[Sequence[T]], size: int, seed: int, number: int) -> list[Sequence[T]]:
    """All groups in the order of one epoch: the same for the same seed and epoch."""
    order = random.Random(f"{seed}/{number}")
    shuffled = [order.sample(group, len(group)) for group in groups]
    parts = split_groups(shuffled, size)
    order.shuffle(parts)
    return parts


def endless(
    groups: Sequence[Sequence[T]], size: int, seed: int, start: int
) -> Iterator[tuple[int, Sequence[T]]]:
    """Groups for ever, with their running number, beginning at number ``start``."""
    length = len(split_groups(groups, size))
    number, place = divmod(start, length)
    while True:
        for offset, group in enumerate(epoch(groups, size, seed, number)[place:], place):
            yield number * length + offset, group
        number, place = number + 1, 0
