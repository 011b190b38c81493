"""days-diff and months-diff: two events, or the beginning and the end of one."""

import pytest
import torch

from handmade import FixedGroundings, context, encode, random_attention
from number_distributions import fractions, weight_of
from workings.modules import REGISTRY, Module
from workings.ops.results import Dates
from workings.settings import ModuleSettings

TEXT = "It opened on 3 May 1901 and closed on 10 July 1901."


def module(name: str) -> Module:
    return REGISTRY[name](4, ModuleSettings())


@pytest.mark.parametrize(("name", "between"), [("days-diff", 68), ("months-diff", 2)])
@pytest.mark.parametrize("events", [1, 2])
def test_by_hand(name: str, between: int, events: int) -> None:
    encoding = encode([("How long?", TEXT)])
    opened = Dates(torch.tensor([[0.9, 0.1]]).double())
    closed = Dates(torch.tensor([[0.2, 0.8]]).double())
    step = context(encoding, groundings=FixedGroundings(closed, opened))
    found = module(name)(step, *[random_attention(encoding)] * events)
    zero, distance = fractions(0, between)
    same = 0.9 * 0.2 + 0.1 * 0.8
    assert weight_of(found) == pytest.approx({zero: same, distance: 1 - same})
    assert step.details.operands == (closed, opened)


@pytest.mark.parametrize("name", ["days-diff", "months-diff"])
def test_passage_without_dates_has_no_result(name: str) -> None:
    encoding = encode([("How long?", "Nobody came.")])
    attention = random_attention(encoding)
    found = module(name).double()(context(encoding), attention, attention)
    assert found.undefined.item() == 1
