"""The supervision of single steps: known picks, taught on the very step they belong to."""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from workings.network.interpreter import Step
from workings.ops.grounding import EPSILON, log_safe
from workings.ops.results import Attention, Dates, Numbers, Result, TokenProbabilities
from workings.supervision.supervise import StepTarget
from workings.training.examples import TrainingExample
from workings.training.targets import (
    Places,
    candidate_places,
    date_places,
    mark_places,
    mask_of,
    number_places,
    piece_span,
)

_SLOTS = ("first", "second")
StepTargets = Sequence[tuple[StepTarget, ...]]  # what each row's steps must pick


def execution_loss(
    root: Step, examples: Sequence[TrainingExample], picks: StepTargets
) -> Float[Tensor, " b"]:
    """The mean nll of each row's known picks."""
    losses: list[Tensor] = []
    counts = torch.zeros(len(examples))
    for place, (step, parent, slot) in enumerate(_with_parents(root)):
        mine = [_at(place, row) for row in picks]
        if any(mine):
            for loss, taught in _of_step(step, parent, slot, mine, examples):
                losses.append(loss)
                counts += taught
    if not losses:
        return root.question_attention.new_zeros(len(examples))
    return torch.stack(losses).sum(0) / counts.clamp(min=1).to(losses[0])


def _at(place: int, picks: Sequence[StepTarget]) -> StepTarget | None:
    return next((pick for pick in picks if pick.step == place), None)


def _with_parents(
    step: Step, parent: Step | None = None, slot: int = 0
) -> Iterator[tuple[Step, Step | None, int]]:
    yield step, parent, slot
    for place, child in enumerate(step.inputs):
        yield from _with_parents(child, step, place)


def _of_step(
    step: Step,
    parent: Step | None,
    slot: int,
    picks: Sequence[StepTarget | None],
    examples: Sequence[TrainingExample],
) -> Iterator[tuple[Tensor, Tensor]]:
    """The losses of one step with, for each, which rows it teaches."""
    grounded = _grounded(step, parent, slot)
    if isinstance(grounded, Numbers):
        yield _number_loss(grounded, picks)
    if "candidates" in step.notes:
        yield _candidate_loss(step.notes["candidates"], picks, examples)
    if isinstance(grounded, Dates):
        yield _date_loss(grounded, picks, examples)
    if parent is not None and len(parent.inputs) == 1 and set(_SLOTS) <= set(parent.notes):
        yield from _lapse_losses(parent, picks, examples)
    if isinstance(step.output, Attention) and "candidates" not in step.notes:
        yield _attention_loss(step.output, picks, examples)
    if parent is not None and "counted" in parent.notes:
        yield _marks_loss(parent.notes["counted"], picks, examples)


def _grounded(step: Step, parent: Step | None, slot: int) -> Result | None:
    """The values a step stands for: its own, or those its parent read off it."""
    if isinstance(step.output, Numbers | Dates):
        return step.output
    if parent is not None and len(parent.inputs) == 2:
        return parent.notes.get(_SLOTS[slot])
    return None


def nll(weights: Tensor, places: Places) -> tuple[Tensor, Tensor]:
    """−log of the weight at the places, for the rows that have any."""
    taught = torch.zeros(len(weights))
    taught[[row for row, _ in places]] = 1
    mass = (weights * mask_of(places, weights)).sum(-1)
    return -log_safe(mass) * taught.to(weights), taught


def _number_loss(found: Numbers, picks: Sequence[StepTarget | None]) -> tuple[Tensor, Tensor]:
    places: Places = []
    for row, (pick, support) in enumerate(zip(picks, found.supports, strict=True)):
        if pick and len(pick.numbers) == 1:
            places += number_places(row, pick.numbers, support)
    return nll(found.weights, places)


