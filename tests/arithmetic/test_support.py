"""Supports: exact, distinct, rising, built once and forgotten with their passages."""

import gc
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.arithmetic.support import DIFFERENCES, Operation, Support
from workings.modules.add import ADD

MULTIPLY = Operation("multiply", np.multiply, degree=2)
fractions = st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 1000))
values = st.sets(fractions, max_size=8).map(sorted).map(tuple)


def support(*values: object) -> Support:
    return Support(tuple(Fraction(str(value)) for value in values))


@pytest.mark.parametrize(
    ("operation", "results"),
    [
        (DIFFERENCES["ordered"], [0, 2, 4, 6, 10]),
        (DIFFERENCES["absolute"], [0, 2, 4, 6, 10]),
        (ADD, [2, 6, 8, 10, 12, 14, 16, 18, 22]),
    ],
    ids=["sub", "distance", "add"],
)
def test_the_papers_example(operation: Operation, results: Sequence[int]) -> None:
    operands = support(1, 5, 7, 11)
    assert operands.combine(operands, operation).support.values == tuple(map(Fraction, results))


def test_negative_differences_are_left_out() -> None:
    pairs = support(1, 5).combine(support(1, 5), DIFFERENCES["ordered"])
    assert pairs.support.values == (0, 4)
    assert pairs.index.tolist() == [[0, 2], [1, 0]]


@given(values, values, st.sampled_from([ADD, *DIFFERENCES.values(), MULTIPLY]))
def test_against_plain_fractions(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], operation: Operation
) -> None:
    plain = {
        "add": Fraction.__add__,
        "sub": Fraction.__sub__,
        "multiply": Fraction.__mul__,
        "distance": lambda a, b: abs(a - b),
    }[operation.name]
    pairs = Support(first).combine(Support(second), operation)
    kept = pairs.support.values
    assert list(kept) == sorted(
        {plain(a, b) for a, b in product(first, second) if plain(a, b) >= 0}
    )
    for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
        place = int(pairs.index[i, j])
        assert plain(a, b) < 0 if place == len(kept) else kept[place] == plain(a, b)


def test_decimals_are_exact() -> None:
    made = support("0.1", "0.3").combine(support("0.2"), ADD).support
    assert made.values == (Fraction(3, 10), Fraction(1, 2))


def test_numbers_too_large_for_the_machine() -> None:
    huge = support(10**40, 10**40 + 1)
    assert huge.combine(huge, DIFFERENCES["ordered"]).support.values == (0, 1)
    assert huge.combine(support("0.001"), MULTIPLY).support.values[0] == 10**37


def test_nothing_combines_to_nothing() -> None:
    pairs = support().combine(support(1, 2), ADD)
    assert len(pairs.support) == 0
    assert pairs.index.shape == (0, 2)


def test_combinations_are_built_once() -> None:
    calls = []

    def count(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        calls.append(1)
        return first + second

    operands, operation = support(1, 2), Operation("counted", count)
    assert not calls
    assert operands.combine(operands, operation) is operands.combine(operands, operation)
    assert len(calls) == 1


def test_a_support_of_all_passages_keeps_none_alive() -> None:
    counts, passage = support(0, 1, 2), support(7)
    counts.combine(passage, ADD)
    assert len(counts._pairs) == 1
    del passage
    gc.collect()
    assert len(counts._pairs) == 0
