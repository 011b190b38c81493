"""Training on poisoned batches neither stops nor learns what is not a number."""

from fractions import Fraction

import pytest
import torch

from tiny import tiny_network
from workings.data.records import Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.program import Program
from workings.settings import LossSettings, TrainSettings
from workings.supervision.supervise import StepTarget, Supervision
from workings.training.examples import Candidate, Example
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser

NETWORK = tiny_network()
SUM = "add(find-num(find), find-num(find))"
FAR = Supervision(numbers=(Fraction(10) ** 400,))
PICKED = (StepTarget(1, (Fraction(7, 3),)),)


def example(passage: str, program: str, known: Supervision = FAR, question: str = "?") -> Example:
    tokenizer = NETWORK.tokenizer
    return Example(
        Question("q", question, ()),
        TokenizedText.cut(question, tokenizer),
        PassageInput.read(passage, tokenizer),
        known,
        (Candidate(Program.parse(program), PICKED),),
    )


POISONED = {
    "no numbers": example("Nothing is counted.", SUM),
    "no dates": example("It had 12 men.", "time-diff(find, find)"),
    "an answer out of reach": example("It had 12 and 30 men.", SUM),
    "no answer at all": example("It had 12 and 30 men.", SUM, Supervision()),
    "a span that is nowhere": example("It had 12 men.", "span(find)", Supervision()),
    "a count past all": example("It had 12 men.", "count(find)"),
    "one number many times": example("12 " * 60, SUM),
    "numbers past all": example(f"{'9' * 30} and 0.{'0' * 27}1 and 1/3", SUM),
    "one word": example(".", "span(find)"),
}


@pytest.mark.parametrize("poison", POISONED)
@pytest.mark.parametrize("window", [0.0, 1.0])
def test_a_poisoned_batch_leaves_the_weights_finite(poison: str, window: float) -> None:
    network = tiny_network()
    optimiser = Optimiser(network, TrainSettings(), steps=3)
    good = example("It had 12 and 30 men.", SUM, Supervision(numbers=(Fraction(42),)))
    for step in range(2):
        loss = batch_loss(network, [POISONED[poison], good], LossSettings(window=window))
        assert bool(loss.total.isfinite())
        loss.total.backward()
        optimiser.step(step)
    assert all(bool(parameter.isfinite().all()) for parameter in network.parameters())


def test_gradients_that_are_not_numbers_are_not_followed() -> None:
    network = tiny_network()
    optimiser = Optimiser(network, TrainSettings(), steps=3)
    before = {name: parameter.clone() for name, parameter in optimiser.named.items()}
    for parameter in network.parameters():
        parameter.grad = torch.full_like(parameter, torch.nan)
    optimiser.step(0)
    assert all(torch.equal(before[name], p) for name, p in optimiser.named.items())
