"""Sums and means of uncertain sets, against the enumeration of all subsets."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from number_distributions import fractions, weight_of
from workings.ops import subset_totals
from workings.ops.results import Numbers
from workings.ops.subset_totals import MAX_TOTALS, mean_of_members, sum_of_members

MEASURES = {"sum": sum_of_members, "mean": mean_of_members}

members = st.lists(
    st.tuples(
        st.fractions(min_value=0, max_value=50, max_denominator=6),
        st.sampled_from([0.0, 0.01, 0.25, 0.5, 0.9, 1.0]),
    ),
    max_size=7,
)


def enumerated(
    values: list[Fraction], probabilities: list[float], name: str
) -> dict[Fraction, float]:
    """The distribution over all subsets but the empty one."""
    found: dict[Fraction, float] = {}
    for chosen in product((True, False), repeat=len(values)):
        subset = [value for value, is_member in zip(values, chosen, strict=True) if is_member]
        if subset:
            total = sum(subset, Fraction(0))
            result = total if name == "sum" else total / len(subset)
            pairs = zip(probabilities, chosen, strict=True)
            weight = prod(p if is_member else 1 - p for p, is_member in pairs)
            found[result] = found.get(result, 0.0) + weight
    return found


def one_row(name: str, values: list[Fraction], probabilities: list[float]) -> Numbers:
    return MEASURES[name](torch.tensor([probabilities], dtype=torch.float64), [values])


def test_sum_by_hand() -> None:
    total = one_row("sum", [Fraction(2), Fraction(3)], [0.5, 0.8])
    assert total.supports[0].values == fractions(2, 3, 5)
    assert total.weights[0].tolist() == pytest.approx([0.1, 0.4, 0.4])
    assert total.undefined.item() == pytest.approx(0.1)


def test_mean_by_hand() -> None:
    mean = one_row("mean", [Fraction(2), Fraction(3)], [0.5, 0.8])
    assert mean.supports[0].values == fractions(2, "2.5", 3)
    assert mean.weights[0].tolist() == pytest.approx([0.1, 0.4, 0.4])


def test_equal_results_are_one_entry() -> None:
    """0.1 + 0.2 is exactly 0.3, and both subsets with the sum 0.3 count."""
    total = one_row("sum", list(fractions("0.1", "0.2", "0.3")), [0.5, 0.5, 0.5])
    assert weight_of(total)[Fraction(3, 10)] == pytest.approx(2 / 8)
    assert len(total.supports[0]) == 6


@pytest.mark.parametrize("name", MEASURES)
def test_empty_set_is_undefined(name: str) -> None:
    result = one_row(name, [Fraction(4), Fraction(0)], [0.25, 0.5])
    assert result.undefined.item() == pytest.approx(0.75 * 0.5)
    assert one_row(name, [Fraction(4)], [0.0]).undefined.item() == 1
    nothing = one_row(name, [], [])
    assert nothing.undefined.item() == 1
    assert nothing.supports[0].values == ()


def test_zero_as_the_only_member_is_a_sum() -> None:
    assert weight_of(one_row("sum", [Fraction(0)], [0.75])) == pytest.approx({Fraction(0): 0.75})


@pytest.mark.parametrize("name", MEASURES)
@given(members=members)
def test_equals_enumeration(name: str, members: list[tuple[Fraction, float]]) -> None:
    values, probabilities = [value for value, _ in members], [p for _, p in members]
    result = one_row(name, values, probabilities)
    expected = enumerated(values, probabilities, name)
    support = result.supports[0].values
    assert list(support) == sorted(set(support))
    weights = dict(zip(support, result.weights[0].tolist(), strict=False))
    for value, weight in expected.items():
        assert weights.get(value, 0.0) == pytest.approx(weight, abs=1e-9)
    assert result.weights.sum().item() == pytest.approx(sum(expected.values()))


@pytest.mark.parametrize("name", MEASURES)
def test_unlikely_members_are_accounted_for_as_undefined(name: str) -> None:
    result = one_row(name, [Fraction(4), Fraction(9)], [1.0, 5e-5])
    assert weight_of(result) == pytest.approx({Fraction(4): 1 - 5e-5})
    assert result.undefined.item() == pytest.approx(5e-5)


@pytest.mark.parametrize("name", MEASURES)
def test_rows_do_not_affect_each_other(name: str) -> None:
    rows = [list(fractions(1, 2, 4)), list(fractions("2.5"))]
    probabilities = torch.tensor([[0.2, 0.6, 0.9], [0.7, 0.8, 0.9]]).double()
    both = MEASURES[name](probabilities, rows)
    for row, values in enumerate(rows):
        alone = MEASURES[name](probabilities[row : row + 1, : len(values)], [values])
        assert both.supports[row].values == alone.supports[0].values
        size = len(alone.supports[0])
        assert both.weights[row, :size].tolist() == pytest.approx(alone.weights[0].tolist())
        assert not both.weights[row, size:].any()


@pytest.mark.parametrize("name", MEASURES)
def test_gradients(name: str) -> None:
    values = [list(fractions(3, "0.5", 3, 8)), list(fractions(7))]
    probabilities = torch.tensor([[0.2, 0.6, 0.9, 0.4], [0.5, 0.1, 0.1, 0.1]]).double()
    leaf = probabilities.requires_grad_()
    assert torch.autograd.gradcheck(lambda p: MEASURES[name](p, values).weights, [leaf])


@pytest.mark.parametrize("name", MEASURES)
def test_large_numbers_do_not_overflow(name: str) -> None:
    values = [Fraction(10**40, 3), Fraction(10**40, 7)]
    result = one_row(name, values, [1.0, 1.0])
    expected = sum(values, Fraction(0)) / (1 if name == "sum" else 2)
    assert weight_of(result)[expected] == pytest.approx(1)


@pytest.mark.parametrize("name", MEASURES)
def test_two_hundred_numbers_keep_the_likeliest_totals(name: str) -> None:
    """Memory is bounded, and a sharp set of many candidates still has its exact result."""
    values = [Fraction(1000 * n * n + 7 * n, 10) for n in range(1, 201)]
    probabilities = [0.999 if n < 8 else 0.001 for n in range(200)]
    result = one_row(name, values, probabilities)
    assert result.weights.shape[1] <= MAX_TOTALS
    total = sum(values[:8], Fraction(0))
    expected = total if name == "sum" else total / 8
    weights = weight_of(result)
    assert max(weights, key=weights.__getitem__) == expected
    assert weights[expected] == pytest.approx(0.999**200)
    assert 0 <= result.undefined.item() < 0.2


def test_sums_of_small_whole_numbers_stay_exact() -> None:
    """Two hundred numbers from 0 to 9 have at most 1,801 totals: nothing is left out."""
    values = [Fraction(n % 10) for n in range(200)]
    result = one_row("sum", values, [0.5] * 200)
    assert result.undefined.item() == pytest.approx(0, abs=1e-9)
    means = [value / 2 for value in values]
    mean = sum(value * weight for value, weight in weight_of(result).items())
    assert float(mean) == pytest.approx(float(sum(means)))


def test_pruned_totals_are_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subset_totals, "MAX_TOTALS", 2)
    # After the first number: {} 0.4, {1} 0.6. After the second: {1} 0.54 and {} 0.36 are kept.
    result = one_row("sum", [Fraction(1), Fraction(10)], [0.6, 0.1])
    assert weight_of(result) == pytest.approx({Fraction(1): 0.54})
    assert result.undefined.item() == pytest.approx(0.46)
