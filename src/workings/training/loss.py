"""The training loss: marginal likelihood of the known answers, and supervision of single steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.network.network import Network
from workings.peers import Model, NAQANet
from workings.settings import LossSettings
from workings.training.distillation import Teacher
from workings.training.examples import TrainingExample
from workings.training.execution import execution_loss
from workings.training.likelihood import answer_log_likelihood
from workings.training.question_attention import question_attention_loss
from workings.training.window_loss import window_loss


@dataclass(frozen=True)
class Loss:
    """The loss of a batch.

    Attributes:
        total: The loss to minimise.
        parts: Its weighted parts by name, as plain numbers for the log.
    """

    total: Float[Tensor, ""]
    parts: dict[str, float]


def batch_loss(
    model: Model,
    examples: Sequence[TrainingExample],
    settings: LossSettings,
    teacher: Teacher | None = None,
) -> Loss:
    """The mean loss of a batch of questions.

    Args:
        model: A network of modules, or a peer; a peer has only the answer loss.
        examples: The questions of the batch.
        settings: The weights of the parts.
        teacher: The teacher for distillation, if there is one.
    """
    if isinstance(model, NAQANet):
        return peer_loss(model, examples)
    return programs_loss(model, examples, settings, teacher)


def peer_loss(peer: NAQANet, examples: Sequence[TrainingExample]) -> Loss:
    """Marginal likelihood over answer types and derivations; 0 for questions without any."""
    encoding = peer.read([e.tokens for e in examples], [e.passage for e in examples])
    log_likelihood = peer.log_likelihood(encoding, [e.supervision for e in examples])
    answer = -log_likelihood.sum() / len(examples)
    return Loss(answer, {"answer": float(answer.detach())})


def programs_loss(
    network: Network,
    examples: Sequence[TrainingExample],
    settings: LossSettings,
    teacher: Teacher | None = None,
) -> Loss:
    """Marginal likelihood over programs, and the supervision of their steps."""
    encoding = network.encoder([e.tokens for e in examples], [e.passage for e in examples])
    joint, steps, rows = _score_programs(network, encoding, examples, settings)
    marginal = _marginal(joint, rows, len(examples), hard=settings.hard_em)
    # The steps of a program are supervised by the probability that it is the right program.
    posterior = torch.exp(joint - marginal[rows]).detach().clamp(max=1)
    posterior = posterior.floor() if settings.hard_em else posterior
    execution = (posterior * steps).sum() / len(examples)
    parts = {"answer": -marginal.mean(), "execution": settings.execution * execution}
    if settings.window:
        window = window_loss(network.interpreter.groundings, encoding, settings.window_size)
        parts["window"] = settings.window * window
    if teacher is not None:
        parts["distillation"] = settings.distillation * teacher.loss(encoding)
    total = torch.stack(list(parts.values())).sum()
    return Loss(total, {name: float(part.detach()) for name, part in parts.items()})


def _score_programs(
    network: Network,
    encoding: Encoding,
    examples: Sequence[TrainingExample],
    settings: LossSettings,
) -> tuple[Float[Tensor, " r"], Float[Tensor, " r"], Int[Tensor, " r"]]:
    """Score every candidate program of every example.

    Returns:
        For each program: log p(program, answer), the loss of its steps, and the row it belongs to.
    """
    candidates = [
        (row, candidate) for row, example in enumerate(examples) for candidate in example.candidates
    ]
    requests = [(row, candidate.program) for row, candidate in candidates]
    rows = torch.tensor([row for row, _ in requests], device=encoding.passage.device)
    program_scores, attentions = network.programmer.score(
        encoding.select([row for row, _ in requests]), [program for _, program in requests]
    )
    answers, steps = torch.zeros_like(program_scores), torch.zeros_like(program_scores)
    question_attention = torch.stack(attentions, 1)
    for run in network.run(encoding, requests, list(question_attention)):
        index = torch.tensor(run.requests, device=program_scores.device)
        group = [examples[row] for row in run.rows]
        answer = answer_log_likelihood(run.step.output, run.encoding, group)
        answers = answers.index_add(0, index, answer)
        targets = [candidates[request][1].targets for request in run.requests]
        supervised = execution_loss(run.step, group, targets)
        if settings.question_attention:
            attention_loss = question_attention_loss(run.step, group, targets)
            supervised = supervised + settings.question_attention * attention_loss
        steps = steps.index_add(0, index, supervised)
    return program_scores + answers, steps, rows


def _marginal(
    joint: Float[Tensor, " r"], rows: Int[Tensor, " r"], count: int, *, hard: bool
) -> Float[Tensor, " b"]:
    """Log of the summed probability of each row's programs, or of the likeliest one (hard EM)."""
    by_row = joint.new_full((count, len(joint)), -torch.inf)
    by_row[rows, torch.arange(len(joint), device=joint.device)] = joint
    return by_row.max(-1).values if hard else torch.logsumexp(by_row, -1)
