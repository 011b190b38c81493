"""Typed results: combined numbers against the paper's matrices and enumeration, step details."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import TypeCheckError
from torch import Tensor

from number_distributions import REFERENCE, fractions, weight_of
from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation
from workings.arithmetic.support import Support
from workings.ops import results
from workings.ops.results import Attention, Dates, Numbers, StepDetails, TokenProbabilities


def numbers(values: Sequence[int], weights: Sequence[float]) -> Numbers:
    support = Support(fractions(*values))
    return Numbers(torch.tensor([list(weights)], dtype=torch.float64), [support])


def dense(first: Numbers, second: Numbers, operation: Operation) -> Tensor:
    """The paper's form: C₁ and C₂ hold the weights of the operands for each result and pair."""
    values = first.supports[0].combine(second.supports[0], operation).support.values
    lefts, rights = first.supports[0].values, second.supports[0].values
    pairs = list(product(range(len(lefts)), range(len(rights))))
    matrices = torch.zeros(2, len(values), len(pairs), dtype=torch.float64)
    for (j, result), (k, (left, right)) in product(enumerate(values), enumerate(pairs)):
        if REFERENCE[operation](lefts[left], rights[right]) == result:
            matrices[0, j, k] = first.weights[0, left]
            matrices[1, j, k] = second.weights[0, right]
    return (matrices[0] * matrices[1]).sum(-1)


def test_worked_example_of_the_paper() -> None:
    first = numbers((1, 5, 7, 11), (0.1, 0.4, 0.2, 0.3))
    second = numbers((1, 5, 7, 11), (0.5, 0.1, 0.3, 0.1))
    weights = weight_of(first.combine(second, SUBTRACTION))
    assert list(weights) == [0, 2, 4, 6, 10]
    # 4 is 5 − 1 and 11 − 7: C₁[2, 1] = 0.4 and C₁[2, 3] = 0.3, times N₂'s 0.5 and 0.3.
    assert weights[Fraction(4)] == pytest.approx(0.4 * 0.5 + 0.3 * 0.3)
    assert weights[Fraction(0)] == pytest.approx(0.1 * 0.5 + 0.4 * 0.1 + 0.2 * 0.3 + 0.3 * 0.1)
    assert weights[Fraction(10)] == pytest.approx(0.3 * 0.5)


operands = st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True).map(sorted)
operations = st.sampled_from([ADDITION, SUBTRACTION, DISTANCE])


@st.composite
def distributions(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    values = draw(operands)
    raw = draw(st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values)))
    return values, [weight / max(sum(raw), 1) for weight in raw]


@given(distributions(), distributions(), operations)
def test_equals_matrices_of_the_paper(
    first: tuple[list[int], list[float]],
    second: tuple[list[int], list[float]],
    operation: Operation,
) -> None:
    left, right = numbers(*first), numbers(*second)
    torch.testing.assert_close(
        left.combine(right, operation).weights[0], dense(left, right, operation)
    )


@given(st.lists(distributions(), min_size=2, max_size=4), st.data())
def test_two_to_four_operands_against_enumeration(
    parts: list[tuple[list[int], list[float]]], data: st.DataObject
) -> None:
    chosen = [data.draw(operations) for _ in parts[1:]]
    combined = numbers(*parts[0])
    for part, operation in zip(parts[1:], chosen, strict=True):
        combined = combined.combine(numbers(*part), operation)
    expected: dict[Fraction, float] = defaultdict(float)
    for choice in product(*(zip(*part, strict=True) for part in parts)):
        value, weight = Fraction(choice[0][0]), choice[0][1]
        for (operand, probability), operation in zip(choice[1:], chosen, strict=True):
            value, weight = REFERENCE[operation](value, Fraction(operand)), weight * probability
            if value < 0:
                break
        else:
            expected[value] += weight
    assert weight_of(combined) == pytest.approx(expected)


