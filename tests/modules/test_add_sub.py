"""add and sub as modules: the paper's example, and which differences count."""

from fractions import Fraction

import pytest
import torch

from handmade import context, encode
from workings.arithmetic.support import Support
from workings.modules.add import Add
from workings.modules.sub import Sub
from workings.ops.results import Numbers
from workings.settings import ModuleSettings

OPERANDS = Support(tuple(map(Fraction, (1, 5, 7, 11))))
SEEN = context(encode([("How many?", "It had 1, 5, 7 and 11.")]))


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights], dtype=torch.float64), [OPERANDS])


FIRST, SECOND = numbers(0.1, 0.4, 0.2, 0.3), numbers(0.5, 0.1, 0.3, 0.1)


def test_ordered_sub_is_the_papers() -> None:
    found = Sub(4, ModuleSettings(difference="ordered"))(SEEN, FIRST, SECOND)
    assert found.supports[0].values == (0, 2, 4, 6, 10)
    expected = [0.18, 0.2 * 0.1, 0.4 * 0.5 + 0.3 * 0.3, 0.2 * 0.5 + 0.3 * 0.1, 0.3 * 0.5]
    assert found.weights[0].tolist() == pytest.approx(expected)


def test_absolute_sub_loses_nothing() -> None:
    found = Sub(4, ModuleSettings(difference="absolute"))(SEEN, FIRST, SECOND)
    assert found.supports[0].values == (0, 2, 4, 6, 10)
    two = 0.2 * 0.1 + 0.4 * 0.3  # 7 − 5, and 5 and 7 the other way round
    assert found.weights[0, 1].item() == pytest.approx(two)
    assert found.weights.sum().item() == pytest.approx(1)


def test_add() -> None:
    found = Add(4, ModuleSettings())(SEEN, FIRST, SECOND)
    assert found.supports[0].values == (2, 6, 8, 10, 12, 14, 16, 18, 22)
    six = 0.1 * 0.1 + 0.4 * 0.5
    assert found.weights[0, 1].item() == pytest.approx(six)


def test_three_numbers_are_two_steps() -> None:
    settings = ModuleSettings(difference="ordered")
    one_hot = [numbers(*(float(place == k) for k in range(4))) for place in range(4)]
    sums = Add(4, settings)(SEEN, one_hot[3], one_hot[2])  # 11 + 7
    found = Sub(4, settings)(SEEN, sums, one_hot[1])  # − 5
    place = found.supports[0].places[Fraction(13)]
    assert found.weights[0, place].item() == 1
