"""The question-attention loss: each find of a comparison attends to the words of its own event."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.data.alternatives import Alternatives, marked_alternatives
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.program import Program
from workings.training.examples import TrainingExample
from workings.training.execution import nll
from workings.training.targets import Positions


def question_attention_loss(root: Step, examples: Sequence[TrainingExample]) -> Float[Tensor, " b"]:
    """The mean negative log of the question attention on the event of each find.

    Rows whose question does not name two events have a loss of 0, as have programs that compare
    nothing.

    Args:
        root: The executed program of the rows.
        examples: The example of each row.
    """
    finds = _compared_finds(root.program)
    if not finds:
        return root.question_attention.new_zeros(len(examples))
    events = [marked_alternatives(example.question.text) for example in examples]
    steps = list(root.walk())
    losses = [
        nll(steps[find].question_attention, _event_positions(examples, events, which))[0]
        for which, find in enumerate(finds)
    ]
    return torch.stack(losses).mean(0)


def _compared_finds(program: Program) -> list[int]:
    """Indices of the steps that find the events of the first comparison of a program."""
    steps = list(program.walk())
    for index, step in enumerate(steps):
        if REGISTRY[step.name].compares:
            below = range(index + 1, index + sum(1 for _ in step.walk()))
            return [child for child in below if not steps[child].children]
    return []


def _event_positions(
    examples: Sequence[TrainingExample], events: Sequence[Alternatives | None], which: int
) -> Positions:
    """The question tokens of each row's first event (0) or second event (1)."""
    positions: Positions = []
    for row, (example, pair) in enumerate(zip(examples, events, strict=True)):
        if pair is not None:
            first, last = example.tokens.locate(*(pair.first, pair.second)[which])
            positions += [(row, token) for token in range(first, last + 1)]
    return positions
