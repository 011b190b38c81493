"""Combining distributions of numbers, against the paper's matrices and against enumeration."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from arithmetic import DISTANCE, PLAIN, SUB, weight_of
from workings import results
from workings.arithmetic.support import Operation, Support
from workings.modules.add import ADD
from workings.ops.results import Attention, Numbers


def numbers(values: Sequence[int], weights: Sequence[float]) -> Numbers:
    return Numbers(
        torch.tensor([list(weights)], dtype=torch.float64), [Support(tuple(map(Fraction, values)))]
    )


def dense(first: Numbers, second: Numbers, operation: Operation) -> Tensor:
    """The paper's form: C₁ and C₂ look operands up for every result and pair."""
    results = first.supports[0].combine(second.supports[0], operation).support.values
    lefts, rights = first.supports[0].values, second.supports[0].values
    pairs = list(product(range(len(lefts)), range(len(rights))))
    shape = len(results), len(pairs)
    made = torch.zeros(2, *shape, dtype=torch.float64)
    for (j, result), (k, (one, other)) in product(enumerate(results), enumerate(pairs)):
        if PLAIN[operation.name](lefts[one], rights[other]) == result:
            made[0, j, k] = first.weights[0, one]
            made[1, j, k] = second.weights[0, other]
    return (made[0] * made[1]).sum(-1)


def test_the_papers_example() -> None:
    first, second = (0.1, 0.4, 0.2, 0.3), (0.5, 0.1, 0.3, 0.1)
    operands = (1, 5, 7, 11)
    found = weight_of(numbers(operands, first).combine(numbers(operands, second), SUB))
    assert list(found) == [0, 2, 4, 6, 10]
    # 4 is 5 − 1 and 11 − 7: C₁[2, 1] = 0.4 and C₁[2, 3] = 0.3 meet N₂'s 0.5 and 0.3.
    assert found[Fraction(4)] == pytest.approx(0.4 * 0.5 + 0.3 * 0.3)
    assert found[Fraction(0)] == pytest.approx(0.1 * 0.5 + 0.4 * 0.1 + 0.2 * 0.3 + 0.3 * 0.1)
    assert found[Fraction(10)] == pytest.approx(0.3 * 0.5)


operands = st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True).map(sorted)
operations = st.sampled_from([ADD, SUB, DISTANCE])


@st.composite
def distributions(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    values = draw(operands)
    raw = draw(st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values)))
    return values, [one / max(sum(raw), 1) for one in raw]


@given(distributions(), distributions(), operations)
def test_equals_the_papers_matrices(
    first: tuple[list[int], list[float]],
    second: tuple[list[int], list[float]],
    operation: Operation,
) -> None:
    one, other = numbers(*first), numbers(*second)
    torch.testing.assert_close(
        one.combine(other, operation).weights[0], dense(one, other, operation)
    )


@given(st.lists(distributions(), min_size=2, max_size=4), st.data())
def test_equals_enumeration_of_two_to_four_operands(
    parts: list[tuple[list[int], list[float]]], data: st.DataObject
) -> None:
    chosen = [data.draw(operations) for _ in parts[1:]]
    found = numbers(*parts[0])
    for part, operation in zip(parts[1:], chosen, strict=True):
        found = found.combine(numbers(*part), operation)
    expected: dict[Fraction, float] = defaultdict(float)
    for picks in product(*(zip(*part, strict=True) for part in parts)):
        value, weight = Fraction(picks[0][0]), picks[0][1]
        for (operand, share), operation in zip(picks[1:], chosen, strict=True):
            value, weight = PLAIN[operation.name](value, Fraction(operand)), weight * share
            if value < 0:
                break
        else:
            expected[value] += weight
    assert weight_of(found) == pytest.approx(expected)


