"""Hours, minutes and seconds: two events, the start and end of one, and stated durations."""

from fractions import Fraction

import pytest
import torch

from handmade import FixedGroundings, context, encode, random_attention
from number_distributions import fractions, weight_of
from workings.modules import REGISTRY, Module
from workings.ops.results import TimingCount, Timings
from workings.settings import ModuleSettings

TEXT = "It left at 21:50 and came in at 0:35 after 35 minutes."


def module(name: str) -> Module:
    return REGISTRY[name](4, ModuleSettings())


def timings(*weights: float) -> Timings:
    return Timings(torch.tensor([weights], dtype=torch.float64))


def test_one_event_goes_past_midnight() -> None:
    encoding = encode([("How long?", TEXT)])
    end, start = timings(0.1, 0.8, 0.1), timings(0.7, 0.2, 0.1)
    step = context(encoding, groundings=FixedGroundings(end, start))
    found = module("minutes-diff")(step, random_attention(encoding))
    same_clock = 0.1 * 0.7 + 0.8 * 0.2 + 0.1 * 0.1
    zero, across, back = fractions(0, 165, 1440 - 165)
    expected = {zero: same_clock, across: 0.8 * 0.7, back: 0.1 * 0.2}
    assert weight_of(found) == pytest.approx(expected)
    # Pairs of a clock time and the duration have no distance.
    assert found.undefined.item() == pytest.approx(1 - sum(expected.values()))
    assert step.details.operands == (end, start)
    assert step.details.timing == TimingCount("minutes", wraps=True)


def test_two_events_are_on_one_day() -> None:
    encoding = encode([("How long?", TEXT)])
    first, second = timings(1, 0, 0), timings(0, 0.75, 0.25)
    step = context(encoding, groundings=FixedGroundings(first, second))
    attention = random_attention(encoding)
    found = module("hours-diff")(step, attention, attention)
    likely = {value: weight for value, weight in weight_of(found).items() if weight}
    assert likely == {Fraction(1275, 60): 0.75}
    assert found.undefined.item() == pytest.approx(0.25)


def test_duration_in_a_unit() -> None:
    encoding = encode([("How long?", TEXT)])
    step = context(encoding, groundings=FixedGroundings(timings(0.3, 0.1, 0.6)))
    found = module("in-seconds")(step, random_attention(encoding))
    likely = {value: weight for value, weight in weight_of(found).items() if weight}
    # Where seconds are asked for, bare times are minutes and seconds.
    assert likely == pytest.approx(
        dict(zip(fractions(1310, 35, 2100), (0.3, 0.1, 0.6), strict=True))
    )
    step = context(encoding, groundings=FixedGroundings(timings(0.3, 0.1, 0.6)))
    in_hours = module("in-hours")(step, random_attention(encoding))
    assert weight_of(in_hours) == pytest.approx({Fraction(7, 12): 0.6})
    assert in_hours.undefined.item() == pytest.approx(0.4)


@pytest.mark.parametrize(
    "name", ["hours-diff", "minutes-diff", "seconds-diff", "in-hours", "in-minutes", "in-seconds"]
)
def test_passage_without_times_has_no_result(name: str) -> None:
    encoding = encode([("How long?", "Nobody came.")])
    found = module(name).double()(context(encoding), random_attention(encoding))
    assert found.undefined.item() == 1


def test_row_without_times_in_a_batch() -> None:
    encoding = encode([("How long?", "Nobody came."), ("How long?", TEXT)])
    found = module("minutes-diff").double()(context(encoding), random_attention(encoding))
    assert found.undefined[0].item() == 1
    assert found.undefined[1].item() < 1


def test_local_grounding_reads_the_time_near_the_words() -> None:
    text = "The ferry left at 21:50. Long after that, and far away, the tall bus left at 8:15."
    settings = ModuleSettings(grounding="local")
    encoding = encode([("When?", text)])
    groundings = context(encoding).groundings.__class__(4, settings).double()
    attention = random_attention(encoding)
    bus = encoding.inputs[0].tokens.locate(text.index("bus"), text.index("bus") + 3)[0]
    passage = torch.zeros_like(attention.passage)
    passage[0, bus] = 1
    found = groundings.timings(type(attention)(passage, attention.question), encoding)
    assert found.weights.argmax().item() == 1
    assert found.weights.sum().item() == pytest.approx(1)
