"""Distances between two uncertain dates, against loops over all pairs."""

from fractions import Fraction
from itertools import permutations, product

import pytest
import torch

from handmade import encode
from number_distributions import fractions, weight_of
from workings.ops.date_distances import date_distance
from workings.ops.distinct import MentionWeights
from workings.ops.results import Dates
from workings.values import days_between, months_between

TEXT = "It opened on 3 May 1901, closed on 10 May 1901 and fell in 1950."
DISTANCES = {"days": days_between, "months": months_between}


def dates(*weights: float) -> Dates:
    tensor = torch.tensor([weights], dtype=torch.float64)
    return Dates(tensor, MentionWeights(tensor, *[torch.arange(len(weights))[None]] * 2))


def test_days_by_hand() -> None:
    encoding = encode([("When?", TEXT)])
    first, second = dates(0.1, 0.7, 0.2), dates(0.6, 0.3, 0.1)
    found = date_distance(first, second, encoding, days_between, distinct=False)
    assert found.supports[0].values == fractions(0, 7)
    # 7 days: the 3rd and the 10th, in either order. 1950 has no day.
    same, week = 0.1 * 0.6 + 0.7 * 0.3, 0.1 * 0.3 + 0.7 * 0.6
    assert found.weights[0].tolist() == pytest.approx([same, week])
    assert found.undefined.item() == pytest.approx(1 - same - week)


@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize("distinct", [False, True])
def test_equals_a_loop_over_pairs(name: str, distinct: bool) -> None:
    encoding, distance = encode([("When?", TEXT)]), DISTANCES[name]
    first, second = dates(0.5, 0.3, 0.2), dates(0.1, 0.8, 0.1)
    expected: dict[Fraction | None, float] = {}
    pairs = permutations(range(3), 2) if distinct else product(range(3), repeat=2)
    for i, j in pairs:
        passage = encoding.inputs[0]
        between = distance(passage.dates[i], passage.dates[j])
        key = None if between is None else Fraction(between)
        weight = (first.weights[0, i] * second.weights[0, j]).item()
        expected[key] = expected.get(key, 0.0) + weight
    total = sum(expected.values())
    found = date_distance(first, second, encoding, distance, distinct=distinct)
    weights = {value: weight for value, weight in weight_of(found).items() if weight > 1e-9}
    undefined = expected.pop(None) / total
    assert weights == pytest.approx({value: p / total for value, p in expected.items()})
    assert found.undefined.item() == pytest.approx(undefined)


def test_rows_without_dates_or_days_are_undefined() -> None:
    texts = ["Nobody came.", "It fell in 1950.", TEXT]
    encoding = encode([("When?", text) for text in texts])
    weights = torch.tensor([[0, 0, 0], [1, 0, 0], [1, 0, 0]], dtype=torch.float64)
    found = date_distance(Dates(weights), Dates(weights), encoding, days_between, distinct=True)
    assert found.undefined.tolist() == [1, 1, 0]
    assert [support.values for support in found.supports] == [(), (), fractions(0, 7)]
    nothing = encode([("When?", "Nobody came.")])
    empty = Dates(torch.zeros(1, 0, dtype=torch.float64))
    assert date_distance(empty, empty, nothing, days_between, distinct=True).undefined.item() == 1


def test_row_without_dates_selected_from_a_batch_with_dates() -> None:
    encoding = encode([("When?", "Nobody came."), ("When?", TEXT)]).select([0])
    mentions = MentionWeights(
        torch.zeros(1, 3).double(), torch.zeros(1, 3, dtype=torch.long), torch.arange(3)[None]
    )
    none = Dates(torch.zeros(1, 0).double(), mentions)
    found = date_distance(none, none, encoding, days_between, distinct=True)
    assert found.undefined.item() == 1
