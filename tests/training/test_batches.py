"""The order of training."""

from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.training.batches import Order, portions, split_groups


def groups(sizes: list[int]) -> list[list[Any]]:
    return [[SimpleNamespace(id=(g, q)) for q in range(size)] for g, size in enumerate(sizes)]


def test_a_passage_is_cut_into_even_parts() -> None:
    assert [len(part) for part in split_groups(groups([13, 3]), 8)] == [7, 6, 3]


@pytest.mark.parametrize(
    ("pieces", "most", "sizes"),
    [
        ([30, 30, 30], 100, [3]),
        ([30, 30, 40], 100, [2, 1]),  # as if all were as long as the longest
        ([30] * 6, 130, [3, 3]),  # four would fit: even parts are as good
        ([30, 30], 10, [1, 1]),  # one is read, however long
    ],
)
def test_a_group_is_cut_to_fit_into_memory(pieces: list[int], most: int, sizes: list[int]) -> None:
    (group,) = groups([len(pieces)])
    parts = portions(group, pieces, most)
    assert [len(part) for part in parts] == sizes
    assert sorted(one.id for part in parts for one in part) == [one.id for one in group]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=8), st.integers(1, 9), st.integers(0, 5))
def test_an_epoch_asks_every_question_once_and_never_mixes_passages(
    sizes: list[int], size: int, number: int
) -> None:
    parts = Order(size, seed=3).epoch(groups(sizes), number)
    asked = [one.id for part in parts for one in part]
    assert sorted(asked) == [(g, q) for g, count in enumerate(sizes) for q in range(count)]
    assert all(len({one.id[0] for one in part}) == 1 and len(part) <= size for part in parts)


def test_going_on_from_a_place_gives_what_would_have_come() -> None:
    known, order = groups([5, 9, 2, 7]), Order(4, seed=1)
    whole = [(n, [one.id for one in part]) for n, part in islice(order.endless(known, 0), 30)]
    rest = [(n, [one.id for one in part]) for n, part in islice(order.endless(known, 11), 19)]
    assert rest == whole[11:]


def test_epochs_differ_and_seeds_repeat() -> None:
    known = groups([4] * 10)

    def ids(seed: int, number: int) -> list[Any]:
        return [one.id for part in Order(4, seed).epoch(known, number) for one in part]

    assert ids(1, 0) == ids(1, 0) != ids(1, 1) != ids(2, 1)


def test_passages_read_together_are_whole_groups_in_a_row() -> None:
    known = groups([3, 2, 4, 1, 5])
    apart = Order(8, seed=1).epoch(known, 2)
    assert Order(8, seed=1, passages=2).epoch(known, 2) == [
        [*apart[0], *apart[1]],
        [*apart[2], *apart[3]],
        apart[4],
    ]
    assert Order(8, seed=1, passages=2).length(known) == 3
