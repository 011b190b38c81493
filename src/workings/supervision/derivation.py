"""Derivations: programs with the values that each step must have to give the known answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.program import Program
from workings.values import CharSpan, Date, Timing


@dataclass(frozen=True, slots=True)
class StepTarget:
    """The known values of one step.

    Attributes:
        step: The index of the step in ``Program.walk``.
        numbers: The numbers that the step must find or give.
        dates: The dates that the step must find.
        spans: The characters of the passage that the step must attend to.
        members: The numbers that a sum or an average must include, with repeats.
        timings: The clock times or durations that the step must find, the end before the start.
    """

    step: int
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()
    spans: tuple[CharSpan, ...] = ()
    members: tuple[Fraction, ...] = ()
    timings: tuple[Timing, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """A program and the step targets with which it gives the known answer.

    Attributes:
        program: The program.
        targets: The targets of its steps; steps without a known value have none.
        from_evidence: Whether evidence singled the derivation out; otherwise search found it.
    """

    program: str
    targets: tuple[StepTarget, ...]
    from_evidence: bool


@dataclass(frozen=True, slots=True)
class Supervision:
    """The supervision of one question.

    Attributes:
        derivations: The derivations of its answer, most plausible first.
        count: The number of derivations that exist; only the most plausible are stored.
        spans: Where the answer occurs in the passage.
        question_spans: Where the answer occurs in the question.
        numbers: The answer, if it is a number, and the exact result of a derivation where the
            answer is that result rounded.
        dates: The dates of the passage that agree with the answer, if it is a date.
    """

    derivations: tuple[Derivation, ...] = ()
    count: int = 0
    spans: tuple[CharSpan, ...] = ()
    question_spans: tuple[CharSpan, ...] = ()
    numbers: tuple[Fraction, ...] = ()
    dates: tuple[Date, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A program under construction, with its step targets. Plans nest like their programs."""

    program: Program
    targets: tuple[StepTarget, ...] = ()
    size: int = 1

    @property
    def root_target(self) -> StepTarget:
        """The target of the outermost module; the module must have one."""
        return self.targets[0]

    def derivation(self, *, from_evidence: bool) -> Derivation:
        return Derivation(str(self.program), self.targets, from_evidence)


def plan(
    name: str,
    *inputs: Plan,
    numbers: Sequence[Fraction] = (),
    dates: Sequence[Date] = (),
    spans: Sequence[CharSpan] = (),
    members: Sequence[Fraction] = (),
    timings: Sequence[Timing] = (),
) -> Plan:
    """Make the plan of a module over the plans of its inputs.

    Args:
        name: The module.
        inputs: The plans of its inputs, in order.
        numbers: The numbers of the module's own target.
        dates: The dates of the module's own target.
        spans: The spans of the module's own target.
        members: The members of the module's own target.
        timings: The clock times or durations of the module's own target.
    """
    targets: list[StepTarget] = []
    own = StepTarget(0, tuple(numbers), tuple(dates), tuple(spans), tuple(members), tuple(timings))
    if own != StepTarget(0):
        targets.append(own)
    size = 1
    for part in inputs:
        targets += [replace(target, step=target.step + size) for target in part.targets]
        size += part.size
    return Plan(Program(name, tuple(part.program for part in inputs)), tuple(targets), size)
