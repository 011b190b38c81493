"""Signed sums against enumeration of all labels."""

from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tiny import PASSAGE, QUESTION, tiny_tokenizer
from workings.encoder.inputs import PassageInput
from workings.peers.signs import (
    MINUS,
    PLUS,
    SignedTerms,
    best_signs,
    find_signs,
    operands_of,
    signed_sum,
    signs_log_likelihood,
)

numbers = st.fractions(-4, 12, max_denominator=4)


def operands(*values: float | Fraction) -> dict[int, Fraction]:
    return {index: Fraction(value) for index, value in enumerate(values)}


def enumerated(values: dict[int, Fraction], target: Fraction, max_terms: int) -> set[SignedTerms]:
    """All label vectors whose sum is the target; a zero is used alone and with a plus."""
    sums = set()
    for labels in product(range(3), repeat=len(values)):
        signs = tuple((index, label) for index, label in enumerate(labels) if label)
        zeros = [label for index, label in signs if not values[index]]
        redundant = zeros and (len(signs) > 1 or zeros == [MINUS])
        allowed = 1 <= len(signs) <= max_terms and not redundant
        if allowed and signed_sum(signs, values) == target:
            sums.add(signs)
    return sums


@given(st.lists(numbers, max_size=6), numbers, st.integers(1, 3))
def test_search_agrees_with_enumeration(
    values: list[Fraction], target: Fraction, max_terms: int
) -> None:
    numbered = operands(*values)
    found = list(find_signs(numbered, target, max_terms))
    assert len(found) == len(set(found))
    assert set(found) == enumerated(numbered, target, max_terms)
    assert [len(signs) for signs in found] == sorted(len(signs) for signs in found)


def test_zero_is_not_added_to_the_answer() -> None:
    assert list(find_signs(operands(24, 31), Fraction(24), 2)) == [((0, PLUS),)]
    assert list(find_signs(operands(24, 31, 0), Fraction(24), 3)) == [((0, PLUS),)]


def test_decimals_are_exact() -> None:
    tenths = operands(Fraction("0.1"), Fraction("0.2"))
    assert list(find_signs(tenths, Fraction("0.3"), 2)) == [((0, PLUS), (1, PLUS))]


def test_no_sums_without_numbers() -> None:
    assert list(find_signs({}, Fraction(3), 3)) == []


def test_only_allowed_constants_are_operands() -> None:
    passage = PassageInput.from_text(PASSAGE, tiny_tokenizer(PASSAGE, QUESTION))
    values = [number.value for number in passage.values.numbers]
    count = len(values)
    assert operands_of(passage, ()) == dict(enumerate(values))
    assert operands_of(passage, (100,)) == {**dict(enumerate(values)), count + 2: Fraction(100)}
    assert set(operands_of(passage, (0, 1))) == set(range(count + 2))


@given(st.integers(1, 4), st.integers(0, 2**16), st.integers(1, 3), numbers)
def test_likelihood_is_the_sum_over_label_vectors(
    count: int, seed: int, max_terms: int, target: Fraction
) -> None:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randn(1, count + 2, 3, generator=generator).log_softmax(-1)
    values = operands(*torch.randint(0, 4, (count,), generator=generator).tolist())
    mask = torch.tensor([[index < count for index in range(count + 2)]])
    sums = list(find_signs(values, target, max_terms))
    total = torch.zeros(())
    for signs in sums:
        chosen = dict(signs)
        total += torch.stack([labels[0, i, chosen.get(i, 0)] for i in range(count)]).sum().exp()
    found = signs_log_likelihood(labels, mask, [sums]).exp()
    assert float(found) == pytest.approx(float(total), rel=1e-4, abs=1e-6)


def test_masked_number_does_not_change_the_likelihood() -> None:
    labels = torch.randn(1, 3, 3).log_softmax(-1)
    mask = torch.tensor([[True, True, False]])
    sums = [[((0, PLUS), (1, MINUS))]]
    before = signs_log_likelihood(labels, mask, sums)
    labels[0, 2] = torch.randn(3).log_softmax(-1)
    assert torch.equal(before, signs_log_likelihood(labels, mask, sums))


@given(st.integers(1, 4), st.integers(0, 2**16))
def test_best_sum_uses_at_least_one_number(count: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randn(count, 3, generator=generator)
    labels[:, 0] += 1.5  # often, the likeliest is to use no number
    labels = labels.log_softmax(-1)
    signs, score = best_signs(labels, operands(*range(1, count + 1)))
    scores = {
        chosen: float(sum(labels[index, label] for index, label in enumerate(chosen)))
        for chosen in product(range(3), repeat=count)
        if any(chosen)
    }
    assert score == pytest.approx(max(scores.values()), abs=1e-5)
    chosen = tuple(dict(signs).get(index, 0) for index in range(count))
    assert scores[chosen] == pytest.approx(score, abs=1e-5)
