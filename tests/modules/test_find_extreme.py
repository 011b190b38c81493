"""find-max-num and find-min-num: the extreme of an uncertain set, or of the paper's samples."""

from fractions import Fraction

import pytest
import torch
from torch import Tensor

from handmade import (
    PAPER,
    context,
    encode,
    encoding_of,
    passage_input,
    random_attention,
    tokenize,
    with_zero_weights,
)
from workings.arithmetic.support import Support
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.modules._extreme import Extreme
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, Numbers
from workings.settings import ModuleSettings

TEXT = "They ran 20 , 30 , 10 and 30 yards"
POSITIONS = {"20": 2, "30": 4, "10": 6, "later 30": 8}
LARGEST = {"find-max-num": True, "find-min-num": False}


def extreme(name: str, settings: ModuleSettings) -> Extreme:
    module = REGISTRY[name](4, settings)
    assert isinstance(module, Extreme)
    return module


def run(name: str, settings: ModuleSettings, encoding: Encoding, events: Attention) -> Tensor:
    module = with_zero_weights(extreme(name, settings))
    step = context(encoding, groundings=with_zero_weights(Groundings(4, settings)))
    attention: Attention = module(step, events)
    assert not attention.question.any()
    assert step.details.candidates is not None
    return attention.passage[0]


@pytest.mark.parametrize(
    ("name", "fifteenths"),
    [
        # Each is a member with probability ½: the first in rank has ½ before normalisation, the
        # next ¼ and so on. Of equal numbers the later one ranks first.
        ("find-max-num", {"later 30": 8, "30": 4, "20": 2, "10": 1}),
        ("find-min-num", {"10": 8, "20": 4, "later 30": 2, "30": 1}),
    ],
)
def test_extreme_of_a_set(name: str, fifteenths: dict[str, int]) -> None:
    encoding = encode([("How many?", TEXT)])
    weights = run(name, ModuleSettings(), encoding, random_attention(encoding))
    assert weights.sum().item() == pytest.approx(1)
    for word, fifteenth in fifteenths.items():
        assert weights[POSITIONS[word]].item() == pytest.approx(fifteenth / 15)


@pytest.mark.parametrize(("name", "largest"), LARGEST.items())
def test_extreme_of_samples(name: str, largest: bool) -> None:
    """The extreme of five samples of the numbers is traced back to the words it came from."""
    vectors = torch.zeros(4, 4).double()
    groundings = with_zero_weights(Groundings(4, PAPER))
    # "run" prefers 5 and "sail" prefers 9, each by a factor of 3.
    log3 = torch.tensor(3.0).log().item()
    vectors[0, 0] = vectors[2, 1] = 2.0 * log3
    vectors[1, 2] = vectors[3, 3] = 1.0
    encoding = encoding_of(
        [tokenize("How far")],
        [passage_input("run 5 sail 9")],
        [torch.zeros(2, 4).double()],
        [vectors],
    )
    projection = groundings.number.projection.weight.data
    projection[0, 2] = projection[1, 3] = 1.0
    events = Attention(torch.tensor([[0.8, 0.0, 0.2, 0.0]]).double(), torch.zeros(1, 2).double())
    attention = extreme(name, PAPER)(context(encoding, groundings=groundings), events)
    five, nine = 0.8 * 0.75 + 0.2 * 0.25, 0.8 * 0.25 + 0.2 * 0.75
    nine_wins = 1 - five**5 if largest else nine**5
    five_wins = 1 - nine_wins
    run_weight = 0.8 * (0.75 * five_wins / five + 0.25 * nine_wins / nine)
    sail_weight = 0.2 * (0.25 * five_wins / five + 0.75 * nine_wins / nine)
    assert attention.passage[0].tolist() == pytest.approx([run_weight, 0, sail_weight, 0])
    assert run_weight + sail_weight == pytest.approx(1)


@pytest.mark.parametrize("name", LARGEST)
@pytest.mark.parametrize("form", ["set", "samples"])
def test_passage_without_numbers_gets_no_weight(name: str, form: str) -> None:
    encoding = encode([("How many?", "Nobody ran.")])
    settings = ModuleSettings.model_validate({"extreme": form})
    assert not run(name, settings, encoding, random_attention(encoding)).any()


def test_probability_of_numbers_that_share_a_token_is_at_most_one() -> None:
    encoding = encode([("How many?", "It cost 3 - 4 million")])
    firsts = encoding.numbers.first[encoding.numbers.placed].tolist()
    assert len(firsts) > len(set(firsts))
    step = context(encoding)
    module = with_zero_weights(extreme("find-max-num", ModuleSettings()))
    module.membership.prior.bias.data.fill_(9.0)
    module(step, random_attention(encoding))
    assert step.details.candidates is not None
    assert 0.99 < step.details.candidates.passage.max().item() <= 1


def place(**weights: float) -> Numbers:
    values = tuple(Fraction(name.removeprefix("n")) for name in weights)
    return Numbers(torch.tensor([list(weights.values())]).double(), [Support(values)])


@pytest.mark.parametrize(
    ("name", "chosen", "order"),
    [
        ("find-max-num", {"n1": 1.0}, ["later 30"]),
        ("find-max-num", {"n3": 1.0}, ["20"]),
        ("find-min-num", {"n2": 1.0}, ["20"]),
        ("find-min-num", {"n1": 0.5, "n2": 0.5}, ["10", "20"]),
        ("find-max-num", {"n5": 1.0}, []),  # only four numbers
        ("find-max-num", {"n0": 0.3, "n2.5": 0.3, "n40": 0.4}, []),  # no places
    ],
)
def test_place_among_certain_members(name: str, chosen: dict[str, float], order: list[str]) -> None:
    encoding = encode([("Which?", TEXT)])
    module = with_zero_weights(extreme(name, ModuleSettings()))
    module.membership.prior.bias.data.fill_(30.0)  # every number is a member
    step = context(encoding, groundings=with_zero_weights(Groundings(4, ModuleSettings())))
    found = module(step, random_attention(encoding), place(**chosen)).passage[0]
    expected = torch.zeros_like(found)
    for word in order:
        expected[POSITIONS[word]] = 1 / len(order)
    torch.testing.assert_close(found, expected)


def test_place_among_samples_by_hand() -> None:
    """A number is a member if one of five samples hits it."""
    settings = PAPER.model_copy(update={"samples": 5})
    encoding = encode([("Which?", "They ran 20 and 30")])
    module = extreme("find-max-num", settings)
    step = context(encoding, groundings=with_zero_weights(Groundings(4, settings)))
    weights = torch.tensor([[0.0, 0.0, 1.0, 0.0, 0.0]]).double()
    events = Attention(weights, torch.zeros_like(encoding.question_mask).double())
    found = module(step, events, place(n2=1.0)).passage[0]
    # 30 is the first, so only 20 can be the second; all of it came from the attended word.
    assert found.tolist() == pytest.approx([0, 0, 1, 0, 0])
