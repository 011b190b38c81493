"""Tests of the likeliest set with a given total, against enumeration of all sets."""

from fractions import Fraction
from itertools import combinations
from math import isclose, log

from hypothesis import given
from hypothesis import strategies as st

from workings.inference.subset_choice import Member, likeliest_subset

numbers = st.lists(st.tuples(st.integers(0, 6), st.floats(0.01, 0.99)), min_size=1, max_size=6)


@given(numbers, st.booleans(), st.data())
def test_agrees_with_enumeration(
    pairs: list[tuple[int, float]], average: bool, data: st.DataObject
) -> None:
    values = [Fraction(value) for value, _ in pairs]
    probabilities = [probability for _, probability in pairs]
    members = data.draw(st.sets(st.sampled_from(range(len(pairs))), min_size=1))
    total = sum((values[index] for index in members), Fraction(0))
    target = total / len(members) if average else total
    expected = max(
        score(chosen, probabilities)
        for size in range(1, len(pairs) + 1)
        for chosen in combinations(range(len(pairs)), size)
        if has_target([values[index] for index in chosen], target, average=average)
    )
    found = likeliest_subset(single(values, probabilities), target, average=average)
    assert found is not None
    chosen = tuple(member.position for member in found.members)
    assert [member.value for member in found.members] == [values[index] for index in chosen]
    assert has_target([values[index] for index in chosen], target, average=average)
    assert isclose(found.score, expected)
    assert isclose(found.score, score(chosen, probabilities))


def single(
    values: list[Fraction], probabilities: list[float]
) -> list[list[tuple[Fraction, float]]]:
    """Candidates with one value each."""
    return [[option] for option in zip(values, probabilities, strict=True)]


def test_candidate_with_several_values() -> None:
    pair = [(Fraction(1), 0.2), (Fraction(2), 0.7)]
    candidates = [[(Fraction(1), 0.8)], pair, [(Fraction(1), 0.1)]]
    found = likeliest_subset(candidates, Fraction(3))
    assert found is not None
    assert found.members == (Member(0, Fraction(1)), Member(1, Fraction(2)))  # and a pair
    assert isclose(found.score, log(0.8 * 0.7 * 0.9))


def has_target(values: list[Fraction], target: Fraction, *, average: bool) -> bool:
    return sum(values) == (target * len(values) if average else target)


def score(members: tuple[int, ...], probabilities: list[float]) -> float:
    return sum(log(p if i in members else 1 - p) for i, p in enumerate(probabilities))


def test_no_set() -> None:
    assert likeliest_subset([[(Fraction(2), 0.9)]], Fraction(3)) is None
    assert likeliest_subset([], Fraction(0)) is None


def test_many_numbers_take_bounded_work() -> None:
    values = [Fraction(2**index) for index in range(60)]
    found = likeliest_subset(single(values, [0.9] * 3 + [0.1] * 57), Fraction(7))
    assert found is not None
    assert [member.position for member in found.members] == [0, 1, 2]
