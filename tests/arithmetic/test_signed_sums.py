"""The search for signed sums against brute force, and the values of hand-made examples."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.arithmetic.signed_sums import EITHER, MINUS, PLUS, Signs, Term, signed_sums

NUMBERS = st.lists(st.fractions(min_value=-3, max_value=12, max_denominator=3), max_size=6)
PATTERNS = st.lists(st.sampled_from((PLUS, MINUS, EITHER)), min_size=1, max_size=3)


def brute_force(
    values: Sequence[Fraction], target: Fraction, signs: Sequence[Signs], reuse: bool
) -> list[tuple[Term, ...]]:
    """Try every term at every position, then drop what the rules exclude."""
    terms = [list(product(range(len(values)), allowed)) for allowed in signs]
    return [
        choice
        for choice in product(*terms)
        if sum(sign * values[index] for index, sign in choice) == target
        and _is_ascending(choice, signs, reuse)
        and (reuse or len({index for index, _ in choice}) == len(choice))
    ]


def _is_ascending(choice: tuple[Term, ...], signs: Sequence[Signs], reuse: bool) -> bool:
    for allowed in set(signs):
        indices = [term[0] for term, own in zip(choice, signs, strict=True) if own == allowed]
        if indices != sorted(indices) or (not reuse and len(set(indices)) < len(indices)):
            return False
    return True


@given(NUMBERS, st.fractions(min_value=-10, max_value=20, max_denominator=3), PATTERNS)
@pytest.mark.parametrize("reuse", [False, True])
def test_agrees_with_brute_force(
    reuse: bool, values: list[Fraction], target: Fraction, signs: list[Signs]
) -> None:
    # Brute force has the same order: product varies the last term fastest.
    expected = brute_force(values, target, signs, reuse)
    assert list(signed_sums(values, target, signs, reuse=reuse)) == expected


@given(NUMBERS, PATTERNS, st.data())
@pytest.mark.parametrize("reuse", [False, True])
def test_finds_a_sum_that_exists(
    reuse: bool, values: list[Fraction], signs: list[Signs], data: st.DataObject
) -> None:
    if len(values) < len(signs):
        return
    indices = data.draw(st.permutations(range(len(values))))[: len(signs)]
    chosen = [data.draw(st.sampled_from(allowed)) for allowed in signs]
    target = sum((s * values[i] for i, s in zip(indices, chosen, strict=True)), Fraction(0))
    found = list(signed_sums(values, target, signs, reuse=reuse))
    assert any({index for index, _ in terms} == set(indices) for terms in found)


def test_terms_of_equal_signs_are_given_once() -> None:
    values = [Fraction(n) for n in (7, 2, 5)]
    assert list(signed_sums(values, Fraction(4), (PLUS, PLUS, MINUS))) == [
        ((0, 1), (1, 1), (2, -1)),  # 7 + 2 - 5
    ]
    assert list(signed_sums(values, Fraction(0), (PLUS, MINUS, MINUS))) == [
        ((0, 1), (1, -1), (2, -1)),  # 7 - 2 - 5
    ]


def test_a_number_is_used_twice_only_with_reuse() -> None:
    values = [Fraction(4), Fraction(9)]
    assert list(signed_sums(values, Fraction(8), (PLUS, PLUS))) == []
    assert list(signed_sums(values, Fraction(8), (PLUS, PLUS), reuse=True)) == [((0, 1), (0, 1))]
    assert list(signed_sums(values, Fraction(0), (PLUS, MINUS))) == []
    assert len(list(signed_sums(values, Fraction(0), (PLUS, MINUS), reuse=True))) == 2


def test_either_sign() -> None:
    values = [Fraction(3), Fraction(10)]
    assert list(signed_sums(values, Fraction(7), (EITHER, EITHER))) == [((0, -1), (1, 1))]
    assert list(signed_sums(values, Fraction(-3), (EITHER,))) == [((0, -1),)]


def test_is_exact_for_fractions_and_beyond_64_bits() -> None:
    values = [Fraction(10**30), Fraction(10**30 + 1), Fraction(1, 3), Fraction(2, 3)]
    assert list(signed_sums(values, Fraction(1), (PLUS, MINUS))) == [((1, 1), (0, -1))]
    assert list(signed_sums(values, Fraction(1), (PLUS, PLUS))) == [((2, 1), (3, 1))]


def test_no_numbers() -> None:
    assert list(signed_sums([], Fraction(0), (PLUS, PLUS))) == []
