"""The module time-diff: the years between two events, or from the start to the end of one."""

from fractions import Fraction

import pytest
import torch

from handmade import FixedGroundings, context, encode, random_attention
from number_distributions import fractions
from workings.arithmetic.operation import SUBTRACTION
from workings.modules.time_diff import TimeDiff
from workings.ops.grounding import Groundings
from workings.ops.results import Dates
from workings.settings import ModuleSettings

ENCODING = encode([("How long?", "In 1990, in 2000, on 5 May 2003 and on 7 June.")])
EVENT = random_attention(ENCODING)
LATE = Dates(torch.tensor([[0.1, 0.2, 0.6, 0.1]]).double())
EARLY = Dates(torch.tensor([[0.5, 0.3, 0.2, 0.0]]).double())


@pytest.mark.parametrize("events", [1, 2])
def test_ordered_difference(events: int) -> None:
    step = context(ENCODING, groundings=FixedGroundings(LATE, EARLY))
    years = TimeDiff(4, ModuleSettings(difference="ordered"))(step, *[EVENT] * events)
    assert years.supports[0].values == fractions(0, 3, 10, 13)
    expected = [0.1 * 0.5 + 0.2 * 0.3 + 0.6 * 0.2, 0.6 * 0.3, 0.2 * 0.5, 0.6 * 0.5]
    assert years.weights[0].tolist() == pytest.approx(expected)
    assert step.details.operands == (LATE, EARLY)
    assert step.details.operation == SUBTRACTION


def test_absolute_difference_drops_only_dates_without_a_year() -> None:
    step = context(ENCODING, groundings=FixedGroundings(EARLY, LATE))
    years = TimeDiff(4, ModuleSettings())(step, EVENT, EVENT)
    assert years.weights.sum().item() == pytest.approx(0.9)
    three = years.weights[0, years.supports[0].positions[Fraction(3)]].item()
    assert three == pytest.approx(0.3 * 0.6 + 0.2 * 0.2)


def test_one_event_has_a_start_and_an_end() -> None:
    groundings = Groundings(4, ModuleSettings()).double()
    groundings.end.projection.weight.data.neg_()
    step = context(ENCODING, groundings=groundings)
    TimeDiff(4, ModuleSettings())(step, EVENT)
    assert step.details.operands is not None
    for operand, name in zip(step.details.operands, ("end", "start"), strict=True):
        expected = groundings.dates(EVENT, ENCODING, name)
        assert isinstance(operand, Dates)
        torch.testing.assert_close(operand.weights, expected.weights)
    later, earlier = step.details.operands
    assert not torch.equal(later.weights, earlier.weights)


def test_pair_of_dates_is_no_pair_of_numbers() -> None:
    step = context(ENCODING, groundings=Groundings(4, ModuleSettings()).double())
    years = TimeDiff(4, ModuleSettings(distinct=True))(step, EVENT, EVENT)
    assert years.pair_joint is None
    assert years.mention_weights is None
