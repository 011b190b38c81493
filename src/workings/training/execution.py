"""The execution loss: negative log-likelihood of the known targets of single steps."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from workings.network.interpreter import Step
from workings.ops.grounding import EPSILON, log_safe
from workings.ops.results import Attention, Dates, Numbers, Timings, TokenProbabilities
from workings.supervision.supervise import StepTarget
from workings.training.examples import TrainingExample
from workings.training.targets import (
    Positions,
    candidate_positions,
    counted_positions,
    date_positions,
    mask_at,
    number_positions,
    timing_positions,
    token_span,
)

# The loss of each row, and 1 for the rows that it supervises, 0 for the others.
RowLosses = tuple[Float[Tensor, " b"], Float[Tensor, " b"]]
# The target of one step for each row, if the row has one.
RowTargets = Sequence[StepTarget | None]


def execution_loss(
    root: Step, examples: Sequence[TrainingExample], targets: Sequence[Sequence[StepTarget]]
) -> Float[Tensor, " b"]:
    """The mean loss over the known targets of each row; 0 for rows without targets.

    Args:
        root: The executed program of the rows.
        examples: The example of each row.
        targets: The step targets of each row.
    """
    losses: list[Tensor] = []
    counts = torch.zeros(len(examples))
    for index, (step, parent, slot) in enumerate(_with_parents(root)):
        row_targets = [_target_of_step(index, row) for row in targets]
        if any(row_targets):
            for loss, supervised in _step_losses(step, parent, slot, row_targets, examples):
                losses.append(loss)
                counts += supervised
    if not losses:
        return root.question_attention.new_zeros(len(examples))
    return torch.stack(losses).sum(0) / counts.clamp(min=1).to(losses[0])


def nll(weights: Float[Tensor, "b k"], positions: Positions) -> RowLosses:
    """Negative log of the total weight at the positions, for the rows that have any."""
    supervised = torch.zeros(len(weights))
    supervised[[row for row, _ in positions]] = 1
    mass = (weights * mask_at(positions, weights)).sum(-1)
    return -log_safe(mass) * supervised.to(weights), supervised


def _target_of_step(index: int, targets: Sequence[StepTarget]) -> StepTarget | None:
    return next((target for target in targets if target.step == index), None)


def _with_parents(
    step: Step, parent: Step | None = None, slot: int = 0
) -> Iterator[tuple[Step, Step | None, int]]:
    """Each step in the order of ``Program.walk``, its parent, and its index among the inputs."""
    yield step, parent, slot
    for index, child in enumerate(step.inputs):
        yield from _with_parents(child, step, index)


def _step_losses(
    step: Step,
    parent: Step | None,
    slot: int,
    targets: RowTargets,
    examples: Sequence[TrainingExample],
) -> Iterator[RowLosses]:
    """All losses that apply to one step."""
    values = _values(step, parent, slot)
    if isinstance(values, Numbers):
        yield _number_loss(values, targets)
    if step.details.candidates is not None:
        of_set = [_set_target(step, target) for target in targets]
        yield _candidate_loss(step.details.candidates, of_set, examples)
    if isinstance(values, Dates):
        yield _date_loss(values, targets, examples)
    if isinstance(values, Timings):
        yield _timing_loss(values, targets, examples)
    if parent is not None and len(parent.inputs) == 1 and parent.details.operands is not None:
        yield from _start_and_end_losses(parent, targets, examples)
    if isinstance(step.output, Attention) and step.details.candidates is None:
        yield _attention_loss(step.output, targets, examples)
    if parent is not None and parent.details.counted is not None:
        yield _count_loss(parent.details.counted, targets, examples)


def _set_target(step: Step, target: StepTarget | None) -> StepTarget | None:
    """The numbers that compete in an extreme, or those that a sum or an average must include."""
    if target is None or not isinstance(step.output, Numbers):
        return target
    return replace(target, numbers=target.members) if target.members else None


def _values(step: Step, parent: Step | None, slot: int) -> Numbers | Dates | Timings | None:
    """The values of a step: its output, or the operand that its parent reads from it."""
    if isinstance(step.output, Numbers | Dates):
        return step.output
    if parent is not None and len(parent.inputs) == 2 and parent.details.operands is not None:
        return parent.details.operands[slot]
    return None


def _number_loss(numbers: Numbers, targets: RowTargets) -> RowLosses:
    positions: Positions = []
    for row, (target, support) in enumerate(zip(targets, numbers.supports, strict=True)):
        if target and len(target.numbers) == 1:
            positions += number_positions(row, target.numbers, support)
    return nll(numbers.weights, positions)


def _date_loss(dates: Dates, targets: RowTargets, examples: Sequence[TrainingExample]) -> RowLosses:
    positions: Positions = []
    for row, (target, example) in enumerate(zip(targets, examples, strict=True)):
        if target and len(target.dates) == 1:
            positions += date_positions(row, target.dates, example.passage)
    return nll(dates.weights, positions)


def _start_and_end_losses(
    parent: Step, targets: RowTargets, examples: Sequence[TrainingExample]
) -> Iterator[RowLosses]:
    """The losses of both dates or times of a single event; its target has the end first."""
    operands = parent.details.operands or ()
    for slot, operand in enumerate(operands):
        if isinstance(operand, Timings):
            yield _timing_loss(operand, _at_slot(targets, "timings", slot, len(operands)), examples)
        else:
            assert isinstance(operand, Dates)
            yield _date_loss(operand, _at_slot(targets, "dates", slot, len(operands)), examples)


def _at_slot(
    targets: RowTargets, values: Literal["dates", "timings"], slot: int, size: int
) -> RowTargets:
    """The targets of one operand, for the rows whose target has as many values as operands."""
    found = [() if target is None else getattr(target, values) for target in targets]
    return [
        StepTarget(0, **{values: (known[slot],)}) if len(known) == size else None for known in found
    ]


def _timing_loss(
    timings: Timings, targets: RowTargets, examples: Sequence[TrainingExample]
) -> RowLosses:
    positions: Positions = []
    for row, (target, example) in enumerate(zip(targets, examples, strict=True)):
        if target and len(target.timings) == 1:
            positions += timing_positions(row, target.timings, example.passage)
    return nll(timings.weights, positions)


def _attention_loss(
    attention: Attention, targets: RowTargets, examples: Sequence[TrainingExample]
) -> RowLosses:
    """The mean over the target spans of the negative log of the weight inside a span."""
    spans = [
        (row, token_span(example.passage, span), len(target.spans))
        for row, (target, example) in enumerate(zip(targets, examples, strict=True))
        if target
        for span in target.spans
    ]
    loss, supervised = attention.passage.new_zeros(len(targets)), torch.zeros(len(targets))
    if not spans:
        return loss, supervised
    cumulative = torch.cat([loss[:, None], attention.passage.cumsum(-1)], 1)
    rows = torch.tensor([row for row, _, _ in spans])
    first, last = torch.tensor([tokens for _, tokens, _ in spans]).T
    mass = (cumulative[rows, last + 1] - cumulative[rows, first]).clamp(min=0)
    share = torch.tensor([1 / count for _, _, count in spans]).to(mass)
    supervised[rows] = 1
    return loss.index_add(0, rows.to(loss.device), -log_safe(mass) * share), supervised


def _count_loss(
    counted: TokenProbabilities, targets: RowTargets, examples: Sequence[TrainingExample]
) -> RowLosses:
    """Binary cross-entropy: one token of each target mention is counted, and no other token."""
    positions: Positions = []
    for row, (target, example) in enumerate(zip(targets, examples, strict=True)):
        if target and target.spans:
            positions += counted_positions(row, target, example)
    supervised = torch.zeros(len(targets))
    supervised[[row for row, _ in positions]] = 1
    labels = mask_at(positions, counted.passage)
    probabilities = counted.passage.clamp(EPSILON, 1 - 1e-6)
    loss = -(labels * probabilities.log() + (1 - labels) * torch.log1p(-probabilities)).sum(-1)
    return loss * supervised.to(loss), supervised


def _candidate_loss(
    candidates: TokenProbabilities, targets: RowTargets, examples: Sequence[TrainingExample]
) -> RowLosses:
    """At least one mention of each target number is a candidate; no other number is one.

    A single target need not be the complete list, so other numbers are then not penalised.
    """
    probabilities = candidates.passage.clamp(EPSILON, 1 - 1e-6)
    loss, supervised = probabilities.new_zeros(len(targets)), torch.zeros(len(targets))
    terms, term_rows = [], []
    for row, (target, example) in enumerate(zip(targets, examples, strict=True)):
        if not target or not target.numbers:
            continue
        others, mentions = candidate_positions(row, target, example)
        if not mentions:
            continue
        supervised[row] = 1
        for tokens in mentions:
            terms.append(-log_safe(1 - torch.prod(1 - probabilities[row, tokens])))
            term_rows.append(row)
        if len(target.numbers) > 1 and others:
            rows, columns = torch.tensor(others).T
            terms.append(-torch.log1p(-probabilities[rows, columns]).sum())
            term_rows.append(row)
    if terms:
        loss = loss.index_add(0, torch.tensor(term_rows, device=loss.device), torch.stack(terms))
    return loss, supervised
