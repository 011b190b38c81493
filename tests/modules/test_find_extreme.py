"""find-max-num and find-min-num: of an uncertain set of numbers, or of the paper's draws."""

import pytest
import torch
from torch import Tensor

from handmade import PAPER, context, cut, encode, encoding_of, passage_input, spread, zeroed
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, TokenProbabilities
from workings.settings import ModuleSettings

TEXT = "They ran 20 , 30 , 10 and 30 yards"
PLACES = {"20": 2, "30": 4, "10": 6, "later 30": 8}
NAMES = {"find-max-num": True, "find-min-num": False}


def run(name: str, settings: ModuleSettings, encoding: Encoding, events: Attention) -> Tensor:
    module = zeroed(REGISTRY[name](4, settings))
    groundings = zeroed(Groundings(4, settings))
    seen = context(encoding, groundings=groundings)
    found = module(seen, events)
    assert not found.question.any()
    assert isinstance(seen.notes["candidates"], TokenProbabilities)
    return found.passage[0]


@pytest.mark.parametrize(
    ("name", "chances"),
    [
        # In by ½ each: the first in rank wins ½, the next ¼ and so on; of equals the later first.
        ("find-max-num", {"later 30": 8, "30": 4, "20": 2, "10": 1}),
        ("find-min-num", {"10": 8, "20": 4, "later 30": 2, "30": 1}),
    ],
)
def test_of_a_set(name: str, chances: dict[str, int]) -> None:
    encoding = encode([("How many?", TEXT)])
    found = run(name, ModuleSettings(), encoding, spread(encoding))
    assert found.sum().item() == pytest.approx(1)
    for word, chance in chances.items():
        assert found[PLACES[word]].item() == pytest.approx(chance / 15)


@pytest.mark.parametrize(("name", "largest"), NAMES.items())
def test_of_draws(name: str, largest: bool) -> None:
    """The best of five draws from the numbers' weights goes back to the words it came from."""
    settings = PAPER
    words = "run 5 sail 9"
    vectors = torch.zeros(4, 4).double()
    groundings = zeroed(Groundings(4, settings))
    # Words look at numbers alike but for "run" (×3 at 5) and "sail" (×3 at 9).
    log3 = torch.tensor(3.0).log().item()
    vectors[0, 0] = vectors[2, 1] = 2.0 * log3
    vectors[1, 2] = vectors[3, 3] = 1.0
    encoding = encoding_of(
        [cut("How far")], [passage_input(words)], [torch.zeros(2, 4).double()], [vectors]
    )
    groundings.number.projection.weight.data[0, 2] = groundings.number.projection.weight.data[1, 3] = 1.0
    events = Attention(torch.tensor([[0.8, 0.0, 0.2, 0.0]]).double(), torch.zeros(1, 2).double())
    module = REGISTRY[name](4, settings)
    found = module(context(encoding, groundings=groundings), events).passage[0]
    five, nine = 0.8 * 0.75 + 0.2 * 0.25, 0.8 * 0.25 + 0.2 * 0.75
    wins_nine = 1 - five**5 if largest else nine**5
    wins = {"five": 1 - wins_nine, "nine": wins_nine}
    run_ = 0.8 * (0.75 * wins["five"] / five + 0.25 * wins["nine"] / nine)
    sail = 0.2 * (0.25 * wins["five"] / five + 0.75 * wins["nine"] / nine)
    assert found.tolist() == pytest.approx([run_, 0, sail, 0])
    assert run_ + sail == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["set", "samples"])
def test_no_numbers_no_words(name: str, form: str) -> None:
    encoding = encode([("How many?", "Nobody execution.")])
    assert not run(name, ModuleSettings(extreme=form), encoding, spread(encoding)).any()


def test_numbers_that_share_a_word_are_no_likelier_than_certain() -> None:
    encoding = encode([("How many?", "It cost 3 - 4 million")])
    firsts = encoding.numbers.first[encoding.numbers.placed].tolist()
    assert len(firsts) > len(set(firsts))
    seen = context(encoding)
    module = zeroed(REGISTRY["find-max-num"](4, ModuleSettings()))
    module.membership.prior.bias.data.fill_(9.0)
    module(seen, spread(encoding))
    marks = seen.notes["candidates"]
    assert isinstance(marks, TokenProbabilities)
    assert marks.passage.max().item() <= 1
