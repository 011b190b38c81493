"""No mention is taken twice: against every way to pick two or three of them."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from arithmetic import DISTANCE, PLAIN, SUB, weight_of
from workings.arithmetic.support import Operation, Support
from workings.modules.add import ADD
from workings.ops.distinct import MentionWeights
from workings.ops.results import Numbers


def mention_weights(values: Sequence[int], mentions: Sequence[tuple[int, float]]) -> Numbers:
    """Numbers picked by mentions: (value, weight) for each."""
    support = Support(tuple(map(Fraction, values)))
    entry = [support.places[Fraction(value)] for value, _ in mentions]
    weights = [[sum(w for v, w in mentions if v == value) for value in values]]
    by_mention = torch.tensor([[weight for _, weight in mentions]], dtype=torch.float64)
    return Numbers(
        torch.tensor(weights, dtype=torch.float64),
        [support],
        MentionWeights(by_mention, torch.tensor([entry])),
    )


def test_two_equal_picks_are_told_apart() -> None:
    """Both steps are torn between 40 and 1100: their difference is all the same 1060."""
    torn = mention_weights((40, 1100), [(40, 0.5), (1100, 0.5)])
    found = weight_of(torn.combine(torn, DISTANCE, distinct=True))
    assert found == {Fraction(0): 0, Fraction(1060): pytest.approx(1)}


def test_one_number_may_be_two_mentions() -> None:
    """3 stands twice and 5 once: 3 + 3 stays possible, 5 + 5 does not."""
    picks = [(3, 0.4), (3, 0.4), (5, 0.2)]
    found = weight_of(
        mention_weights((3, 5), picks).combine(mention_weights((3, 5), picks), ADD, distinct=True)
    )
    left = 1 - (0.16 + 0.16 + 0.04)
    assert found[Fraction(6)] == pytest.approx(2 * 0.16 / left)
    assert found[Fraction(8)] == pytest.approx(4 * 0.08 / left)
    assert found[Fraction(10)] == pytest.approx(0)


def test_the_only_mention_may_be_taken_twice() -> None:
    only = mention_weights((7,), [(7, 1.0)])
    assert weight_of(only.combine(only, ADD, distinct=True)) == {Fraction(14): 1}


def test_a_third_pick_is_told_apart_too() -> None:
    """All three steps are torn between 2, 3 and 10: their sum is 15 all the same."""
    torn = mention_weights((2, 3, 10), [(2, 0.5), (3, 0.25), (10, 0.25)])
    pair = torn.combine(torn, ADD, distinct=True)
    for found in (pair.combine(torn, ADD, distinct=True), torn.combine(pair, ADD, distinct=True)):
        assert {v: w for v, w in weight_of(found).items() if w > 1e-9} == {15: pytest.approx(1)}


def test_where_two_mentions_must_be_three_one_is_taken_twice() -> None:
    both = mention_weights((1, 4), [(1, 0.5), (4, 0.5)])
    found = both.combine(both, ADD, distinct=True).combine(both, ADD, distinct=True)
    weights = {6: pytest.approx(0.5), 9: pytest.approx(0.5)}
    assert {v: w for v, w in weight_of(found).items() if w} == weights


def test_results_below_zero_are_not_taken_again() -> None:
    less, more = (
        mention_weights((1, 5), [(1, 1.0), (5, 0.0)]),
        mention_weights((1, 5), [(1, 0.0), (5, 1.0)]),
    )
    found = less.combine(more, SUB, distinct=True).combine(more, ADD, distinct=True)
    assert found.weights.sum().item() == 0


MENTION = st.tuples(st.integers(0, 6), st.floats(0.05, 1), st.floats(0.05, 1), st.floats(0.05, 1))


def shares(mentions: Sequence[tuple[int, float, float, float]], side: int) -> list[float]:
    total = sum(mention[side] for mention in mentions)
    return [mention[side] / total for mention in mentions]


def picked(mentions: Sequence[tuple[int, float, float, float]], side: int) -> Numbers:
    values = sorted({mention[0] for mention in mentions})
    weights = shares(mentions, side)
    return mention_weights(
        values, [(m[0], weight) for m, weight in zip(mentions, weights, strict=True)]
    )


@given(st.lists(MENTION, min_size=2, max_size=7), st.sampled_from([ADD, SUB, DISTANCE]))
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


@given(
    st.lists(MENTION, min_size=3, max_size=6),
    st.sampled_from([ADD, DISTANCE]),
    st.sampled_from([ADD, DISTANCE]),
    st.booleans(),
)
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