@given(distributions(), distributions())
def test_drops_only_negative_differences(
    first: tuple[list[int], list[float]], second: tuple[list[int], list[float]]
) -> None:
    left, right = numbers(*first), numbers(*second)
    total = float(left.weights.sum() * right.weights.sum())
    negative = sum(
        p * q
        for (a, p), (b, q) in product(zip(*first, strict=True), zip(*second, strict=True))
        if a < b
    )
    assert float(left.combine(right, ADDITION).weights.sum()) == pytest.approx(total)
    assert float(left.combine(right, DISTANCE).weights.sum()) == pytest.approx(total)
    differences = left.combine(right, SUBTRACTION)
    assert float(differences.weights.sum()) == pytest.approx(total - negative)
    assert float(differences.undefined) == pytest.approx(1 - total + negative)


def test_undefined_after_division_by_zero() -> None:
    first = numbers((0, 6), (0.25, 0.75))
    second = numbers((0, 4), (0.4, 0.6))
    ratio = first.combine(second, Operation("{0} / {1}"))
    # 0 / 0 and 6 / 0 have the weight of the zero: 0.4. The others are 0 / 4 and 6 / 4.
    assert weight_of(ratio) == pytest.approx({Fraction(0): 0.15, Fraction(3, 2): 0.45})
    assert ratio.undefined.tolist() == pytest.approx([0.4])


def test_undefined_after_ordered_subtraction() -> None:
    first = numbers((1, 5, 7), (0.2, 0.5, 0.3))
    second = numbers((1, 5, 7), (0.6, 0.1, 0.3))
    # Negative are 1 − 5, 1 − 7 and 5 − 7.
    negative = 0.2 * 0.1 + 0.2 * 0.3 + 0.5 * 0.3
    assert first.combine(second, SUBTRACTION).undefined.tolist() == pytest.approx([negative])
    assert first.combine(second, DISTANCE).undefined.tolist() == pytest.approx([0])


def test_undefined_of_each_row() -> None:
    supports = [Support(fractions(0, 2)), Support(fractions(3))]
    weights = torch.tensor([[0.5, 0.5], [1.0, 0.0]], dtype=torch.float64)
    row_numbers = Numbers(weights, supports)
    ratio = row_numbers.combine(row_numbers, Operation("{0} / {1}"))
    assert ratio.undefined.tolist() == pytest.approx([0.5, 0])
    # An undefined operand leaves the next result undefined as well.
    assert ratio.combine(row_numbers, ADDITION).undefined.tolist() == pytest.approx([0.5, 0])


def test_undefined_is_never_negative() -> None:
    rounded_up = numbers((1, 2), (0.5, 0.5 + 1e-12))
    assert rounded_up.undefined.tolist() == [0]


def test_rows_with_different_supports_do_not_mix() -> None:
    first = numbers((1, 5, 7), (0.2, 0.3, 0.5))
    second = numbers((2,), (1.0,))
    both = Numbers(
        torch.tensor([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], dtype=torch.float64),
        [*first.supports, *second.supports],
    )
    combined = both.combine(both, ADDITION)
    for row, alone in enumerate((first, second)):
        expected = alone.combine(alone, ADDITION).weights[0]
        torch.testing.assert_close(combined.weights[row, : len(expected)], expected)
        assert not combined.weights[row, len(expected) :].any()


def test_ignores_weight_on_padding() -> None:
    padded = Numbers(torch.tensor([[0.5, 0.5]]), [Support(fractions(3))])
    assert padded.combine(padded, ADDITION).weights.tolist() == [[0.25]]


def test_hundreds_of_numbers() -> None:
    values = list(range(0, 900, 3))
    even = numbers(values, [1 / len(values)] * len(values))
    combined = even.combine(even, DISTANCE).combine(even, ADDITION)
    assert float(combined.weights.sum()) == pytest.approx(1)
    assert bool((combined.weights >= 0).all())


def test_gradients() -> None:
    supports = [Support(fractions(1, 5, 7, 11)), Support(fractions(2, 4))]

    def combine_three(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        first, second, third = (Numbers(weights, supports) for weights in (a, b, c))
        return first.combine(second, ADDITION).combine(third, SUBTRACTION).weights

    generator = torch.Generator().manual_seed(3)
    weights = [
        torch.rand(2, 4, generator=generator, dtype=torch.float64, requires_grad=True)
        for _ in range(3)
    ]
    assert torch.autograd.gradcheck(combine_three, weights)


def test_mix_of_attentions() -> None:
    first = Attention(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0]]))
    second = Attention(torch.tensor([[0.0, 1.0]]), torch.tensor([[0.0]]))
    mixed = first.mix(second, torch.tensor([0.25]), torch.tensor([0.75]))
    assert mixed.passage.tolist() == [[0.25, 0.75]]
    assert mixed.question.tolist() == [[0.25]]


