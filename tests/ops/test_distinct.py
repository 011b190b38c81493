"""Combinations that use one mention twice are excluded, compared with enumeration."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from unittest.mock import patch

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from number_distributions import REFERENCE, fractions, weight_of
from workings.arithmetic.operation import ADDITION, DISTANCE, SUBTRACTION, Operation
from workings.arithmetic.support import Support
from workings.ops import distinct, results
from workings.ops.distinct import MentionWeights
from workings.ops.results import Numbers


def from_mentions(
    values: Sequence[int],
    mentions: Sequence[tuple[int, float]],
    places: Sequence[int] | None = None,
) -> Numbers:
    """A distribution over values that was read from mentions, given as (value, weight)."""
    support = Support(fractions(*values))
    entry = [support.positions[Fraction(value)] for value, _ in mentions]
    weights = [[sum(w for v, w in mentions if v == value) for value in values]]
    by_mention = torch.tensor([[weight for _, weight in mentions]], dtype=torch.float64)
    return Numbers(
        torch.tensor(weights, dtype=torch.float64),
        [support],
        MentionWeights(
            by_mention, torch.tensor([entry]), torch.tensor([places or range(len(mentions))])
        ),
    )


def test_undecided_operands_are_different_mentions() -> None:
    """Both operands may be 40 or 1100: their distance can only be 1060."""
    undecided = from_mentions((40, 1100), [(40, 0.5), (1100, 0.5)])
    weights = weight_of(undecided.combine(undecided, DISTANCE, distinct=True))
    assert weights == {Fraction(0): 0, Fraction(1060): pytest.approx(1)}


def test_one_value_may_have_two_mentions() -> None:
    """3 has two mentions and 5 has one: 3 + 3 is possible, 5 + 5 is not."""
    mentions = [(3, 0.4), (3, 0.4), (5, 0.2)]
    numbers = from_mentions((3, 5), mentions)
    weights = weight_of(numbers.combine(numbers, ADDITION, distinct=True))
    total = 1 - (0.16 + 0.16 + 0.04)
    assert weights[Fraction(6)] == pytest.approx(2 * 0.16 / total)
    assert weights[Fraction(8)] == pytest.approx(4 * 0.08 / total)
    assert weights[Fraction(10)] == pytest.approx(0)


def test_single_mention_may_be_used_twice() -> None:
    single = from_mentions((7,), [(7, 1.0)])
    assert weight_of(single.combine(single, ADDITION, distinct=True)) == {Fraction(14): 1}


def test_third_operand_is_another_mention() -> None:
    """All three operands may be 2, 3 or 10: their sum can only be 15."""
    undecided = from_mentions((2, 3, 10), [(2, 0.5), (3, 0.25), (10, 0.25)])
    pair = undecided.combine(undecided, ADDITION, distinct=True)
    for triple in (
        pair.combine(undecided, ADDITION, distinct=True),
        undecided.combine(pair, ADDITION, distinct=True),
    ):
        weights = {value: weight for value, weight in weight_of(triple).items() if weight > 1e-9}
        assert weights == {15: pytest.approx(1)}


def test_three_operands_of_two_mentions_use_one_twice() -> None:
    two = from_mentions((1, 4), [(1, 0.5), (4, 0.5)])
    triple = two.combine(two, ADDITION, distinct=True).combine(two, ADDITION, distinct=True)
    weights = {value: weight for value, weight in weight_of(triple).items() if weight}
    assert weights == {6: pytest.approx(0.5), 9: pytest.approx(0.5)}


def test_negative_intermediate_results_stay_dropped() -> None:
    one = from_mentions((1, 5), [(1, 1.0), (5, 0.0)])
    five = from_mentions((1, 5), [(1, 0.0), (5, 1.0)])
    negative = one.combine(five, SUBTRACTION, distinct=True)
    assert negative.combine(five, ADDITION, distinct=True).weights.sum().item() == 0


def test_overlapping_mentions_are_one() -> None:
    """Of "21.4 million" and 9 million: their distance is never 21.4 million less 21.4."""
    mentions = [(21_400_000, 0.4), (21, 0.4), (9_000_000, 0.1), (9, 0.1)]
    numbers = from_mentions((9, 21, 9_000_000, 21_400_000), mentions, [0, 0, 1, 1])
    weights = weight_of(numbers.combine(numbers, DISTANCE, distinct=True))
    possible = {value: weight for value, weight in weights.items() if weight > 1e-9}
    assert possible == {
        value: pytest.approx(0.25) for value in (12_400_000, 21_399_991, 8_999_979, 12)
    }


# A value, its weight as the first, second and third operand, and whether it overlaps the mention
# before it.
Mention = tuple[int, float, float, float, bool]
WEIGHT = st.floats(0.05, 1)
MENTION = st.tuples(st.integers(0, 6), WEIGHT, WEIGHT, WEIGHT, st.booleans())


def places(mentions: Sequence[Mention]) -> list[int]:
    """The place of each mention; at most three share one."""
    numbers: list[int] = []
    for mention in mentions:
        last = numbers[-1] if numbers else -1
        joins = mention[4] and numbers and numbers.count(last) < 3
        numbers.append(last if joins else last + 1)
    return numbers


def normalised(mentions: Sequence[Mention], operand: int) -> list[float]:
    total = sum(mention[operand] for mention in mentions)
    return [mention[operand] / total for mention in mentions]


def operand_numbers(mentions: Sequence[Mention], operand: int) -> Numbers:
    values = sorted({mention[0] for mention in mentions})
    weights = normalised(mentions, operand)
    by_mention = [(m[0], w) for m, w in zip(mentions, weights, strict=True)]
    return from_mentions(values, by_mention, places(mentions))


@given(
    st.lists(MENTION, min_size=2, max_size=7), st.sampled_from([ADDITION, SUBTRACTION, DISTANCE])
)
def test_two_operands_against_enumeration(mentions: list[Mention], operation: Operation) -> None:
    first, second = normalised(mentions, 1), normalised(mentions, 2)
    expected: defaultdict[Fraction, float] = defaultdict(float)
    place = places(mentions)
    assume(len(set(place)) > 1)
    for i, j in permutations(range(len(mentions)), 2):
        if place[i] == place[j]:
            continue
        result = REFERENCE[operation](Fraction(mentions[i][0]), Fraction(mentions[j][0]))
        expected[result] += first[i] * second[j]
    total = sum(expected.values())
    combined = operand_numbers(mentions, 1).combine(
        operand_numbers(mentions, 2), operation, distinct=True
    )
    for result, weight in weight_of(combined).items():
        assert weight == pytest.approx(expected[result] / total, abs=1e-6)


@given(
    st.lists(MENTION, min_size=3, max_size=6),
    st.sampled_from([ADDITION, DISTANCE]),
    st.sampled_from([ADDITION, DISTANCE]),
    st.booleans(),
)
def test_three_operands_against_enumeration(
    mentions: list[Mention], inner: Operation, outer: Operation, pair_first: bool
) -> None:
    first, second, third = (normalised(mentions, operand) for operand in (1, 2, 3))
    expected: defaultdict[Fraction, float] = defaultdict(float)
    place = places(mentions)
    assume(len(set(place)) > 2)
    for i, j, k in permutations(range(len(mentions)), 3):
        if len({place[i], place[j], place[k]}) < 3:
            continue
        a, b, c = (Fraction(mentions[index][0]) for index in (i, j, k))
        pair = REFERENCE[inner](a, b)
        result = REFERENCE[outer](*((pair, c) if pair_first else (c, pair)))
        expected[result] += first[i] * second[j] * third[k]
    total = sum(expected.values())
    numbers = [operand_numbers(mentions, operand) for operand in (1, 2, 3)]
    joint = numbers[0].combine(numbers[1], inner, distinct=True)
    left, right = (joint, numbers[2]) if pair_first else (numbers[2], joint)
    for result, weight in weight_of(left.combine(right, outer, distinct=True)).items():
        assert weight == pytest.approx(expected[result] / total, abs=1e-6)


Weights = dict[Fraction, float]


def likeliest(weights: Weights, count: int) -> Weights:
    """The values of the highest weight; the example is skipped if two of them are equal."""
    ordered = sorted(weights.values(), reverse=True)
    assume(all(a - b > 1e-6 for a, b in pairwise(ordered)))
    return {value: weight for value, weight in weights.items() if weight in ordered[:count]}


def without(excluded: Weights, total: Weights) -> tuple[Weights, float]:
    """Subtract weights, and rescale the rest to the old total; also gives the scale."""
    rest = {value: weight - excluded.get(value, 0.0) for value, weight in total.items()}
    assume(sum(rest.values()) > 0.01)
    scale = sum(total.values()) / sum(rest.values())
    return {value: weight * scale for value, weight in rest.items()}, scale


def total_by(pairs: Iterable[tuple[Fraction, float]]) -> Weights:
    total: defaultdict[Fraction, float] = defaultdict(float)
    for value, weight in pairs:
        total[value] += weight
    return dict(total)


@given(
    st.lists(MENTION, min_size=4, max_size=7, unique_by=lambda mention: mention[0]),
    st.sampled_from([ADDITION, DISTANCE]),
    st.sampled_from([ADDITION, DISTANCE]),
)
def test_likeliest_operands_against_enumeration(
    mentions: list[Mention], inner: Operation, outer: Operation
) -> None:
    """Each operand keeps three numbers, and each result keeps three; mentions stay different."""
    mentions = [(*mention[:4], False) for mention in mentions]
    values = [Fraction(mention[0]) for mention in mentions]
    kept = [
        likeliest(dict(zip(values, normalised(mentions, operand), strict=True)), 3)
        for operand in (1, 2, 3)
    ]
    pairs = list(product(kept[0], kept[1]))
    pair = {(a, b): kept[0][a] * kept[1][b] for a, b in pairs}
    result = {(a, b): REFERENCE[inner](a, b) for a, b in pairs}
    repeated = total_by((result[p], w) for p, w in pair.items() if p[0] == p[1])
    of_pair, scale = without(repeated, total_by((result[p], w) for p, w in pair.items()))
    best = likeliest(of_pair, 3)
    final = {(r, c): REFERENCE[outer](r, c) for r, c in product(best, kept[2])}
    everything = total_by((final[r, c], best[r] * kept[2][c]) for r, c in final)
    repeated = total_by(
        (final[result[p], c], w * scale * kept[2][c])
        for p, w in pair.items()
        for c in {*p} & {*kept[2]}
        if p[0] != p[1] and result[p] in best
    )
    expected, _ = without(repeated, everything)

    numbers = [operand_numbers(mentions, operand) for operand in (1, 2, 3)]
    with patch.object(results, "MAX_EXACT_PAIRS", 9), patch.object(results, "MAX_LIKELY_PAIRS", 9):
        joint = numbers[0].combine(numbers[1], inner, distinct=True)
        triple = joint.combine(numbers[2], outer, distinct=True)
    assert weight_of(triple) == pytest.approx(expected, abs=1e-6)
    dropped = 1 - sum(everything.values())
    assert triple.undefined.item() == pytest.approx(dropped, abs=1e-6)


def test_only_likely_mentions_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten mentions three have weight: leaving out the others changes nothing."""
    likely = [(2, 0.5), (3, 0.3), (10, 0.2)]
    numbers = from_mentions(
        range(2, 12), [*likely, *((value, 0.0) for value in (4, 5, 6, 7, 8, 9, 11))]
    )
    pair = numbers.combine(numbers, ADDITION, distinct=True)
    exact = pair.combine(numbers, DISTANCE, distinct=True)
    monkeypatch.setattr(distinct, "MAX_MENTIONS", 3)
    torch.testing.assert_close(
        pair.combine(numbers, DISTANCE, distinct=True).weights, exact.weights
    )