def _date_loss(
    found: Dates, picks: Sequence[StepTarget | None], examples: Sequence[TrainingExample]
) -> tuple[Tensor, Tensor]:
    places: Places = []
    for row, (pick, one) in enumerate(zip(picks, examples, strict=True)):
        if pick and len(pick.dates) == 1:
            places += date_places(row, pick.dates, one.passage)
    return nll(found.weights, places)


def _lapse_losses(
    parent: Step, picks: Sequence[StepTarget | None], examples: Sequence[TrainingExample]
) -> Iterator[tuple[Tensor, Tensor]]:
    """The end and the beginning of one event: its two dates, the later first."""
    for slot, name in enumerate(_SLOTS):
        ends = [
            StepTarget(pick.step, dates=(pick.dates[slot],))
            if pick and len(pick.dates) == 2
            else None
            for pick in picks
        ]
        found = parent.notes[name]
        assert isinstance(found, Dates)
        yield _date_loss(found, ends, examples)


def _attention_loss(
    found: Attention, picks: Sequence[StepTarget | None], examples: Sequence[TrainingExample]
) -> tuple[Tensor, Tensor]:
    """Every span should have its share: the mean over spans of −log of the weight inside."""
    spans = [
        (row, piece_span(one.passage, span), len(pick.spans))
        for row, (pick, one) in enumerate(zip(picks, examples, strict=True))
        if pick
        for span in pick.spans
    ]
    loss, taught = found.passage.new_zeros(len(picks)), torch.zeros(len(picks))
    if not spans:
        return loss, taught
    before = torch.cat([loss[:, None], found.passage.cumsum(-1)], 1)
    rows = torch.tensor([row for row, _, _ in spans])
    first, last = torch.tensor([ends for _, ends, _ in spans]).T
    mass = (before[rows, last + 1] - before[rows, first]).clamp(min=0)
    share = torch.tensor([1 / size for _, _, size in spans]).to(mass)
    taught[rows] = 1
    return loss.index_add(0, rows.to(loss.device), -log_safe(mass) * share), taught


def _marks_loss(
    found: Result, picks: Sequence[StepTarget | None], examples: Sequence[TrainingExample]
) -> tuple[Tensor, Tensor]:
    """Each counted mention is marked, and nothing else."""
    assert isinstance(found, TokenProbabilities)
    places: Places = []
    for row, (pick, one) in enumerate(zip(picks, examples, strict=True)):
        if pick and pick.spans:
            places += mark_places(row, pick, one)
    taught = torch.zeros(len(picks))
    taught[[row for row, _ in places]] = 1
    wanted = mask_of(places, found.passage)
    marks = found.passage.clamp(EPSILON, 1 - 1e-6)
    loss = -(wanted * marks.log() + (1 - wanted) * torch.log1p(-marks)).sum(-1)
    return loss * taught.to(loss), taught


def _candidate_loss(
    found: Result, picks: Sequence[StepTarget | None], examples: Sequence[TrainingExample]
) -> tuple[Tensor, Tensor]:
    """Each candidate is in by at least one of its mentions; of a full list, the others are out."""
    assert isinstance(found, TokenProbabilities)
    marks = found.passage.clamp(EPSILON, 1 - 1e-6)
    loss, taught = marks.new_zeros(len(picks)), torch.zeros(len(picks))
    terms, owners = [], []
    for row, (pick, one) in enumerate(zip(picks, examples, strict=True)):
        if not pick or not pick.numbers:
            continue
        others, wanted = candidate_places(row, pick, one)
        if not wanted:
            continue
        taught[row] = 1
        for places in wanted:
            terms.append(-log_safe(1 - torch.prod(1 - marks[row, places])))
            owners.append(row)
        if len(pick.numbers) > 1 and others:  # a single number need not be the whole list
            rows, columns = torch.tensor(others).T
            terms.append(-torch.log1p(-marks[rows, columns]).sum())
            owners.append(row)
    if terms:
        loss = loss.index_add(0, torch.tensor(owners, device=loss.device), torch.stack(terms))
    return loss, taught
