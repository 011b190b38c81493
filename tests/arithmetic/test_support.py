"""Supports: exact and distinct values in ascending order, combined once and cached weakly."""

import gc
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from number_distributions import PRODUCT, REFERENCE, fractions
from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation
from workings.arithmetic.support import Support

RATIO = Operation("{0} / {1}")
rationals = st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 1000))
values = st.sets(rationals, max_size=8).map(sorted).map(tuple)


def support(*values: int | str) -> Support:
    return Support(fractions(*values))


@pytest.mark.parametrize(
    ("operation", "results"),
    [
        (SUBTRACTION, [0, 2, 4, 6, 10]),
        (DISTANCE, [0, 2, 4, 6, 10]),
        (ADDITION, [2, 6, 8, 10, 12, 14, 16, 18, 22]),
    ],
    ids=["subtraction", "distance", "addition"],
)
def test_worked_example_of_the_paper(operation: Operation, results: Sequence[int]) -> None:
    operands = support(1, 5, 7, 11)
    assert operands.combine(operands, operation).support.values == fractions(*results)


def test_drops_negative_differences() -> None:
    pairs = support(1, 5).combine(support(1, 5), SUBTRACTION)
    assert pairs.support.values == fractions(0, 4)
    assert pairs.index.tolist() == [[0, 2], [1, 0]]


def test_results_need_not_be_whole_numbers() -> None:
    pairs = support(24, 31).combine(support(24, 31), Operation("({0} + {1}) / 2"))
    assert pairs.support.values == fractions(24, "27.5", 31)


def test_division_by_zero_is_dropped_and_not_a_number() -> None:
    pairs = support(0, 6).combine(support(0, 4), RATIO)
    assert pairs.support.values == fractions(0, "1.5")
    assert pairs.index.tolist() == [[2, 0], [2, 1]]


@given(values, values, st.sampled_from(list(REFERENCE)))
def test_equals_plain_fractions(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], operation: Operation
) -> None:
    reference = REFERENCE[operation]
    pairs = Support(first).combine(Support(second), operation)
    results = pairs.support.values
    assert list(results) == sorted(
        {reference(a, b) for a, b in product(first, second) if reference(a, b) >= 0}
    )
    for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
        position = int(pairs.index[i, j])
        if position == len(results):
            assert reference(a, b) < 0
        else:
            assert results[position] == reference(a, b)


@given(values, values, st.sampled_from([*REFERENCE, RATIO]), st.data())
def test_pairs_with_a_result(
    first: tuple[Fraction, ...],
    second: tuple[Fraction, ...],
    operation: Operation,
    data: st.DataObject,
) -> None:
    exact = {
        (i, j): operation.exact(a, b) for i, a in enumerate(first) for j, b in enumerate(second)
    }
    defined = [result for result in exact.values() if result is not None]
    target = data.draw(st.sampled_from(defined) if defined else rationals)
    rows, columns = Support(first).pairs_with_result(Support(second), operation, target)
    found = set(zip(rows.tolist(), columns.tolist(), strict=True))
    assert found == {pair for pair, result in exact.items() if result == target}


@given(values, values)
def test_ratio_equals_plain_fractions(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...]
) -> None:
    pairs = Support(first).combine(Support(second), RATIO)
    results = pairs.support.values
    assert list(results) == sorted(set(results))
    for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
        position = int(pairs.index[i, j])
        if position == len(results):
            assert b == 0 or a / b < 0
        else:
            assert results[position] == a / b


def test_decimals_are_exact() -> None:
    total = support("0.1", "0.3").combine(support("0.2"), ADDITION).support
    assert total.values == fractions("0.3", "0.5")


def test_numbers_beyond_64_bits() -> None:
    huge = support(10**40, 10**40 + 1)
    assert huge.combine(huge, SUBTRACTION).support.values == fractions(0, 1)
    assert huge.combine(support("0.001"), PRODUCT).support.values[0] == 10**37
    assert huge.combine(support(3), RATIO).support.values[0] == Fraction(10**40, 3)


def test_empty_support() -> None:
    pairs = support().combine(support(1, 2), ADDITION)
    assert len(pairs.support) == 0
    assert pairs.index.shape == (0, 2)


def test_combinations_are_cached() -> None:
    operands = support(1, 2)
    assert operands.combine(operands, ADDITION) is operands.combine(operands, ADDITION)
    assert operands.combine(operands, ADDITION) is not operands.combine(operands, PRODUCT)


def test_shared_support_does_not_keep_others_alive() -> None:
    counts, passage = support(0, 1, 2), support(7)
    counts.combine(passage, ADDITION)
    assert len(counts._pairs) == 1
    del passage
    gc.collect()
    assert len(counts._pairs) == 0