def test_too_many_pairs_keep_the_likeliest_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    first = numbers((1, 2, 3, 4, 5), (0.3, 0.1, 0.2, 0.0, 0.4))
    second = numbers((10, 20, 30), (0.5, 0.2, 0.3))
    monkeypatch.setattr(results, "MAX_EXACT_PAIRS", 14)
    monkeypatch.setattr(results, "MAX_LIKELY_PAIRS", 4)
    # The first operand keeps 1 and 5, the second 10 and 30.
    expected = {11: 0.15, 15: 0.2, 31: 0.09, 35: 0.12}
    combined = first.combine(second, ADDITION)
    assert weight_of(combined) == pytest.approx(expected)
    # The pairs of 2 and 3, and of 20, are accounted for.
    assert combined.undefined.item() == pytest.approx(1 - 0.7 * 0.8)
    monkeypatch.setattr(results, "MAX_EXACT_PAIRS", 15)
    assert first.combine(second, ADDITION).undefined.item() == pytest.approx(0)


def test_short_operand_leaves_more_pairs_to_the_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MAX_EXACT_PAIRS", 9)
    monkeypatch.setattr(results, "MAX_LIKELY_PAIRS", 9)
    first = numbers(range(1, 9), (0.3, 0.1, 0.2, 0.05, 0.15, 0.09, 0.07, 0.04))
    combined = first.combine(numbers((100, 200), (0.5, 0.5)), ADDITION)
    assert combined.supports[0].values == fractions(101, 102, 103, 105, 201, 202, 203, 205)
    assert combined.weights.sum().item() == pytest.approx(0.75)


def test_likeliest_keeps_short_rows_whole() -> None:
    four, two = Support(fractions(0, 1, 2, 3)), Support(fractions(7, 9))
    weights = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.6, 0.4, 0.0, 0.0]])
    likeliest = Numbers(weights, [four, two]).likeliest(3)
    assert likeliest.supports[0].values == fractions(1, 2, 3)
    assert likeliest.supports[1].values == fractions(7, 9)
    torch.testing.assert_close(likeliest.weights, torch.tensor([[0.4, 0.2, 0.3], [0.6, 0.4, 0.0]]))


FIRST, SECOND = Dates(torch.tensor([[1.0, 0.0]])), Dates(torch.tensor([[0.0, 1.0]]))
TOKENS = TokenProbabilities(torch.tensor([[0.5, 0.5]]))


def test_step_details_are_empty_at_first() -> None:
    assert list(StepDetails().named()) == []


def test_step_details_are_named_in_a_fixed_order() -> None:
    others = TokenProbabilities(torch.tensor([[0.1, 0.2]]))
    details = StepDetails()
    details.counted = others  # recorded first, named last
    details.candidates = TOKENS
    details.operands = (FIRST, SECOND)
    named = list(details.named())
    assert [name for name, _ in named] == ["first", "second", "candidates", "counted"]
    assert [id(result) for _, result in named] == [id(r) for r in (FIRST, SECOND, TOKENS, others)]


def test_step_details_name_only_what_was_recorded() -> None:
    assert list(StepDetails(counted=TOKENS).named()) == [("counted", TOKENS)]
    operands = StepDetails(operands=(FIRST, SECOND))
    assert [name for name, _ in operands.named()] == ["first", "second"]
    assert list(StepDetails(operation=ADDITION).named()) == []  # not a distribution


def test_step_details_are_typed() -> None:
    with pytest.raises(TypeCheckError):
        StepDetails(operands=(FIRST, TOKENS))  # type: ignore[arg-type]
    with pytest.raises(TypeCheckError):
        StepDetails(counted=torch.ones(1, 2))  # type: ignore[arg-type]
