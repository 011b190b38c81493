"""The loss of a batch, against a slow loop over its questions and programs."""

from fractions import Fraction

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.data.records import Passage, Question
from workings.settings import LossSettings
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.training.examples import TrainingExample, make_examples
from workings.training.execution import execution_loss
from workings.training.likelihood import answer_log_likelihood
from workings.training.loss import batch_loss

NETWORK = tiny_network()
ANSWER = Fraction(23)
BOTH = tuple(StepTarget(place, numbers=(Fraction(value),)) for place, value in ((1, 47), (3, 24)))
KNOWN = {
    "sub": Supervision(
        derivations=(
            Derivation("sub(find-num(find), find-num(find))", BOTH, narrowed=True),
            Derivation("count(find)", (), narrowed=False),
        ),
        numbers=(ANSWER,),
    ),
    "count": Supervision(
        derivations=(Derivation("count(filter(find))", (), narrowed=True),), numbers=(Fraction(3),)
    ),
    "who": Supervision(
        derivations=(Derivation("span(find)", (), narrowed=True),),
        spans=((0, 3),),
    ),
}


def examples() -> list[TrainingExample]:
    questions = tuple(Question(name, QUESTION, ()) for name in KNOWN)
    return make_examples(Passage("p", PASSAGE, questions), KNOWN, NETWORK.tokenizer, narrow=True)


@torch.no_grad()
def slow(example: TrainingExample) -> list[tuple[float, float]]:
    """The joint log-likelihood and the nll at known picks, program by program."""
    found = []
    for candidate in example.candidates:
        encoding = NETWORK.encoder([example.tokens], [example.passage])
        writing, asked = NETWORK.programmer.score(encoding, [candidate.program])
        step = NETWORK.interpreter(candidate.program, encoding, asked)
        answer = answer_log_likelihood(step.output, encoding, [example])
        taught = execution_loss(step, [example], [candidate.picks])
        found.append(((writing + answer).item(), taught.item()))
    return found


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_equals_a_slow_loop(hard: bool, weight: float) -> None:
    answer = execution = 0.0
    for example in examples():
        found = slow(example)
        joint = torch.tensor([likelihood for likelihood, _ in found])
        marginal = joint.max() if hard else torch.logsumexp(joint, 0)
        answer -= marginal.item() / 3
        belief = (joint == joint.max()).float() if hard else torch.softmax(joint, 0)
        execution += (belief * torch.tensor([taught for _, taught in found])).sum().item() / 3
    with torch.no_grad():
        loss = batch_loss(NETWORK, examples(), LossSettings(hard_em=hard, execution=weight))
    assert loss.parts["answer"] == pytest.approx(answer, rel=1e-4)
    assert loss.parts["execution"] == pytest.approx(weight * execution, rel=1e-3, abs=1e-6)
    assert loss.total.item() == pytest.approx(answer + weight * execution, rel=1e-3)


def test_the_order_of_questions_does_not_matter() -> None:
    with torch.no_grad():
        there = batch_loss(NETWORK, examples(), LossSettings())
        back = batch_loss(NETWORK, examples()[::-1], LossSettings())
    assert there.total.item() == pytest.approx(back.total.item(), rel=1e-4)


def test_gradients_are_finite_and_reach_encoder_programmer_and_modules() -> None:
    network = tiny_network()
    batch_loss(network, examples(), LossSettings(window=1.0)).total.backward()
    reached = {name.split(".")[0] for name, p in network.named_parameters() if p.grad is not None}
    assert reached == {"encoder", "programmer", "interpreter"}
    assert all(bool(p.grad.isfinite().all()) for p in network.parameters() if p.grad is not None)


def test_learning_lowers_it() -> None:
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
