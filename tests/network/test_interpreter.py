"""The interpreter: every step is there, and a batch runs as its questions would alone."""

from dataclasses import fields
from itertools import permutations
from typing import Any

import pytest
import torch
from torch import Tensor

from handmade import PAPER, encode, spread
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.network.interpreter import Interpreter, Step
from workings.ops.results import Attention, Dates, Numbers, Span
from workings.program import Program
from workings.settings import ModuleSettings

ROWS = [
    ("How long did it last?", "It began on 3 May 1453. It ended in 1455 with 12 dead."),
    ("Who won?", "Ada scored 3, Ben 17 in 1990."),
    ("How many more did they win than lose in the end?", "They won 10 and lost 4 of 14 games."),
]
PROGRAMS = [
    Program.parse(text)
    for text in (
        "sub(add(find-num(find), find-num(find)), find-num(filter(find)))",
        "span(relocate(find-max-num(find)))",
        "add(count(filter(find)), find-num(find-min-num(find)))",
        "span(compare-date-lt(find, find))",
        "span(compare-date-gt(find, find))",
        "span(compare-num-lt(find, find))",
        "span(compare-num-gt(find, find))",
        "sub(time-diff(find), time-diff(find, find))",
        "add(time-diff(find, find), find-num(find))",
        "spans(filter(find))",
        "find-date(find)",
    )
]
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=str)
every_setting = pytest.mark.parametrize(
    "settings", [ModuleSettings(), PAPER], ids=["ours", "paper"]
)


def test_the_programs_use_every_module() -> None:
    assert {part.name for program in PROGRAMS for part in program.walk()} == set(REGISTRY)


def interpreter(settings: ModuleSettings) -> Interpreter:
    torch.manual_seed(6)
    made = Interpreter(4, settings, REGISTRY).double()
    for parameter in made.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return made


def asked(program: Program, encoding: Encoding) -> list[Tensor]:
    return [spread(encoding, seed).question for seed, _ in enumerate(program.walk())]


def row_of(value: Any, encoding: Encoding, row: int) -> list[Tensor]:
    """One row of a result without its padding."""
    passage, question = len(encoding.inputs[row]), len(encoding.questions[row])
    if isinstance(value, Numbers):
        return [value.weights[row, : len(value.supports[row])]]
    if isinstance(value, Attention):
        return [value.passage[row, :passage], value.question[row, :question]]
    if isinstance(value, Span):
        width = encoding.question.shape[1]
        ends = (value.start[row], value.end[row])
        return [torch.cat([end[:question], end[width : width + passage]]).exp() for end in ends]
    if isinstance(value, Dates):
        return [value.weights[row, : len(encoding.inputs[row].dates)]]
    return [getattr(value, field.name)[row, :passage] for field in fields(value)]


@torch.no_grad()
@every_setting
@every_program
def test_together_as_alone(program: Program, settings: ModuleSettings) -> None:
    made, together = interpreter(settings), encode(ROWS)
    looked = asked(program, together)
    run = made(program, together, looked)
    for row, texts in enumerate(ROWS):
        alone = encode([texts])
        mine = [one[row : row + 1, : alone.question.shape[1]] for one in looked]
        for many, one in zip(run.walk(), made(program, alone, mine).walk(), strict=True):
            assert many.notes.keys() == one.notes.keys()
            results = [(many.output, one.output)]
            results += [(many.notes[name], one.notes[name]) for name in many.notes]
            for left, right in results:
                torch.testing.assert_close(
                    row_of(left, together, row), row_of(right, alone, 0), rtol=1e-6, atol=1e-8
                )


@torch.no_grad()
@every_program
def test_every_step_is_there(program: Program) -> None:
    encoding = encode(ROWS)
    looked = asked(program, encoding)
    run = interpreter(ModuleSettings())(program, encoding, looked)
    steps: list[Step] = list(run.walk())
    assert [step.program for step in steps] == list(program.walk())
    assert all(step.question_attention is mine for step, mine in zip(steps, looked, strict=True))
    assert [len(step.inputs) for step in steps] == [len(p.children) for p in program.walk()]
    assert isinstance(steps[-1].output, Attention)


@torch.no_grad()
def test_what_is_shown_computed_the_answer() -> None:
    encoding = encode(ROWS)
    program = Program.parse("sub(find-num(find), find-num(find))")
    run = interpreter(ModuleSettings(difference="absolute"))(
        program, encoding, asked(program, encoding)
    )
    first, second = (step.output for step in run.inputs)
    weights, supports = run.output.weights, run.output.supports
    for row, support in enumerate(supports):
        expected = torch.zeros(len(support)).double()
        values = [encoding.inputs[row].operands.values[entry] for entry in first.traced.entry[row]]
        for (i, a), (j, b) in permutations(enumerate(values), 2):  # no mention is both operands
            share = first.traced.weights[row, i] * second.traced.weights[row, j]
            expected[support.places[abs(a - b)]] += share
        torch.testing.assert_close(weights[row, : len(support)], expected / expected.sum())
