"""Groups of questions: sizes, order and micro-batches."""

from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.training.batches import GroupSampler, micro_batches, split_groups


def passages(sizes: list[int]) -> list[list[Any]]:
    """Passages with so many questions each; a question's id is its passage and its number."""
    return [[SimpleNamespace(id=(p, q)) for q in range(size)] for p, size in enumerate(sizes)]


def test_splits_a_passage_into_even_parts() -> None:
    assert [len(part) for part in split_groups(passages([13, 3]), 8)] == [7, 6, 3]


@pytest.mark.parametrize(
    ("token_counts", "max_tokens", "sizes"),
    [
        ([30, 30, 30], 100, [3]),
        ([30, 30, 40], 100, [2, 1]),  # padded to the longest
        ([30] * 6, 130, [3, 3]),  # four would fit, but parts are even
        ([30, 30], 10, [1, 1]),  # a part has at least one question
    ],
)
def test_micro_batches_fit_into_memory(
    token_counts: list[int], max_tokens: int, sizes: list[int]
) -> None:
    (group,) = passages([len(token_counts)])
    parts = micro_batches(group, token_counts, max_tokens)
    assert [len(part) for part in parts] == sizes
    assert sorted(question.id for part in parts for question in part) == [q.id for q in group]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=8), st.integers(1, 9), st.integers(0, 5))
def test_epoch_has_every_question_once_and_one_passage_per_group(
    sizes: list[int], size: int, number: int
) -> None:
    groups = GroupSampler(size, seed=3).epoch(passages(sizes), number)
    ids = [question.id for group in groups for question in group]
    assert sorted(ids) == [(p, q) for p, count in enumerate(sizes) for q in range(count)]
    for group in groups:
        assert len({question.id[0] for question in group}) == 1
        assert len(group) <= size


def test_iteration_can_start_anywhere() -> None:
    questions, sampler = passages([5, 9, 2, 7]), GroupSampler(4, seed=1)
    whole = [
        (index, [question.id for question in group])
        for index, group in islice(sampler.iterate(questions, 0), 30)
    ]
    rest = [
        (index, [question.id for question in group])
        for index, group in islice(sampler.iterate(questions, 11), 19)
    ]
    assert rest == whole[11:]


def test_order_depends_on_seed_and_epoch() -> None:
    questions = passages([4] * 10)

    def ids(seed: int, number: int) -> list[Any]:
        groups = GroupSampler(4, seed).epoch(questions, number)
        return [question.id for group in groups for question in group]

    assert ids(1, 0) == ids(1, 0) != ids(1, 1) != ids(2, 1)


def test_several_passages_per_group() -> None:
    questions = passages([3, 2, 4, 1, 5])
    single = GroupSampler(8, seed=1).epoch(questions, 2)
    pairs = GroupSampler(8, seed=1, passages_per_group=2)
    assert pairs.epoch(questions, 2) == [
        [*single[0], *single[1]],
        [*single[2], *single[3]],
        single[4],
    ]
    assert pairs.groups_per_epoch(questions) == 3


def used(weights: list[float], number: int) -> list[int]:
    """How often each of several passages with one question is used in an epoch."""
    questions = [[index] for index in range(len(weights))]
    groups = GroupSampler(4, seed=1).epoch(questions, number, weights)
    flat = [item for group in groups for item in group]
    return [flat.count(index) for index in range(len(weights))]


def test_passages_are_used_by_their_weights() -> None:
    weights = [0.25] * 8 + [1.0, 2.0, 1.5, 1.5]
    epochs = [used(weights, number) for number in range(4)]
    totals = [sum(counts) for counts in zip(*epochs, strict=True)]
    assert totals == [1] * 8 + [4, 8, 6, 6]
    assert [sum(counts[:8]) for counts in epochs] == [2, 2, 2, 2]


def test_weights_of_one_change_nothing() -> None:
    questions, sampler = passages([5, 9, 2, 7]), GroupSampler(4, seed=1)
    assert sampler.epoch(questions, 3, [1.0] * 4) == sampler.epoch(questions, 3)
    assert sampler.groups_per_epoch(questions, [1.0] * 4) == sampler.groups_per_epoch(questions)


def test_weighted_epochs_can_be_resumed() -> None:
    questions, sampler = passages([5, 9, 2, 7]), GroupSampler(4, seed=1)
    weights = [0.5, 1.0, 2.0, 0.3]
    whole = list(islice(sampler.iterate(questions, 0, weights), 30))
    assert [index for index, _ in whole] == list(range(30))
    for start in (1, 7, 13, 29):
        rest = islice(sampler.iterate(questions, start, weights), 30 - start)
        assert list(rest) == whole[start:]


def test_mean_groups_of_weighted_epochs() -> None:
    questions, sampler = passages([4, 8, 4, 4]), GroupSampler(4, seed=1)
    assert sampler.groups_per_epoch(questions, [0.5, 2.0, 0.5, 1.0]) == 6
