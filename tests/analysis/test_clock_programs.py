"""Analysis of programs that compute with clock times and durations."""

import pytest
import torch

from handmade import encode
from workings.analysis.alignment import align_steps
from workings.analysis.passage_weights import passage_weights
from workings.analysis.step_checks import check_step
from workings.analysis.word_removal import remove_words
from workings.modules import REGISTRY
from workings.network.interpreter import Interpreter
from workings.program import Program
from workings.settings import ModuleSettings
from workings.supervision.derivation import StepTarget

TEXT = "It left at 9:20 and came in at 16:05. The film lasts 2 h 26 min."


@pytest.mark.parametrize(
    "program", ["minutes-diff(find)", "minutes-diff(find, find)", "in-minutes(find)"]
)
def test_weights_and_steps(program: str) -> None:
    torch.manual_seed(0)
    encoding = encode([("How many minutes?", TEXT)])
    parsed = Program.parse(program)
    attention = [torch.ones(1, encoding.question.shape[1]).double() / 4 for _ in parsed.walk()]
    model = Interpreter(4, ModuleSettings(), REGISTRY).double()
    root = model(parsed, encoding, attention)
    weights = passage_weights(root, encoding)
    assert weights is not None and weights.sum().item() == pytest.approx(1)
    timings = encoding.inputs[0].timings
    size = 1 if program.startswith("in-") else 2 // len(root.inputs)
    targets = {
        index: StepTarget(index, timings=timings[:size]) for index in range(1, 1 + len(root.inputs))
    }
    aligned = align_steps(root, targets)
    assert aligned[-1].target.timings
    for step in aligned:
        check_step(step, encoding.inputs[0], 0)


def test_removed_words_take_their_times_with_them() -> None:
    passage = encode([("How many minutes?", TEXT)]).inputs[0]
    start = TEXT.index("16:05")
    rest = remove_words(passage, [(start, start + 5)], 0)
    assert [str(mention.timing) for mention in rest.values.timings] == ["9:20", "2 h 26 min"]
