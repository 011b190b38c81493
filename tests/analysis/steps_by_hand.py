"""Runs written out: each step's result by hand, over a passage of one piece a word."""

from fractions import Fraction

import torch

from handmade import encode
from workings.arithmetic.support import Support
from workings.inference.decoding import decode
from workings.inference.ranking import Candidate
from workings.network.interpreter import Step
from workings.network.network import Execution
from workings.network.programmer import ScoredProgram
from workings.ops.results import Attention, Dates, Numbers, Result, Span
from workings.program import Program
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.values import Date

PASSAGE = "Ada ran 12 yards in 1990. Ben ran 30 yards in 1995. Cleo rested all day."
WORDS = "Ada ran 12 yards in 1990 . Ben ran 30 yards in 1995 . Cleo rested all day .".split()
QUESTION = "Who ran?"
ENCODING = encode([(QUESTION, PASSAGE)], dtype=torch.float32)
INPUT = ENCODING.inputs[0]
FIRST, LATER = Date(1990), Date(1995)


def step(name: str, output: Result, *inputs: Step, **notes: Result) -> Step:
    program = Program(name, tuple(one.program for one in inputs))
    return Step(program, torch.zeros(1, 3), inputs, output, notes)


def row(**weights: float) -> torch.Tensor:
    """Weights of words at their first place in the passage; a leading n stands for a digit."""
    found = torch.zeros(1, len(WORDS))
    for word, weight in weights.items():
        found[0, WORDS.index(word.removeprefix("n"))] = weight
    return found


def looks(**weights: float) -> Attention:
    return Attention(row(**weights), torch.zeros(1, 3))


def find(**weights: float) -> Step:
    return step("find", looks(**weights))


def numbers(**weights: float) -> Numbers:
    """Weights of passage numbers, as n12=0.9."""
    places = INPUT.operands.places
    found = torch.zeros(1, len(places))
    for name, weight in weights.items():
        found[0, places[Fraction(name.removeprefix("n"))]] = weight
    return Numbers(found, [INPUT.operands])


def result(value: int) -> Numbers:
    """A number that may stand nowhere."""
    return Numbers(torch.tensor([[0.9, 0.1]]), [Support((Fraction(value), Fraction(999)))])


def dates(first: float, later: float) -> Dates:
    return Dates(torch.tensor([[float(first), float(later)]]))


def span(word: str) -> Span:
    """All on one word of the passage."""
    ends = torch.full((1, 3 + len(WORDS)), -50.0)
    ends[0, 3 + WORDS.index(word)] = 0.0
    return Span(ends, ends)


def tried(root: Step) -> Candidate:
    written = ScoredProgram(0, root.program, torch.zeros(()), torch.zeros(1, 3))
    ran = Execution(root.program, (0,), (0,), ENCODING, root)
    return Candidate(written, ran, 0, decode(root.output, ENCODING, 0))


def number_pick(place: int, *values: int) -> StepTarget:
    return StepTarget(place, numbers=tuple(map(Fraction, values)))


def words_pick(place: int, *words: str) -> StepTarget:
    starts = [PASSAGE.index(word) for word in words]
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    return StepTarget(place, spans=tuple(zip(starts, ends, strict=True)))


def known(program: str, *ways: tuple[StepTarget, ...]) -> Supervision:
    found = tuple(Derivation(program, picks, narrowed=False) for picks in ways)
    return Supervision(derivations=found, count=len(found))


BEN_IS_GIVEN = step("span", span("Ben"), find(Ben=1.0))
