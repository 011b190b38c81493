"""The interpreter: it keeps every step, and rows of a batch do not affect each other."""

from dataclasses import fields
from itertools import permutations

import pytest
import torch
from torch import Tensor

from handmade import PAPER, encode, random_attention
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY, Module
from workings.network.grammar import ANSWERS
from workings.network.interpreter import Interpreter, Step
from workings.ops.results import Attention, Dates, Nothing, Numbers, Result, Span, Timings
from workings.program import Program
from workings.settings import ModuleSettings

ROWS = [
    (
        "How long did it last?",
        "It began on 3 May 1453, stopped on 8 July 1454 and ended on 9 June 1455 with 12 dead.",
    ),
    ("Who scored over 2 of 17?", "Ada scored 3, Ben 17 in 1990."),
    ("How many more did they win than lose in the end?", "They won 10 and lost 4 of 14 games."),
    ("How many hours was it open?", "It opened at 9:20, shut at 16:05 and fell after 35 minutes."),
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
        "count(filter-num-lt(filter-num-gt(find, question-num), question-num))",
        "find-num(find-max-num(find, question-num))",
        "find-num(find-min-num(find, one))",
        "sub(hundred, sum(find))",
        "days-diff(find)",
        "months-diff(find, find)",
        "minutes-diff(find)",
        "add(hours-diff(find, find), in-hours(find))",
    )
]
LOCAL = ModuleSettings(
    grounding="local", pooled_words="passage", gated=True, filter="none", constants=False
)


def smallest_program(module: type[Module]) -> Program:
    """A small well-typed program with a module in its longest form."""
    inputs = {Attention: "find", Numbers: "find-num(find)", Dates: "find-date(find)"}
    form = module.signatures()[-1]
    program = Program(form.name, tuple(Program.parse(inputs[kind]) for kind in form.takes))
    return program if form.gives in ANSWERS else Program("span", (program,))


USED = {part.name for program in PROGRAMS for part in program.walk()}
PROGRAMS += [smallest_program(module) for name, module in REGISTRY.items() if name not in USED]
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=str)
every_setting = pytest.mark.parametrize(
    "settings", [ModuleSettings(), PAPER, LOCAL], ids=["default", "paper", "local"]
)


def interpreter(settings: ModuleSettings) -> Interpreter:
    torch.manual_seed(6)
    model = Interpreter(4, settings, REGISTRY).double()
    for parameter in model.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return model


def question_attention(program: Program, encoding: Encoding) -> list[Tensor]:
    """Another random attention for each step."""
    return [random_attention(encoding, seed).question for seed, _ in enumerate(program.walk())]


def row_without_padding(result: Result, encoding: Encoding, row: int) -> list[Tensor]:
    passage, question = len(encoding.inputs[row]), len(encoding.questions[row])
    if isinstance(result, Numbers):
        return [result.weights[row, : len(result.supports[row])]]
    if isinstance(result, Attention):
        return [result.passage[row, :passage], result.question[row, :question]]
    if isinstance(result, Span):
        width = encoding.question.shape[1]
        ends = (result.start[row], result.end[row])
        return [torch.cat([end[:question], end[width : width + passage]]).exp() for end in ends]
    if isinstance(result, Dates):
        return [result.weights[row, : len(encoding.inputs[row].dates)]]
    if isinstance(result, Timings):
        return [result.weights[row, : len(encoding.inputs[row].timings)]]
    if isinstance(result, Nothing):
        return [result.weights[row]]
    return [getattr(result, field.name)[row, :passage] for field in fields(result)]