@given(distributions(), distributions())
def test_mass_is_lost_only_to_negative_differences(
    first: tuple[list[int], list[float]], second: tuple[list[int], list[float]]
) -> None:
    one, other = numbers(*first), numbers(*second)
    whole = float(one.weights.sum() * other.weights.sum())
    below = sum(
        a * b
        for (x, a), (y, b) in product(zip(*first, strict=True), zip(*second, strict=True))
        if x < y
    )
    assert float(one.combine(other, ADD).weights.sum()) == pytest.approx(whole)
    assert float(one.combine(other, DISTANCE).weights.sum()) == pytest.approx(whole)
    assert float(one.combine(other, SUB).weights.sum()) == pytest.approx(whole - below)


def test_rows_of_different_supports_do_not_mix() -> None:
    first = numbers((1, 5, 7), (0.2, 0.3, 0.5))
    second = numbers((2,), (1.0,))
    both = Numbers(
        torch.tensor([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], dtype=torch.float64),
        [*first.supports, *second.supports],
    )
    found = both.combine(both, ADD)
    for row, alone in enumerate((first, second)):
        expected = alone.combine(alone, ADD).weights[0]
        torch.testing.assert_close(found.weights[row, : len(expected)], expected)
        assert not found.weights[row, len(expected) :].any()


def test_weight_on_padding_is_no_operand() -> None:
    stray = Numbers(torch.tensor([[0.5, 0.5]]), [Support((Fraction(3),))])
    assert stray.combine(stray, ADD).weights.tolist() == [[0.25]]


def test_hundreds_of_numbers() -> None:
    values = list(range(0, 900, 3))
    even = numbers(values, [1 / len(values)] * len(values))
    found = even.combine(even, DISTANCE).combine(even, ADD)
    assert float(found.weights.sum()) == pytest.approx(1)
    assert bool((found.weights >= 0).all())


def test_gradients() -> None:
    supports = [Support(tuple(map(Fraction, (1, 5, 7, 11)))), Support((Fraction(2), Fraction(4)))]

    def three(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        first, second, third = (Numbers(weights, supports) for weights in (a, b, c))
        return first.combine(second, ADD).combine(third, SUB).weights

    made = torch.Generator().manual_seed(3)
    weights = [
        torch.rand(2, 4, generator=made, dtype=torch.float64, requires_grad=True) for _ in range(3)
    ]
    assert torch.autograd.gradcheck(three, weights)


def test_attentions_mix_by_their_shares() -> None:
    one = Attention(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0]]))
    other = Attention(torch.tensor([[0.0, 1.0]]), torch.tensor([[0.0]]))
    mixed = one.mix(other, torch.tensor([0.25]), torch.tensor([0.75]))
    assert mixed.passage.tolist() == [[0.25, 0.75]]
    assert mixed.question.tolist() == [[0.25]]


def test_of_too_many_pairs_those_of_the_likeliest_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    first = numbers((1, 2, 3, 4, 5), (0.3, 0.1, 0.2, 0.0, 0.4))
    second = numbers((10, 20, 30), (0.5, 0.2, 0.3))
    monkeypatch.setattr(results, "MOST_PAIRS", 4)
    found = weight_of(first.combine(second, ADD))
    # 1 and 5 are left of the first, 10 and 30 of the second.
    assert found == pytest.approx({11: 0.15, 15: 0.2, 31: 0.09, 35: 0.12})


def test_one_short_list_lets_the_other_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_PAIRS", 9)
    first = numbers(range(1, 9), (0.3, 0.1, 0.2, 0.05, 0.15, 0.09, 0.07, 0.04))
    found = first.combine(numbers((100, 200), (0.5, 0.5)), ADD)
    assert found.supports[0].values == (101, 102, 103, 105, 201, 202, 203, 205)
    assert found.weights.sum().item() == pytest.approx(0.75)


def test_rows_with_fewer_numbers_keep_them_all() -> None:
    many, few = Support(tuple(map(Fraction, range(4)))), Support((Fraction(7), Fraction(9)))
    weights = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.6, 0.4, 0.0, 0.0]])
    found = Numbers(weights, [many, few]).likeliest(3)
    assert [support.values for support in found.supports] == [(1, 2, 3), (7, 9)]
    torch.testing.assert_close(found.weights, torch.tensor([[0.4, 0.2, 0.3], [0.6, 0.4, 0.0]]))
