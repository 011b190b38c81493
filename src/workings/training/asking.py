"""Which words of the question a step must ask about, where the question itself tells."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.data.events import split_events
from workings.grounding import log_safe
from workings.interpreter import Step
from workings.program import Program
from workings.training.examples import Example
from workings.training.targets import Places, mask_of


def asking_loss(root: Step, examples: Sequence[Example]) -> Float[Tensor, " b"]:
    """The mean surprise, over the steps that speak of one event, of asking about its words."""
    events = dict(_events_of(root.program))
    if not events:
        return root.asked.new_zeros(len(examples))
    losses = [
        _of_event(step.asked, examples, events[place])
        for place, step in enumerate(root.walk())
        if place in events
    ]
    return torch.stack(losses).mean(0)


def _events_of(program: Program) -> list[tuple[int, int]]:
    """The steps that find the events of a comparison, in its order: (step, event)."""
    walked = list(program.walk())
    for place, step in enumerate(walked):
        if step.name.startswith("compare-"):
            below = range(place + 1, place + sum(1 for _ in step.walk()))
            finds = [child for child in below if not walked[child].children]
            return [(find, event) for event, find in enumerate(finds)]
    return []


def _of_event(asked: Tensor, examples: Sequence[Example], event: int) -> Tensor:
    places: Places = []
    for row, one in enumerate(examples):
        events = split_events(one.question.text)
        if events is not None:
            first, last = one.pieces.locate(*(events.first, events.second)[event])
            places += [(row, piece) for piece in range(first, last + 1)]
    told = asked.new_zeros(len(examples))
    told[[row for row, _ in places]] = 1
    return -log_safe((asked * mask_of(places, asked)).sum(-1)) * told
