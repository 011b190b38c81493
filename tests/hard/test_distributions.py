"""Every distribution is non-negative and sums to at most one, in float32 and at extremes."""

from dataclasses import replace

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from handmade import encode, random_attention
from workings.modules import REGISTRY
from workings.network.interpreter import Interpreter
from workings.ops.grounding import masked_softmax
from workings.ops.results import Attention, Dates, Numbers, Result, Span
from workings.ops.uncertain_sets import count_members
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


def assert_distribution(weights: Tensor) -> None:
    assert bool(weights.isfinite().all())
    assert bool((weights >= 0).all())
    assert bool((weights.double().sum(-1) <= 1 + 1e-5).all())


@given(st.lists(extremes, min_size=1, max_size=8), st.lists(st.booleans(), min_size=8, max_size=8))
def test_masked_softmax(scores: list[float], allowed: list[bool]) -> None:
    mask = torch.tensor(allowed[: len(scores)])
    weights = masked_softmax(torch.tensor(scores), mask)
    assert_distribution(weights)
    torch.testing.assert_close(weights.sum(), torch.tensor(float(mask.any())))


@given(st.lists(st.sampled_from((0.0, 1e-38, 1e-7, 0.5, 1 - 1e-7, 1.0)), min_size=1, max_size=40))
def test_count_members(probabilities: list[float]) -> None:
    counts = count_members(torch.tensor([probabilities]), len(probabilities))
    assert_distribution(counts)
    torch.testing.assert_close(counts.sum(), torch.tensor(1.0), atol=1e-5, rtol=0)


@settings(max_examples=40)
@given(st.sampled_from(PROGRAMS), extremes, st.integers(0, 3), st.booleans())
def test_every_step_of_a_program(text: str, scale: float, seed: int, sharp: bool) -> None:
    """Token vectors have any size, and the attention is on one word or on all."""
    encoding = encode(TEXTS, dtype=torch.float32)
    encoding = replace(encoding, passage=encoding.passage * scale)
    torch.manual_seed(seed)
    interpreter = Interpreter(4, ModuleSettings(), REGISTRY)
    program = Program.parse(text)
    attention = random_attention(encoding, seed).question
    if sharp:
        attention = torch.zeros_like(attention).scatter(1, attention.argmax(1, keepdim=True), 1.0)
    steps = sum(1 for _ in program.walk())
    with torch.no_grad():
        root = interpreter(program, encoding, [attention] * steps)
    for step in root.walk():
        assert_valid(step.output)


def assert_valid(result: Result) -> None:
    match result:
        case Attention():
            assert_distribution(result.passage)
            assert_distribution(result.question)
        case Numbers():
            assert_distribution(result.weights)
            assert_distribution(result.undefined[:, None])
        case Dates():
            assert_distribution(result.weights)
        case Span():
            assert_distribution(result.start.exp())
            assert_distribution(result.end.exp())
        case _:
            raise AssertionError(f"{result.word} is not checked")
