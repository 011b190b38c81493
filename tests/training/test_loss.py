"""The loss of a batch, against a slow loop over its questions and programs."""

from fractions import Fraction

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.data.records import Passage, Question
from workings.settings import LossSettings, ModuleSettings
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.training.examples import TrainingExample, make_examples
from workings.training.execution import execution_loss
from workings.training.likelihood import answer_log_likelihood
from workings.training.loss import batch_loss

NETWORK = tiny_network()
ANSWER = Fraction(23)
OPERANDS = tuple(StepTarget(step, numbers=(Fraction(value),)) for step, value in ((1, 47), (3, 24)))
SUPERVISION = {
    "sub": Supervision(
        derivations=(
            Derivation("sub(find-num(find), find-num(find))", OPERANDS, from_evidence=True),
            Derivation("count(find)", (), from_evidence=False),
        ),
        numbers=(ANSWER,),
    ),
    "count": Supervision(
        derivations=(Derivation("count(filter(find))", (), from_evidence=True),),
        numbers=(Fraction(3),),
    ),
    "who": Supervision(
        derivations=(Derivation("span(find)", (), from_evidence=True),),
        spans=((0, 3),),
    ),
}


def examples() -> list[TrainingExample]:
    questions = tuple(Question(name, QUESTION, ()) for name in SUPERVISION)
    passage = Passage("p", PASSAGE, questions)
    return make_examples(
        passage, SUPERVISION, NETWORK.tokenizer, ModuleSettings(), use_evidence=True
    )


@torch.no_grad()
def slow(example: TrainingExample) -> list[tuple[float, float]]:
    """log p(program, answer) and the execution loss of each program, one at a time."""
    scores = []
    for candidate in example.candidates:
        encoding = NETWORK.encoder([example.tokens], [example.passage])
        program_score, attention = NETWORK.programmer.score(encoding, [candidate.program])
        step = NETWORK.interpreter(candidate.program, encoding, attention)
        answer = answer_log_likelihood(step.output, encoding, [example])
        execution = execution_loss(step, [example], [candidate.targets])
        scores.append(((program_score + answer).item(), execution.item()))
    return scores


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_equals_a_slow_loop(hard: bool, weight: float) -> None:
    answer = execution = 0.0
    for example in examples():
        scores = slow(example)
        joint = torch.tensor([log_likelihood for log_likelihood, _ in scores])
        marginal = joint.max() if hard else torch.logsumexp(joint, 0)
        answer -= marginal.item() / 3
        posterior = (joint == joint.max()).float() if hard else torch.softmax(joint, 0)
        step_losses = torch.tensor([step_loss for _, step_loss in scores])
        execution += (posterior * step_losses).sum().item() / 3
    with torch.no_grad():
        loss = batch_loss(NETWORK, examples(), LossSettings(hard_em=hard, execution=weight))
    assert loss.parts["answer"] == pytest.approx(answer, rel=1e-4)
    assert loss.parts["execution"] == pytest.approx(weight * execution, rel=1e-3, abs=1e-6)
    assert loss.total.item() == pytest.approx(answer + weight * execution, rel=1e-3)


def test_does_not_depend_on_the_order_of_questions() -> None:
    with torch.no_grad():
        forwards = batch_loss(NETWORK, examples(), LossSettings())
        backwards = batch_loss(NETWORK, examples()[::-1], LossSettings())
    assert forwards.total.item() == pytest.approx(backwards.total.item(), rel=1e-4)


def test_gradients_are_finite_and_reach_encoder_programmer_and_modules() -> None:
    network = tiny_network()
    batch_loss(network, examples(), LossSettings(window=1.0)).total.backward()
    reached = {name.split(".")[0] for name, p in network.named_parameters() if p.grad is not None}
    assert reached == {"encoder", "programmer", "interpreter"}
    assert all(bool(p.grad.isfinite().all()) for p in network.parameters() if p.grad is not None)


def test_falls_in_training() -> None:
    network = tiny_network(seed=2)
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    losses = []
    for _ in range(12):
        loss = batch_loss(network, examples(), LossSettings())
        optimiser.zero_grad()
        loss.total.backward()
        optimiser.step()
        losses.append(loss.total.item())
    assert losses[-1] < 0.7 * losses[0]
