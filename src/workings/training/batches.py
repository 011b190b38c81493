"""Batches of training questions: grouped by passage, reshuffled each epoch."""

import math
import operator
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeVar

T = TypeVar("T")


def split_groups(groups: Sequence[Sequence[T]], max_size: int) -> list[Sequence[T]]:
    """Split each group into parts of nearly equal size, each of at most ``max_size`` items."""
    parts: list[Sequence[T]] = []
    for group in groups:
        size = -(-len(group) // max_size)
        parts += [group[start::size] for start in range(size)]
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

    def groups_per_epoch(
        self, passages: Sequence[Sequence[T]], weights: Sequence[float] | None = None
    ) -> int:
        """The number of groups in one epoch; with weights, the mean over epochs.

        Args:
            passages: The questions of each passage.
            weights: How often each passage is used per epoch; None for once.
        """
        parts = [-(-len(questions) // self.questions_per_group) for questions in passages]
        used = sum(parts) if weights is None else math.fsum(map(operator.mul, parts, weights))
        return math.ceil(round(used, 6) / self.passages_per_group)

    def epoch(
        self,
        passages: Sequence[Sequence[T]],
        number: int,
        weights: Sequence[float] | None = None,
    ) -> list[Sequence[T]]:
        """The groups of one epoch; the same seed and number give the same order.

        Args:
            passages: The questions of each passage.
            number: The epoch, counted from 0.
            weights: How often each passage is used per epoch; None for once.
        """
        if weights is not None:
            passages = [passages[index] for index in self._draw(weights, number)]
        rng = random.Random(f"{self.seed}/{number}")
        shuffled = [rng.sample(questions, len(questions)) for questions in passages]
        parts = split_groups(shuffled, self.questions_per_group)
        rng.shuffle(parts)
        starts = range(0, len(parts), self.passages_per_group)
        return [list(chain(*parts[start : start + self.passages_per_group])) for start in starts]

    def iterate(
        self,
        passages: Sequence[Sequence[T]],
        start: int,
        weights: Sequence[float] | None = None,
    ) -> Iterator[tuple[int, Sequence[T]]]:
        """Yield groups epoch after epoch, without end, with their index in the whole run.

        Args:
            passages: The questions of each passage.
            start: Index of the first group to yield; a resumed run continues there.
            weights: How often each passage is used per epoch; None for once.
        """
        index = 0
        for number in count():
            groups = self.epoch(passages, number, weights)
            for offset in range(max(0, start - index), len(groups)):
                yield index + offset, groups[offset]
            index += len(groups)

    def _draw(self, weights: Sequence[float], number: int) -> list[int]:
        """The indices of the passages of an epoch, each as often as it is used.

        A passage with a weight of 0.25 is used in every fourth epoch. Passages of the same weight
        are spread evenly over the epochs.
        """
        order = list(range(len(weights)))
        random.Random(f"{self.seed}/passages").shuffle(order)
        by_weight: dict[float, list[int]] = {}
        for index in order:
            by_weight.setdefault(weights[index], []).append(index)
        drawn: list[int] = []
        for weight, members in by_weight.items():
            whole, part = divmod(weight, 1)
            size = len(members)
            for rank, index in enumerate(members):
                is_turn = (rank / size + number * part) % 1 < part
                drawn += [index] * (int(whole) + is_turn)
        return sorted(drawn)
