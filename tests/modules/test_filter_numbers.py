"""filter-num-gt and filter-num-lt: keep what has a number above or below a threshold."""

from fractions import Fraction

import pytest
import torch
from torch import Tensor

from handmade import context, encode
from workings.arithmetic.support import Support
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, Numbers
from workings.settings import ModuleSettings

TEXT = "They ran 20 , 30 , 10 and 30 yards"
POSITIONS = {"20": 2, "30": 4, "10": 6, "later 30": 8}


class OwnNumbers(Groundings):
    """Groundings in which each number is the number of its own token and of the token before."""

    def number_rows(self, encoding: Encoding) -> Tensor:
        mentions, length = encoding.numbers, encoding.passage.shape[1]
        covers = mentions.covers(length)
        own = (covers | covers.roll(-1, -1)) & mentions.placed[..., None]
        return own.transpose(1, 2).to(encoding.passage)


def threshold(**weights: float) -> Numbers:
    values = tuple(Fraction(name.removeprefix("n")) for name in weights)
    return Numbers(torch.tensor([list(weights.values())]).double(), [Support(values)])


def keep(name: str, limit: Numbers) -> dict[str, float]:
    encoding = encode([("How many?", TEXT)])
    found = torch.zeros_like(encoding.passage_mask).double()
    found[0, list(POSITIONS.values())] = 0.25
    question = torch.ones_like(encoding.question_mask).double()
    step = context(encoding, groundings=OwnNumbers(4, ModuleSettings()))
    kept = REGISTRY[name](4, ModuleSettings())(step, Attention(found, question), limit)
    assert kept.question is question
    assert kept.passage.sum().item() == pytest.approx(kept.passage[0, found[0] > 0].sum().item())
    return {word: kept.passage[0, position].item() for word, position in POSITIONS.items()}


@pytest.mark.parametrize(
    ("name", "limit", "kept"),
    [
        ("filter-num-gt", "15", ["20", "30", "later 30"]),
        ("filter-num-gt", "20", ["30", "later 30"]),  # strictly above
        ("filter-num-lt", "20", ["10"]),  # strictly below
        ("filter-num-lt", "30", ["20", "10"]),
        ("filter-num-lt", "99", list(POSITIONS)),
    ],
)
def test_certain_threshold(name: str, limit: str, kept: list[str]) -> None:
    found = keep(name, threshold(**{f"n{limit}": 1.0}))
    expected = {word: 1 / len(kept) if word in kept else 0.0 for word in POSITIONS}
    assert found == pytest.approx(expected)


def test_uncertain_threshold_by_hand() -> None:
    limits = threshold(n10=0.5, n25=0.3, n30=0.2)
    # Above: 20 passes if the limit is 10; 30 passes if it is 10 or 25; 10 never passes.
    passes = {"20": 0.5, "30": 0.8, "10": 0.0, "later 30": 0.8}
    total = sum(passes.values())
    above = keep("filter-num-gt", limits)
    assert above == pytest.approx({word: p / total for word, p in passes.items()})
    # Below: 10 passes for 25 and 30, and 20 does, too.
    below = keep("filter-num-lt", limits)
    assert below == pytest.approx({"20": 0.5, "30": 0.0, "10": 0.5, "later 30": 0.0})


@pytest.mark.parametrize("name", ["filter-num-gt", "filter-num-lt"])
def test_unknown_threshold_lets_nothing_pass(name: str) -> None:
    nothing = Numbers(torch.zeros(1, 1).double(), [Support(())])
    assert set(keep(name, nothing).values()) == {0.0}


def test_nothing_passes_an_extreme_threshold() -> None:
    assert set(keep("filter-num-gt", threshold(n99=1.0)).values()) == {0.0}


@pytest.mark.parametrize("name", ["filter-num-gt", "filter-num-lt"])
def test_rows_do_not_affect_each_other(name: str) -> None:
    texts = [("How many?", "Nobody came."), ("How many?", TEXT)]
    settings = ModuleSettings(grounding="local")
    groundings = Groundings(4, settings).double()
    module = REGISTRY[name](4, settings)
    support = Support((Fraction(15), Fraction(25)))
    limits = Numbers(torch.tensor([[0.5, 0.5], [0.5, 0.5]]).double(), [support, support])
    both = encode(texts)
    weights = both.passage_mask.double() / both.passage_mask.sum(-1, keepdim=True)
    found = module(
        context(both, groundings=groundings),
        Attention(weights, both.question_mask.double()),
        limits,
    )
    assert not found.passage[0].any()  # without numbers nothing has a number above or below
    alone = encode(texts[1:])
    single = module(
        context(alone, groundings=groundings),
        Attention(weights[1:], alone.question_mask.double()),
        Numbers(limits.weights[1:], [support]),
    )
    torch.testing.assert_close(found.passage[1:], single.passage)
    assert found.passage[1].sum().item() == pytest.approx(1)
