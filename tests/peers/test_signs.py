"""Signed sums against plain enumeration."""

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
    Signs,
    best_signs,
    find_signs,
    operands_of,
    signed_sum,
    signs_log_likelihood,
)

numbers = st.fractions(-4, 12, max_denominator=4)


def operands(*values: float | Fraction) -> dict[int, Fraction]:
    return {place: Fraction(value) for place, value in enumerate(values)}


def enumerated(values: dict[int, Fraction], target: Fraction, most: int) -> set[Signs]:
    """All label vectors that come to the target, zeros used alone or not at all."""
    found = set()
    for labels in product(range(3), repeat=len(values)):
        signs = tuple((place, label) for place, label in enumerate(labels) if label)
        zeros = [label for place, label in signs if not values[place]]
        idle = zeros and (len(signs) > 1 or zeros == [MINUS])
        if 1 <= len(signs) <= most and not idle and signed_sum(signs, values) == target:
            found.add(signs)
    return found


@given(st.lists(numbers, max_size=6), numbers, st.integers(1, 3))
def test_the_search_finds_what_enumeration_finds_each_once(
    values: list[Fraction], target: Fraction, most: int
) -> None:
    given_ = operands(*values)
    found = list(find_signs(given_, target, most))
    assert len(found) == len(set(found))
    assert set(found) == enumerated(given_, target, most)
    assert [len(signs) for signs in found] == sorted(len(signs) for signs in found)


def test_a_number_that_is_the_answer_is_one_derivation_not_two() -> None:
    assert list(find_signs(operands(24, 31), Fraction(24), 2)) == [((0, PLUS),)]
    assert list(find_signs(operands(24, 31, 0), Fraction(24), 3)) == [((0, PLUS),)]


def test_decimals_are_exact() -> None:
    tenths = operands(Fraction("0.1"), Fraction("0.2"))
    assert list(find_signs(tenths, Fraction("0.3"), 2)) == [((0, PLUS), (1, PLUS))]


def test_no_numbers_no_sums() -> None:
    assert list(find_signs({}, Fraction(3), 3)) == []


def test_only_the_constants_asked_for_are_operands() -> None:
    passage = PassageInput.read(PASSAGE, tiny_tokenizer(PASSAGE, QUESTION))
    stated = [number.value for number in passage.values.numbers]
    count = len(stated)
    assert operands_of(passage, ()) == dict(enumerate(stated))
    assert operands_of(passage, (100,)) == {**dict(enumerate(stated)), count + 2: Fraction(100)}
    assert set(operands_of(passage, (0, 1))) == set(range(count + 2))


@given(st.integers(1, 4), st.integers(0, 2**16), st.integers(1, 3), numbers)
def test_the_likelihood_is_the_sum_over_label_vectors(
    count: int, seed: int, most: int, target: Fraction
) -> None:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randn(1, count + 2, 3, generator=generator).log_softmax(-1)
    values = operands(*torch.randint(0, 4, (count,), generator=generator).tolist())
    mask = torch.tensor([[place < count for place in range(count + 2)]])
    ways = list(find_signs(values, target, most))
    total = 0.0
    for signs in ways:
        chosen = dict(signs)
        total += torch.stack([labels[0, p, chosen.get(p, 0)] for p in range(count)]).sum().exp()
    found = signs_log_likelihood(labels, mask, [ways]).exp()
    assert float(found) == pytest.approx(float(total), rel=1e-4, abs=1e-6)


def test_a_masked_number_never_changes_the_likelihood() -> None:
    labels = torch.randn(1, 3, 3).log_softmax(-1)
    mask = torch.tensor([[True, True, False]])
    known = [[((0, PLUS), (1, MINUS))]]
    before = signs_log_likelihood(labels, mask, known)
    labels[0, 2] = torch.randn(3).log_softmax(-1)
    assert torch.equal(before, signs_log_likelihood(labels, mask, known))


@given(st.integers(1, 4), st.integers(0, 2**16))
def test_the_best_way_is_the_best_of_all_that_use_a_number(count: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randn(count, 3, generator=generator)
    labels[:, 0] += 1.5  # so that using none is often the likeliest
    labels = labels.log_softmax(-1)
    signs, score = best_signs(labels, operands(*range(1, count + 1)))
    scores = {
        chosen: float(sum(labels[place, label] for place, label in enumerate(chosen)))
        for chosen in product(range(3), repeat=count)
        if any(chosen)
    }
    assert score == pytest.approx(max(scores.values()), abs=1e-5)
    chosen = tuple(dict(signs).get(place, 0) for place in range(count))
    assert scores[chosen] == pytest.approx(score, abs=1e-5)
