"""The network runs each program once for all rows that request it."""

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
def test_groups_requests_by_program() -> None:
    questions = [TokenizedText.tokenize(text, NETWORK.tokenizer) for text in QUESTIONS]
    passage = PassageInput.from_text(PASSAGE, NETWORK.tokenizer)
    encoding = NETWORK.encoder(questions, [passage] * 3)
    rows, programs = [row for row, _ in REQUESTS], [program for _, program in REQUESTS]
    _, steps = NETWORK.programmer.score(encoding.select(rows), programs)
    attention = list(torch.stack(steps, 1))
    executions = NETWORK.run(encoding, REQUESTS, attention)
    assert [execution.program for execution in executions] == [SUB, SPAN, COUNT]
    assert [execution.requests for execution in executions] == [(0,), (1, 4), (2, 3)]
    assert [execution.rows for execution in executions] == [(0,), (1, 2), (2, 0)]
    for execution in executions:
        for row, request in enumerate(execution.requests):
            (alone,) = NETWORK.run(encoding, [REQUESTS[request]], [attention[request]])
            many, one = execution.step.output, alone.step.output
            if isinstance(many, Numbers) and isinstance(one, Numbers):
                torch.testing.assert_close(many.weights[row], one.weights[0])
            else:
                assert isinstance(many, Span) and isinstance(one, Span)
                torch.testing.assert_close(many.start[row], one.start[0])


def test_new_parameters_are_all_but_those_of_the_encoder() -> None:
    new = {name for name, _ in NETWORK.new_parameters()}
    every = {name for name, _ in NETWORK.named_parameters()}
    assert every - new == {name for name in every if name.startswith("encoder.")}


@pytest.mark.parametrize("trained", [(), ("find", "count")])
def test_modules_trained(trained: tuple[str, ...]) -> None:
    network = Network(Recipe(), NETWORK.encoder, NETWORK.tokenizer, trained)
    assert network.modules_trained == sorted(trained or REGISTRY)


def test_filter_none_never_writes_a_text_filter() -> None:
    recipe = Recipe.read({"modules": {"filter": "none"}})
    network = Network(recipe, NETWORK.encoder, NETWORK.tokenizer)
    assert network.modules_trained == sorted(set(REGISTRY) - {"filter"})
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    encoding = network.encoder([question], [PassageInput.from_text(PASSAGE, network.tokenizer)])
    programs = [Program.parse(text) for text in ("count(filter(find))", "count(find)")]
    with torch.no_grad():
        scores = [network.programmer.score(encoding, [program])[0].item() for program in programs]
    assert scores[0] == -torch.inf < scores[1]
