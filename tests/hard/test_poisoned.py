"""Training on examples without a usable answer keeps all weights finite."""

from fractions import Fraction

import pytest
import torch

from tiny import tiny_network
from workings.data.records import Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.program import Program
from workings.settings import LossSettings, TrainSettings
from workings.supervision.supervise import StepTarget, Supervision
from workings.training.examples import SupervisedProgram, TrainingExample
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser

NETWORK = tiny_network()
SUM = "add(find-num(find), find-num(find))"
UNREACHABLE = Supervision(numbers=(Fraction(10) ** 400,))
TARGETS = (StepTarget(1, (Fraction(7, 3),)),)


def example(passage: str, program: str, supervision: Supervision = UNREACHABLE) -> TrainingExample:
    tokenizer = NETWORK.tokenizer
    return TrainingExample(
        Question("q", "?", ()),
        TokenizedText.tokenize("?", tokenizer),
        PassageInput.from_text(passage, tokenizer),
        supervision,
        (SupervisedProgram(Program.parse(program), TARGETS),),
    )


POISONED = {
    "no numbers": example("Nothing is counted.", SUM),
    "no dates": example("It had 12 men.", "time-diff(find, find)"),
    "an answer that no program gives": example("It had 12 and 30 men.", SUM),
    "no answer": example("It had 12 and 30 men.", SUM, Supervision()),
    "a span that is not in the passage": example("It had 12 men.", "span(find)", Supervision()),
    "a count that is too large": example("It had 12 men.", "count(find)"),
    "one number many times": example("12 " * 60, SUM),
    "very large and very small numbers": example(f"{'9' * 30} and 0.{'0' * 27}1 and 1/3", SUM),
    "one word": example(".", "span(find)"),
}


@pytest.mark.parametrize("name", POISONED)
@pytest.mark.parametrize("window", [0.0, 1.0])
def test_weights_stay_finite(name: str, window: float) -> None:
    network = tiny_network()
    optimiser = Optimiser(network, TrainSettings(), steps=3)
    good = example("It had 12 and 30 men.", SUM, Supervision(numbers=(Fraction(42),)))
    for step in range(2):
        loss = batch_loss(network, [POISONED[name], good], LossSettings(window=window))
        assert bool(loss.total.isfinite())
        loss.total.backward()
        optimiser.step(step)
    assert all(bool(parameter.isfinite().all()) for parameter in network.parameters())


def test_skips_gradients_that_are_not_numbers() -> None:
    network = tiny_network()
    optimiser = Optimiser(network, TrainSettings(), steps=3)
    before = {name: parameter.clone() for name, parameter in optimiser.parameters.items()}
    for parameter in network.parameters():
        parameter.grad = torch.full_like(parameter, torch.nan)
    optimiser.step(0)
    assert all(torch.equal(before[name], p) for name, p in optimiser.parameters.items())
