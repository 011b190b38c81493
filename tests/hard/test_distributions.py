"""Every distribution is non-negative and accounts for all its mass, in float32 at the extremes."""

from dataclasses import replace

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from handmade import encode, spread
from workings.modules import REGISTRY
from workings.network.interpreter import Interpreter
from workings.ops.grounding import masked_softmax
from workings.ops.results import Attention, Dates, Numbers, Result, Span
from workings.ops.uncertain_sets import total
from workings.program import Program
from workings.settings import ModuleSettings

TEXTS = (
    ("How many more than the first?", "It had 12 men on 3 May 1453, 40 in 1460, and 12 dogs."),
    ("When?", "Nothing is counted here."),
)
extremes = st.sampled_from((0.0, 1e-38, 1e-6, 1.0, 1e3, 1e6, -1e3, -1e6))
PROGRAMS = (
    "find-num(find)",
    "find-date(find)",
    "count(find)",
    "count(filter(find))",
    "add(find-num(find), find-num(find))",
    "sub(add(find-num(find), find-num(find)), find-num(find))",
    "find-num(find-max-num(find))",
    "find-num(compare-num-lt(find, find))",
    "find-date(compare-date-gt(find, find))",
    "time-diff(find, find)",
    "span(relocate(find))",
)


def is_distribution(weights: Tensor) -> None:
    assert bool(weights.isfinite().all())
    assert bool((weights >= 0).all())
    assert bool((weights.double().sum(-1) <= 1 + 1e-5).all())


@given(st.lists(extremes, min_size=1, max_size=8), st.lists(st.booleans(), min_size=8, max_size=8))
def test_softmax(scores: list[float], allowed: list[bool]) -> None:
    mask = torch.tensor(allowed[: len(scores)])
    found = masked_softmax(torch.tensor(scores), mask)
    is_distribution(found)
    torch.testing.assert_close(found.sum(), torch.tensor(float(mask.any())))


@given(st.lists(st.sampled_from((0.0, 1e-38, 1e-7, 0.5, 1 - 1e-7, 1.0)), min_size=1, max_size=40))
def test_counts(chances: list[float]) -> None:
    found = total(torch.tensor([chances]), len(chances))
    is_distribution(found)
    torch.testing.assert_close(found.sum(), torch.tensor(1.0), atol=1e-5, rtol=0)


@settings(max_examples=40)
@given(st.sampled_from(PROGRAMS), extremes, st.integers(0, 3), st.booleans())
def test_every_program(text: str, scale: float, seed: int, sharp: bool) -> None:
    """Token vectors of any size, and attention on one word or on all."""
    encoding = encode(TEXTS, dtype=torch.float32)
    encoding = replace(encoding, passage=encoding.passage * scale)
    torch.manual_seed(seed)
    interpreter = Interpreter(4, ModuleSettings(), REGISTRY)
    program = Program.parse(text)
    asked = spread(encoding, seed).question
    if sharp:
        asked = torch.zeros_like(asked).scatter(1, asked.argmax(1, keepdim=True), 1.0)
    steps = sum(1 for _ in program.walk())
    with torch.no_grad():
        found = interpreter(program, encoding, [asked] * steps)
    for step in found.walk():
        check(step.output)


def check(result: Result) -> None:
    match result:
        case Attention():
            is_distribution(result.passage)
            is_distribution(result.question)
        case Numbers() | Dates():
            is_distribution(result.weights)
        case Span():
            is_distribution(result.start.exp())
            is_distribution(result.end.exp())
