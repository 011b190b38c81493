"""Batches of training questions: grouped by passage, reshuffled each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

T = TypeVar("T")


def split_groups(groups: Sequence[Sequence[T]], max_size: int) -> list[Sequence[T]]:
    """Split each group into parts of nearly equal size, each of at most ``max_size`` items."""
    parts: list[Sequence[T]] = []
    for group in groups:
        count = -(-len(group) // max_size)
        parts += [group[start::count] for start in range(count)]
    return parts


def micro_batches(
    group: Sequence[T], token_counts: Sequence[int], max_tokens: int
) -> list[Sequence[T]]:
    """Split a group so that each part, padded to the longest item, has at most ``max_tokens``.

    An item that is longer than ``max_tokens`` is a part of its own.
    """
    return split_groups([group], max(1, max_tokens // max(token_counts)))


@dataclass(frozen=True)
class GroupSampler:
    """Draws groups of questions in random order, reproducibly.

    Attributes:
        questions_per_group: The most questions of one passage in a group.
        seed: Random seed.
        passages_per_group: Passages in a group.
    """

    questions_per_group: int
    seed: int
    passages_per_group: int = 1

    def groups_per_epoch(self, passages: Sequence[Sequence[T]]) -> int:
        """The number of groups in one epoch.

        Args:
            passages: The questions of each passage.
        """
        parts = split_groups(passages, self.questions_per_group)
        return -(-len(parts) // self.passages_per_group)

    def epoch(self, passages: Sequence[Sequence[T]], number: int) -> list[Sequence[T]]:
        """The groups of one epoch; the same seed and number give the same order.

        Args:
            passages: The questions of each passage.
            number: The epoch, counted from 0.
        """
        rng = random.Random(f"{self.seed}/{number}")
        shuffled = [rng.sample(questions, len(questions)) for questions in passages]
        parts = split_groups(shuffled, self.questions_per_group)
        rng.shuffle(parts)
        starts = range(0, len(parts), self.passages_per_group)
        return [list(chain(*parts[start : start + self.passages_per_group])) for start in starts]

    def iterate(
        self, passages: Sequence[Sequence[T]], start: int
    ) -> Iterator[tuple[int, Sequence[T]]]:
        """Yield groups epoch after epoch, without end, with their index in the whole run.

        Args:
            passages: The questions of each passage.
            start: Index of the first group to yield; a resumed run continues there.
        """
        length = self.groups_per_epoch(passages)
        number, skipped = divmod(start, length)
        while True:
            for index, group in enumerate(self.epoch(passages, number)[skipped:], skipped):
                yield number * length + index, group
            number, skipped = number + 1, 0
