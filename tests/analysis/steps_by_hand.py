"""Executions written by hand: each step with its result, over a passage of one token a word."""

from fractions import Fraction

import torch

from handmade import encode
from workings.arithmetic.support import Support
from workings.inference.decoding import decode
from workings.inference.ranking import Candidate
from workings.network.interpreter import Step
from workings.network.network import Execution
from workings.network.programmer import ScoredProgram
from workings.ops.results import Attention, Dates, Numbers, Result, Span, StepDetails
from workings.program import Program
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.values import Date

PASSAGE = "Ada ran 12 yards in 1990. Ben ran 30 yards in 1995. Cleo rested all day."
WORDS = "Ada ran 12 yards in 1990 . Ben ran 30 yards in 1995 . Cleo rested all day .".split()
QUESTION = "Who ran?"
ENCODING = encode([(QUESTION, PASSAGE)], dtype=torch.float32)
INPUT = ENCODING.inputs[0]
EARLIER, LATER = Date(1990), Date(1995)


def step(name: str, output: Result, *inputs: Step, details: StepDetails | None = None) -> Step:
    program = Program(name, tuple(child.program for child in inputs))
    return Step(program, torch.zeros(1, 3), inputs, output, details or StepDetails())


def row(**weights: float) -> torch.Tensor:
    """Weights of words at their first position in the passage; write n12 for the word 12."""
    tensor = torch.zeros(1, len(WORDS))
    for word, weight in weights.items():
        tensor[0, WORDS.index(word.removeprefix("n"))] = weight
    return tensor


def attention(**weights: float) -> Attention:
    return Attention(row(**weights), torch.zeros(1, 3))


def find(**weights: float) -> Step:
    return step("find", attention(**weights))


def numbers(**weights: float) -> Numbers:
    """Weights of passage numbers, as n12=0.9."""
    positions = INPUT.operands.positions
    tensor = torch.zeros(1, len(positions))
    for name, weight in weights.items():
        tensor[0, positions[Fraction(name.removeprefix("n"))]] = weight
    return Numbers(tensor, [INPUT.operands])


def computed(value: int) -> Numbers:
    """A computed number, which need not be in the passage."""
    return Numbers(torch.tensor([[0.9, 0.1]]), [Support((Fraction(value), Fraction(999)))])


def dates(earlier: float, later: float) -> Dates:
    return Dates(torch.tensor([[float(earlier), float(later)]]))


def span(word: str) -> Span:
    """The whole probability on one word of the passage."""
    ends = torch.full((1, 3 + len(WORDS)), -50.0)
    ends[0, 3 + WORDS.index(word)] = 0.0
    return Span(ends, ends)


def candidate(root: Step) -> Candidate:
    scored = ScoredProgram(0, root.program, torch.zeros(()), torch.zeros(1, 3))
    execution = Execution(root.program, (0,), (0,), ENCODING, root)
    return Candidate(scored, execution, 0, decode(root.output, ENCODING, 0))


def number_target(position: int, *values: int) -> StepTarget:
    return StepTarget(position, numbers=tuple(map(Fraction, values)))


def word_target(position: int, *words: str) -> StepTarget:
    starts = [PASSAGE.index(word) for word in words]
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    return StepTarget(position, spans=tuple(zip(starts, ends, strict=True)))


def supervision(program: str, *derivations: tuple[StepTarget, ...]) -> Supervision:
    """Derivations of one program, each by the targets of its steps."""
    made = tuple(Derivation(program, targets, from_evidence=False) for targets in derivations)
    return Supervision(derivations=made, count=len(made))


SPAN_BEN = step("span", span("Ben"), find(Ben=1.0))
