"""The modules add and sub: the paper's example, and both kinds of difference."""

from dataclasses import replace
from fractions import Fraction

import pytest
import torch

from handmade import context, encode
from number_distributions import fractions
from workings.arithmetic.operation import DISTANCE, SUBTRACTION, Operation
from workings.arithmetic.support import Support
from workings.modules.add import Add
from workings.modules.sub import Sub
from workings.ops.results import Numbers, StepDetails
from workings.settings import ModuleSettings

OPERANDS = Support(fractions(1, 5, 7, 11))
CONTEXT = context(encode([("How many?", "It had 1, 5, 7 and 11.")]))


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights], dtype=torch.float64), [OPERANDS])


FIRST, SECOND = numbers(0.1, 0.4, 0.2, 0.3), numbers(0.5, 0.1, 0.3, 0.1)


def test_ordered_sub_is_that_of_the_paper() -> None:
    difference = Sub(4, ModuleSettings(difference="ordered"))(CONTEXT, FIRST, SECOND)
    assert difference.supports[0].values == fractions(0, 2, 4, 6, 10)
    expected = [0.18, 0.2 * 0.1, 0.4 * 0.5 + 0.3 * 0.3, 0.2 * 0.5 + 0.3 * 0.1, 0.3 * 0.5]
    assert difference.weights[0].tolist() == pytest.approx(expected)
    assert difference.undefined.item() == pytest.approx(1 - sum(expected))


def test_absolute_sub_drops_nothing() -> None:
    difference = Sub(4, ModuleSettings(difference="absolute"))(CONTEXT, FIRST, SECOND)
    assert difference.supports[0].values == fractions(0, 2, 4, 6, 10)
    two = 0.2 * 0.1 + 0.4 * 0.3  # 7 and 5 in either order
    assert difference.weights[0, 1].item() == pytest.approx(two)
    assert difference.weights.sum().item() == pytest.approx(1)


def test_add() -> None:
    total = Add(4, ModuleSettings())(CONTEXT, FIRST, SECOND)
    assert total.supports[0].values == fractions(2, 6, 8, 10, 12, 14, 16, 18, 22)
    six = 0.1 * 0.1 + 0.4 * 0.5
    assert total.weights[0, 1].item() == pytest.approx(six)


def test_three_numbers_take_two_steps() -> None:
    settings = ModuleSettings(difference="ordered")
    one_hot = [numbers(*(float(position == k) for k in range(4))) for position in range(4)]
    total = Add(4, settings)(CONTEXT, one_hot[3], one_hot[2])  # 11 + 7
    difference = Sub(4, settings)(CONTEXT, total, one_hot[1])  # − 5
    position = difference.supports[0].positions[Fraction(13)]
    assert difference.weights[0, position].item() == 1


@pytest.mark.parametrize(
    ("settings", "operation"),
    [
        (ModuleSettings(difference="ordered"), SUBTRACTION),
        (ModuleSettings(difference="absolute"), DISTANCE),
    ],
    ids=["ordered", "absolute"],
)
def test_records_the_operation(settings: ModuleSettings, operation: Operation) -> None:
    step = replace(CONTEXT, details=StepDetails())
    Sub(4, settings)(step, FIRST, SECOND)
    assert step.details == StepDetails(operation=operation)


def test_sub_commutes_by_the_setting() -> None:
    assert Add.commutes(ModuleSettings())
    assert Sub.commutes(ModuleSettings(difference="absolute"))
    assert not Sub.commutes(ModuleSettings(difference="ordered"))
