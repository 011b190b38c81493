"""The comparisons: the event whose value comes first, each by its probability."""

from fractions import Fraction

import pytest
import torch

from handmade import Given, context, encode
from workings.arithmetic.support import Support
from workings.modules import REGISTRY
from workings.ops.results import Attention, Dates, Numbers
from workings.settings import ModuleSettings

ENCODING = encode([("Which?", "In 1453, on 3 May 1460, in 1460 and on 7 June.")])
TOKENS = ENCODING.passage.shape[1]


def event(place: int) -> Attention:
    passage, question = torch.zeros(1, TOKENS).double(), torch.zeros(1, 2).double()
    passage[0, place] = question[0, place] = 1
    return Attention(passage, question)


def numbers(*weights: float) -> Numbers:
    return Numbers(torch.tensor([weights]).double(), [Support((Fraction(3), Fraction(8)))])


def dates(*weights: float) -> Dates:
    return Dates(torch.tensor([weights]).double())


def shares(name: str, first: object, second: object, ties: str = "share") -> list[float]:
    seen = context(ENCODING, groundings=Given(first, second))  # type: ignore[arg-type]
    found = REGISTRY[name](4, ModuleSettings(ties=ties))(seen, event(0), event(1))
    assert seen.notes == {"first": first, "second": second}
    assert found.passage[0, :2].tolist() == found.question[0, :2].tolist()
    return found.passage[0, :2].tolist()


@pytest.mark.parametrize("ties", ["share", "drop"])
def test_numbers(ties: str) -> None:
    first, second = numbers(0.7, 0.3), numbers(0.4, 0.6)
    below, above = 0.7 * 0.6, 0.3 * 0.4
    equal = (1 - below - above) / 2 if ties == "share" else 0
    less = shares("compare-num-lt", first, second, ties)
    assert less == pytest.approx([below + equal, above + equal])
    more = shares("compare-num-gt", first, second, ties)
    assert more == pytest.approx([above + equal, below + equal])


def test_dates_and_their_missing_parts() -> None:
    # 1453 < 1460 < 3 May 1460, and a date without a year comes first of all.
    order = [3, 0, 2, 1]
    for first in range(4):
        for second in range(4):
            one_hot = [dates(*(float(k == place) for k in range(4))) for place in (first, second)]
            before = float(order.index(first) < order.index(second))
            expected = [before, 1 - before] if first != second else [0.5, 0.5]
            assert shares("compare-date-lt", *one_hot) == expected
            assert shares("compare-date-gt", *one_hot) == expected[::-1]


def test_no_value_speaks_for_neither() -> None:
    nothing = numbers(0.0, 0.0)
    assert shares("compare-num-lt", nothing, nothing) == [0.5, 0.5]
    assert shares("compare-num-lt", nothing, nothing, "drop") == [0.0, 0.0]
