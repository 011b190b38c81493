"""The loss: the marginal likelihood of known answers, and the supervision of steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from workings.network.network import Network
from workings.peers import Model, NAQANet
from workings.program import Program
from workings.settings import LossSettings
from workings.training.distillation import Teacher
from workings.training.examples import TrainingExample
from workings.training.execution import execution_loss
from workings.training.likelihood import answer_log_likelihood
from workings.training.question_attention import question_attention_loss
from workings.training.window_loss import window_loss


@dataclass(frozen=True)
class Loss:
    """What is minimised, and its parts as plain numbers."""

    total: Float[Tensor, ""]
    parts: dict[str, float]


def batch_loss(
    model: Model,
    examples: Sequence[TrainingExample],
    settings: LossSettings,
    teacher: Teacher | None = None,
) -> Loss:
    """The mean loss of a batch of questions."""
    if isinstance(model, NAQANet):
        return peer_loss(model, examples)
    return programs_loss(model, examples, settings, teacher)


def peer_loss(peer: NAQANet, examples: Sequence[TrainingExample]) -> Loss:
    """Marginal likelihood over types and derivations; a question without any teaches nothing."""
    encoding = peer.read([e.tokens for e in examples], [e.passage for e in examples])
    found = peer.log_likelihood(encoding, [e.supervision for e in examples])
    answer = -found.sum() / len(examples)
    return Loss(answer, {"answer": float(answer.detach())})


def programs_loss(
    network: Network,
    examples: Sequence[TrainingExample],
    settings: LossSettings,
    teacher: Teacher | None = None,
) -> Loss:
    """Marginal likelihood over programs, and the supervision of their steps."""
    encoding = network.encoder([e.tokens for e in examples], [e.passage for e in examples])
    requests: list[tuple[int, Program]] = []
    picks = []
    for row, example in enumerate(examples):
        for candidate in example.candidates:
            requests.append((row, candidate.program))
            picks.append(candidate.picks)
    owners = torch.tensor([row for row, _ in requests], device=encoding.passage.device)
    writing, asked = network.programmer.score(
        encoding.select([row for row, _ in requests]), [program for _, program in requests]
    )
    answers, steps = torch.zeros_like(writing), torch.zeros_like(writing)
    by_request = torch.stack(asked, 1)
    for run in network.run(encoding, requests, list(by_request)):
        places = torch.tensor(run.requests, device=writing.device)
        group = [examples[row] for row in run.rows]
        answers = answers.index_add(
            0, places, answer_log_likelihood(run.step.output, run.encoding, group)
        )
        taught = execution_loss(
            run.step, group, [picks[place] for place in run.requests]
        )
        if settings.question_attention:
            taught = taught + settings.question_attention * question_attention_loss(
                run.step, group
            )
        steps = steps.index_add(0, places, taught)
    joint = writing + answers
    marginal = _marginal(joint, owners, len(examples), hard=settings.hard_em)
    # A step is taught as far as its program is believed to be the right one.
    belief = torch.exp(joint - marginal[owners]).detach().clamp(max=1)
    belief = belief.floor() if settings.hard_em else belief
    execution = (belief * steps).sum() / len(examples)
    answer = -marginal.mean()
    parts = {"answer": answer, "execution": settings.execution * execution}
    if settings.window:
        near = window_loss(network.interpreter.groundings, encoding, settings.window_size)
        parts["window"] = settings.window * near
    if teacher is not None:
        parts["teaching"] = settings.distillation * teacher.loss(encoding)
    total = torch.stack(list(parts.values())).sum()
    return Loss(total, {name: float(part.detach()) for name, part in parts.items()})


def _marginal(
    joint: Float[Tensor, " r"], owners: Tensor, rows: int, *, hard: bool
) -> Float[Tensor, " b"]:
    """log Σ over each row's programs, or of its likeliest one alone."""
    spread = joint.new_full((rows, len(joint)), -torch.inf)
    spread[owners, torch.arange(len(joint), device=joint.device)] = joint
    return spread.max(-1).values if hard else torch.logsumexp(spread, -1)
