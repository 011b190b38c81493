"""The network runs each program once for all who ask for it."""

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.ops.results import Numbers, Span
from workings.program import Program
from workings.settings import Recipe

NETWORK = tiny_network()
QUESTIONS = [QUESTION, "Who kicked the longest field goal?", "When was the club founded?"]
COUNT, SPAN, SUB = (
    Program.parse(text) for text in ("count(find)", "span(find)", "sub(count(find), count(find))")
)
REQUESTS = [(0, SUB), (1, SPAN), (2, COUNT), (0, COUNT), (2, SPAN)]


@torch.no_grad()
def test_grouped_as_one_by_one() -> None:
    pieces = [TokenizedText.cut(text, NETWORK.tokenizer) for text in QUESTIONS]
    passage = PassageInput.read(PASSAGE, NETWORK.tokenizer)
    encoding = NETWORK.encoder(pieces, [passage] * 3)
    rows, programs = [row for row, _ in REQUESTS], [program for _, program in REQUESTS]
    _, steps = NETWORK.programmer.score(encoding.select(rows), programs)
    asked = list(torch.stack(steps, 1))
    runs = NETWORK.run(encoding, REQUESTS, asked)
    assert [run.program for run in runs] == [SUB, SPAN, COUNT]
    assert [run.places for run in runs] == [(0,), (1, 4), (2, 3)]
    assert [run.rows for run in runs] == [(0,), (1, 2), (2, 0)]
    for run in runs:
        for row, place in enumerate(run.places):
            (alone,) = NETWORK.run(encoding, [REQUESTS[place]], [asked[place]])
            many, one = run.step.output, alone.step.output
            if isinstance(many, Numbers) and isinstance(one, Numbers):
                torch.testing.assert_close(many.weights[row], one.weights[0])
            else:
                assert isinstance(many, Span) and isinstance(one, Span)
                torch.testing.assert_close(many.start[row], one.start[0])


def test_fresh_weights_are_all_but_the_encoders() -> None:
    new_parameters = {name for name, _ in NETWORK.new_parameters()}
    every = {name for name, _ in NETWORK.named_parameters()}
    assert every - new_parameters == {name for name in every if name.startswith("encoder.")}


@pytest.mark.parametrize("trained", [(), ("find", "count")])
def test_modules_trained(trained: tuple[str, ...]) -> None:
    network = Network(Recipe(), NETWORK.encoder, NETWORK.tokenizer, trained)
    assert network.modules_trained == sorted(trained or REGISTRY)