@torch.no_grad()
@every_setting
@every_program
def test_rows_of_a_batch_are_independent(program: Program, settings: ModuleSettings) -> None:
    model, batch = interpreter(settings), encode(ROWS)
    attention = question_attention(program, batch)
    together = model(program, batch, attention)
    for row, texts in enumerate(ROWS):
        single = encode([texts])
        width = single.question.shape[1]
        alone = model(program, single, [step[row : row + 1, :width] for step in attention])
        for many, one in zip(together.walk(), alone.walk(), strict=True):
            results = [("output", many.output), *many.details.named()]
            expected = [("output", one.output), *one.details.named()]
            assert [name for name, _ in results] == [name for name, _ in expected]
            for (_, left), (_, right) in zip(results, expected, strict=True):
                torch.testing.assert_close(
                    row_without_padding(left, batch, row),
                    row_without_padding(right, single, 0),
                    rtol=1e-6,
                    atol=1e-8,
                )


@torch.no_grad()
@every_program
def test_keeps_every_step(program: Program) -> None:
    encoding = encode(ROWS)
    attention = question_attention(program, encoding)
    root = interpreter(ModuleSettings())(program, encoding, attention)
    steps: list[Step] = list(root.walk())
    assert [step.program for step in steps] == list(program.walk())
    assert all(
        step.question_attention is given for step, given in zip(steps, attention, strict=True)
    )
    assert [len(step.inputs) for step in steps] == [len(p.children) for p in program.walk()]
    leaf = steps[-1]
    assert isinstance(leaf.output, REGISTRY[leaf.program.name].signatures()[0].gives)


@torch.no_grad()
def test_answer_follows_from_the_kept_inputs() -> None:
    encoding = encode(ROWS)
    program = Program.parse("sub(find-num(find), find-num(find))")
    model = interpreter(ModuleSettings(difference="absolute"))
    root = model(program, encoding, question_attention(program, encoding))
    first, second = (step.output.mention_weights for step in root.inputs)
    for row, support in enumerate(root.output.supports):
        expected = torch.zeros(len(support)).double()
        values = [encoding.inputs[row].operands.values[entry] for entry in first.entry[row]]
        for (i, a), (j, b) in permutations(enumerate(values), 2):  # no mention is both operands
            weight = first.weights[row, i] * second.weights[row, j]
            expected[support.positions[abs(a - b)]] += weight
        actual = root.output.weights[row, : len(support)]
        torch.testing.assert_close(actual, expected / expected.sum())


@torch.no_grad()
@every_setting
@every_program
def test_intervention_replaces_one_output(program: Program, settings: ModuleSettings) -> None:
    """Only the steps above the replaced one change, and they read the replacement."""
    encoding, model = encode(ROWS), interpreter(settings)
    attention, other = question_attention(program, encoding), random_attention(encoding, 99)
    plain = list(model(program, encoding, attention).walk())
    for position, part in enumerate(program.walk()):
        if not isinstance(plain[position].output, Attention):
            continue
        root = model(program, encoding, attention, interventions={position: lambda _: other})
        steps = list(root.walk())
        assert steps[position].output is other
        for before, after in zip(plain, steps, strict=True):
            if part not in before.program.walk() and after is not steps[position]:
                for row in range(len(ROWS)):
                    torch.testing.assert_close(
                        row_without_padding(after.output, encoding, row),
                        row_without_padding(before.output, encoding, row),
                    )
        changed = any(
            not torch.equal(left, right)
            for row in range(len(ROWS))
            for left, right in zip(
                row_without_padding(plain[0].output, encoding, row),
                row_without_padding(root.output, encoding, row),
                strict=True,
            )
        )
        assert changed, f"the answer does not depend on step {position}"


@torch.no_grad()
def test_intervention_gets_the_computed_output() -> None:
    encoding, model = encode(ROWS), interpreter(ModuleSettings())
    program = Program.parse("find-num(filter(find))")
    attention: list[Tensor] = question_attention(program, encoding)
    seen: list[Attention] = []

    def keep(output: Result) -> Result:
        assert isinstance(output, Attention)
        seen.append(output)
        return output

    plain = model(program, encoding, attention)
    root = model(program, encoding, attention, interventions={1: keep})
    torch.testing.assert_close(seen[0].passage, plain.inputs[0].output.passage)
    torch.testing.assert_close(root.output.weights, plain.output.weights)
