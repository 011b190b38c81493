"""What supervises a question: programs, and the values each of their steps must pick."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from workings.program import Program
from workings.values import Date

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class StepTarget:
    """What one step must point at; steps are numbered as ``Program.walk`` meets them."""

    step: int
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """A program and the picks that make it give the known answer."""

    program: str
    picks: tuple[StepTarget, ...]
    narrowed: bool


@dataclass(frozen=True, slots=True)
class Supervision:
    """All that is known of how one question is answered.

    ``count`` is the number of derivations found, of which the most plausible are kept.
    """

    derivations: tuple[Derivation, ...] = ()
    count: int = 0
    spans: tuple[Span, ...] = ()
    question_spans: tuple[Span, ...] = ()
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A program under construction: plans nest as the modules of their programs do."""

    program: Program
    picks: tuple[StepTarget, ...] = ()
    size: int = 1

    def derivation(self, *, narrowed: bool) -> Derivation:
        return Derivation(str(self.program), self.picks, narrowed)


def plan(
    name: str,
    *below: Plan,
    numbers: Sequence[Fraction] = (),
    dates: Sequence[Date] = (),
    spans: Sequence[Span] = (),
) -> Plan:
    """The module ``name`` over the plans below it, with what this step itself must pick."""
    picks = [StepTarget(0, tuple(numbers), tuple(dates), tuple(spans))]
    picks = picks if numbers or dates or spans else []
    size = 1
    for part in below:
        picks += [replace(pick, step=pick.step + size) for pick in part.picks]
        size += part.size
    return Plan(Program(name, tuple(part.program for part in below)), tuple(picks), size)
