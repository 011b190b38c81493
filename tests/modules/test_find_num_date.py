"""find-num and find-date hand on the groundings, which have tests of their own."""

import torch

from handmade import PAPER, context, encode, spread
from workings.modules.find_date import FindDate
from workings.modules.find_num import FindNum
from workings.ops.grounding import Groundings

ENCODING = encode([("When?", "It had 30 men in 1453 and 12 in 1460.")])


def test_they_are_the_groundings() -> None:
    groundings, event = Groundings(4, PAPER).double(), spread(ENCODING)
    seen = context(ENCODING, groundings=groundings)
    numbers, dates = FindNum(4, PAPER)(seen, event), FindDate(4, PAPER)(seen, event)
    torch.testing.assert_close(numbers.weights, groundings.numbers(event, ENCODING).weights)
    torch.testing.assert_close(dates.weights, groundings.dates(event, ENCODING).weights)


def test_numbers_are_the_operand_list() -> None:
    seen = context(ENCODING, groundings=Groundings(4, PAPER).double())
    found = FindNum(4, PAPER)(seen, spread(ENCODING))
    assert found.supports[0].values == (0, 1, 12, 30, 100, 1453, 1460)
    assert [round(w, 9) > 0 for w in found.weights[0].tolist()] == [
        *(False, False, True, True, False, True, True)
    ]
