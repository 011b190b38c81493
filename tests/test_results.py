"""Combining distributions of numbers, against the paper's matrices and against enumeration."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from workings import results
from workings.distinct import Traced
from workings.modules.add import ADD
from workings.results import Attention, Numbers
from workings.support import DIFFERENCES, Operation, Support

SUB = DIFFERENCES["ordered"]
DISTANCE = DIFFERENCES["absolute"]
PLAIN: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "distance": lambda a, b: abs(a - b),
}


def numbers(values: Sequence[int], weights: Sequence[float]) -> Numbers:
    return Numbers(
        torch.tensor([list(weights)], dtype=torch.float64), [Support(tuple(map(Fraction, values)))]
    )


def weight_of(found: Numbers) -> dict[Fraction, float]:
    return dict(zip(found.supports[0].values, found.weights[0].tolist(), strict=True))


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


def traced(values: Sequence[int], mentions: Sequence[tuple[int, float]]) -> Numbers:
    """Numbers picked by mentions: (value, weight) for each."""
    support = Support(tuple(map(Fraction, values)))
    entry = [support.places[Fraction(value)] for value, _ in mentions]
    weights = [[sum(w for v, w in mentions if v == value) for value in values]]
    by_mention = torch.tensor([[weight for _, weight in mentions]], dtype=torch.float64)
    return Numbers(
        torch.tensor(weights, dtype=torch.float64),
        [support],
        Traced(by_mention, torch.tensor([entry])),
    )


def test_two_equal_picks_are_told_apart() -> None:
    """Both steps are torn between 40 and 1100: their difference is all the same 1060."""
    torn = traced((40, 1100), [(40, 0.5), (1100, 0.5)])
    found = weight_of(torn.combine(torn, DISTANCE, distinct=True))
    assert found == {Fraction(0): 0, Fraction(1060): pytest.approx(1)}


def test_one_number_may_be_two_mentions() -> None:
    """3 stands twice and 5 once: 3 + 3 stays possible, 5 + 5 does not."""
    picks = [(3, 0.4), (3, 0.4), (5, 0.2)]
    found = weight_of(traced((3, 5), picks).combine(traced((3, 5), picks), ADD, distinct=True))
    left = 1 - (0.16 + 0.16 + 0.04)
    assert found[Fraction(6)] == pytest.approx(2 * 0.16 / left)
    assert found[Fraction(8)] == pytest.approx(4 * 0.08 / left)
    assert found[Fraction(10)] == pytest.approx(0)


def test_the_only_mention_may_be_taken_twice() -> None:
    only = traced((7,), [(7, 1.0)])
    assert weight_of(only.combine(only, ADD, distinct=True)) == {Fraction(14): 1}


def test_a_third_pick_is_told_apart_too() -> None:
    """All three steps are torn between 2, 3 and 10: their sum is 15 all the same."""
    torn = traced((2, 3, 10), [(2, 0.5), (3, 0.25), (10, 0.25)])
    pair = torn.combine(torn, ADD, distinct=True)
    for found in (pair.combine(torn, ADD, distinct=True), torn.combine(pair, ADD, distinct=True)):
        assert {v: w for v, w in weight_of(found).items() if w > 1e-9} == {15: pytest.approx(1)}


def test_where_two_mentions_must_be_three_one_is_taken_twice() -> None:
    both = traced((1, 4), [(1, 0.5), (4, 0.5)])
    found = both.combine(both, ADD, distinct=True).combine(both, ADD, distinct=True)
    weights = {6: pytest.approx(0.5), 9: pytest.approx(0.5)}
    assert {v: w for v, w in weight_of(found).items() if w} == weights


def test_results_below_zero_are_not_taken_again() -> None:
    less, more = traced((1, 5), [(1, 1.0), (5, 0.0)]), traced((1, 5), [(1, 0.0), (5, 1.0)])
    found = less.combine(more, SUB, distinct=True).combine(more, ADD, distinct=True)
    assert found.weights.sum().item() == 0


MENTIONS = st.lists(
    st.tuples(st.integers(0, 6), st.floats(0.05, 1), st.floats(0.05, 1), st.floats(0.05, 1)),
    min_size=3,
    max_size=6,
)


def shares(mentions: Sequence[tuple[int, float, float, float]], side: int) -> list[float]:
    total = sum(mention[side] for mention in mentions)
    return [mention[side] / total for mention in mentions]


def picked(mentions: Sequence[tuple[int, float, float, float]], side: int) -> Numbers:
    values = sorted({mention[0] for mention in mentions})
    weights = shares(mentions, side)
    return traced(values, [(m[0], weight) for m, weight in zip(mentions, weights, strict=True)])


@given(MENTIONS, st.sampled_from([ADD, SUB, DISTANCE]))
def test_distinct_operands_against_enumeration(
    mentions: list[tuple[int, float, float, float]], operation: Operation
) -> None:
    first, second = shares(mentions, 1), shares(mentions, 2)
    wanted: defaultdict[Fraction, float] = defaultdict(float)
    for i, j in permutations(range(len(mentions)), 2):
        result = PLAIN[operation.name](Fraction(mentions[i][0]), Fraction(mentions[j][0]))
        wanted[result] += first[i] * second[j]
    whole = sum(wanted.values())
    combined = picked(mentions, 1).combine(picked(mentions, 2), operation, distinct=True)
    for result, weight in weight_of(combined).items():
        assert weight == pytest.approx(wanted[result] / whole, abs=1e-6)


@given(MENTIONS, st.sampled_from([ADD, DISTANCE]), st.sampled_from([ADD, DISTANCE]), st.booleans())
def test_three_distinct_operands_against_enumeration(
    mentions: list[tuple[int, float, float, float]],
    inner: Operation,
    outer: Operation,
    pair_first: bool,
) -> None:
    first, second, third = (shares(mentions, side) for side in (1, 2, 3))
    wanted: defaultdict[Fraction, float] = defaultdict(float)
    for i, j, k in permutations(range(len(mentions)), 3):
        a, b, c = (Fraction(mentions[place][0]) for place in (i, j, k))
        pair = PLAIN[inner.name](a, b)
        result = PLAIN[outer.name](*((pair, c) if pair_first else (c, pair)))
        wanted[result] += first[i] * second[j] * third[k]
    whole = sum(wanted.values())
    one, two, three = (picked(mentions, side) for side in (1, 2, 3))
    made = one.combine(two, inner, distinct=True)
    last, rest = (made, three) if pair_first else (three, made)
    for result, weight in weight_of(last.combine(rest, outer, distinct=True)).items():
        assert weight == pytest.approx(wanted[result] / whole, abs=1e-6)
