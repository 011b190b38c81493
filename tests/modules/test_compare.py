"""The four comparisons: each event is chosen with the probability that its value is preferred."""

import pytest
import torch

from handmade import FixedGroundings, context, encode
from number_distributions import fractions
from workings.arithmetic.support import Support
from workings.modules import REGISTRY
from workings.ops.results import Attention, Dates, Numbers
from workings.settings import ModuleSettings

ENCODING = encode([("Which?", "In 1453, on 3 May 1460, in 1460 and on 7 June.")])
TOKENS = ENCODING.passage.shape[1]


def event(position: int) -> Attention:
    passage, question = torch.zeros(1, TOKENS).double(), torch.zeros(1, 2).double()
    passage[0, position] = question[0, position] = 1
    return Attention(passage, question)


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights]).double(), [Support(fractions(3, 8))])


def dates(*weights: float) -> Dates:
    return Dates(torch.tensor([weights]).double())


def choice(
    name: str, first: Numbers | Dates, second: Numbers | Dates, ties: str = "share"
) -> list[float]:
    """The probability that the comparison chooses the first and the second event."""
    step = context(ENCODING, groundings=FixedGroundings(first, second))
    module = REGISTRY[name](4, ModuleSettings.model_validate({"ties": ties}))
    chosen = module(step, event(0), event(1))
    assert step.details.operands == (first, second)
    assert chosen.passage[0, :2].tolist() == chosen.question[0, :2].tolist()
    probabilities: list[float] = chosen.passage[0, :2].tolist()
    return probabilities


@pytest.mark.parametrize("ties", ["share", "drop"])
def test_numbers(ties: str) -> None:
    first, second = numbers(0.7, 0.3), numbers(0.4, 0.6)
    below, above = 0.7 * 0.6, 0.3 * 0.4
    equal = (1 - below - above) / 2 if ties == "share" else 0
    less = choice("compare-num-lt", first, second, ties)
    assert less == pytest.approx([below + equal, above + equal])
    more = choice("compare-num-gt", first, second, ties)
    assert more == pytest.approx([above + equal, below + equal])


def test_partial_dates() -> None:
    # 1453 < 1460 < 3 May 1460, and a date without a year precedes all others.
    order = [3, 0, 2, 1]
    for first in range(4):
        for second in range(4):
            left, right = (
                dates(*(float(k == index) for k in range(4))) for index in (first, second)
            )
            before = float(order.index(first) < order.index(second))
            expected = [before, 1 - before] if first != second else [0.5, 0.5]
            assert choice("compare-date-lt", left, right) == expected
            assert choice("compare-date-gt", left, right) == expected[::-1]


def test_missing_values_favour_neither_event() -> None:
    missing = numbers(0.0, 0.0)
    assert choice("compare-num-lt", missing, missing) == [0.5, 0.5]
    assert choice("compare-num-lt", missing, missing, "drop") == [0.0, 0.0]
