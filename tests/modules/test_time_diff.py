"""time-diff: the years between two dates, or from an event's beginning to its end."""

from fractions import Fraction

import pytest
import torch

from handmade import Given, context, encode, spread
from workings.modules.time_diff import TimeDiff
from workings.ops.grounding import Groundings
from workings.ops.results import Dates
from workings.settings import ModuleSettings

ENCODING = encode([("How long?", "In 1990, in 2000, on 5 May 2003 and on 7 June.")])
LATE = Dates(torch.tensor([[0.1, 0.2, 0.6, 0.1]]).double())
EARLY = Dates(torch.tensor([[0.5, 0.3, 0.2, 0.0]]).double())


@pytest.mark.parametrize("events", [1, 2])
def test_ordered(events: int) -> None:
    seen = context(ENCODING, groundings=Given(LATE, EARLY))
    given = [spread(ENCODING)] * events
    found = TimeDiff(4, ModuleSettings(difference="ordered"))(seen, *given)
    assert found.supports[0].values == (0, 3, 10, 13)
    expected = [0.1 * 0.5 + 0.2 * 0.3 + 0.6 * 0.2, 0.6 * 0.3, 0.2 * 0.5, 0.6 * 0.5]
    assert found.weights[0].tolist() == pytest.approx(expected)
    assert seen.notes == {"first": LATE, "second": EARLY}


def test_absolute_keeps_all_but_dates_without_a_year() -> None:
    seen = context(ENCODING, groundings=Given(EARLY, LATE))
    found = TimeDiff(4, ModuleSettings())(seen, spread(ENCODING), spread(ENCODING))
    assert found.weights.sum().item() == pytest.approx(0.9)
    three = found.weights[0, found.supports[0].places[Fraction(3)]].item()
    assert three == pytest.approx(0.3 * 0.6 + 0.2 * 0.2)


def test_one_event_has_two_groundings() -> None:
    groundings = Groundings(4, ModuleSettings()).double()
    groundings.end.projection.weight.data.neg_()
    seen = context(ENCODING, groundings=groundings)
    TimeDiff(4, ModuleSettings())(seen, spread(ENCODING))
    for name, which in (("first", "end"), ("second", "start")):
        expected = groundings.dates(spread(ENCODING), ENCODING, which)
        torch.testing.assert_close(seen.notes[name].weights, expected.weights)
    assert not torch.equal(seen.notes["first"].weights, seen.notes["second"].weights)
