"""The question-attention loss: each step attends to the words of the question that ask for it."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.data.alternatives import marked_alternatives
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.grounding import log_safe
from workings.program import Program
from workings.supervision.supervise import StepTarget
from workings.training.asked_words import asked_words
from workings.training.examples import TrainingExample
from workings.training.execution import nll
from workings.training.targets import Positions, mask_at
from workings.values import CharSpan


def question_attention_loss(
    root: Step, examples: Sequence[TrainingExample], targets: Sequence[Sequence[StepTarget]]
) -> Float[Tensor, " b"]:
    """The mean loss of the steps whose words are known; 0 for rows without such steps.

    A step with annotated words has the cross-entropy to an even spread over them. A find of a
    comparison has the negative log of the attention on its own event.

    Args:
        root: The executed program of the rows.
        examples: The example of each row.
        targets: The step targets of each row.
    """
    steps = list(root.walk())
    losses = [steps[0].question_attention.new_zeros(len(examples))]
    counts = torch.zeros(len(examples))
    words = [
        _tokens_by_step(example, root.program, row_targets)
        for example, row_targets in zip(examples, targets, strict=True)
    ]
    events = _event_tokens(root.program, examples)
    for index, step in enumerate(steps):
        annotated: Positions = [
            (row, token) for row, by_step in enumerate(words) for token in by_step.get(index, ())
        ]
        losses.append(_even_spread_loss(step.question_attention, annotated))
        counts[sorted({row for row, _ in annotated})] += 1
        on_event = [(row, token) for row, token in events.get(index, []) if not words[row]]
        losses.append(nll(step.question_attention, on_event)[0])
        counts[sorted({row for row, _ in on_event})] += 1
    return torch.stack(losses).sum(0) / counts.clamp(min=1).to(losses[0])


def _even_spread_loss(attention: Float[Tensor, "b n"], positions: Positions) -> Float[Tensor, " b"]:
    """Cross-entropy between an even spread over the positions of a row and its attention."""
    wanted = mask_at(positions, attention)
    wanted = wanted / wanted.sum(-1, keepdim=True).clamp(min=1)
    return -(wanted * log_safe(attention)).sum(-1)


def _tokens_by_step(
    example: TrainingExample, program: Program, targets: Sequence[StepTarget]
) -> dict[int, list[int]]:
    """The question tokens that each step should attend to."""
    asked = asked_words(example.question, program, targets)
    return {step: _tokens(example, words) for step, words in asked.items()}


def _tokens(example: TrainingExample, words: Sequence[CharSpan]) -> list[int]:
    spans = [example.tokens.locate(*word) for word in words]
    return sorted({token for first, last in spans for token in range(first, last + 1)})


def _event_tokens(program: Program, examples: Sequence[TrainingExample]) -> dict[int, Positions]:
    """For each find of a comparison, the tokens of its event in the questions that name two."""
    finds = _compared_finds(program)
    if not finds:
        return {}
    tokens: dict[int, Positions] = {find: [] for find in finds}
    for row, example in enumerate(examples):
        pair = marked_alternatives(example.question.text)
        if pair is not None:
            for find, event in zip(finds, (pair.first, pair.second), strict=False):
                tokens[find] += [(row, token) for token in _tokens(example, [event])]
    return tokens


def _compared_finds(program: Program) -> list[int]:
    """Indices of the steps that find the events of the first comparison of a program."""
    steps = list(program.walk())
    for index, step in enumerate(steps):
        if REGISTRY[step.name].compares:
            below = range(index + 1, index + sum(1 for _ in step.walk()))
            return [child for child in below if not steps[child].children]
    return []
