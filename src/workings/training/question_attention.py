"""Which words of the question a step must ask about, where the question itself tells."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.data.events import Events, split_events
from workings.network.interpreter import Step
from workings.program import Program
from workings.training.examples import TrainingExample
from workings.training.execution import nll
from workings.training.targets import Places


def question_attention_loss(root: Step, examples: Sequence[TrainingExample]) -> Float[Tensor, " b"]:
    """The mean nll, over the steps that speak of one event, of asking about its words."""
    finds = _finds(root.program)
    if not finds:
        return root.question_attention.new_zeros(len(examples))
    events = [split_events(one.question.text) for one in examples]
    steps = list(root.walk())
    losses = [
        nll(steps[find].question_attention, _places(examples, events, which))[0]
        for which, find in enumerate(finds)
    ]
    return torch.stack(losses).mean(0)


def _finds(program: Program) -> list[int]:
    """The steps that find the events of a comparison, in its order."""
    walked = list(program.walk())
    for place, step in enumerate(walked):
        if step.name.startswith("compare-"):
            below = range(place + 1, place + sum(1 for _ in step.walk()))
            return [child for child in below if not walked[child].children]
    return []


def _places(
    examples: Sequence[TrainingExample], events: Sequence[Events | None], which: int
) -> Places:
    """The pieces of each question's first or second event."""
    found: Places = []
    for row, (one, asked) in enumerate(zip(examples, events, strict=True)):
        if asked is not None:
            first, last = one.tokens.locate(*(asked.first, asked.second)[which])
            found += [(row, piece) for piece in range(first, last + 1)]
    return found
