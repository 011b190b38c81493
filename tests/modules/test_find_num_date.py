"""find-num and find-date return the groundings, which have their own tests."""

import torch

from handmade import PAPER, context, encode, random_attention
from number_distributions import fractions
from workings.modules.find_date import FindDate
from workings.modules.find_num import FindNum
from workings.ops.grounding import Groundings

ENCODING = encode([("When?", "It had 30 men in 1453 and 12 in 1460.")])


def test_returns_the_groundings() -> None:
    groundings, event = Groundings(4, PAPER).double(), random_attention(ENCODING)
    step = context(ENCODING, groundings=groundings)
    numbers, dates = FindNum(4, PAPER)(step, event), FindDate(4, PAPER)(step, event)
    torch.testing.assert_close(numbers.weights, groundings.numbers(event, ENCODING).weights)
    torch.testing.assert_close(dates.weights, groundings.dates(event, ENCODING).weights)


def test_numbers_are_those_of_the_operand_list() -> None:
    step = context(ENCODING, groundings=Groundings(4, PAPER).double())
    numbers = FindNum(4, PAPER)(step, random_attention(ENCODING))
    assert numbers.supports[0].values == fractions(0, 1, 12, 30, 100, 1453, 1460)
    has_weight = [round(weight, 9) > 0 for weight in numbers.weights[0].tolist()]
    assert has_weight == [False, False, True, True, False, True, True]  # no constants in PAPER
