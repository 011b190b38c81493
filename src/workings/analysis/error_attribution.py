"""Error attribution: the first wrong step of a wrong answer."""

from dataclasses import dataclass

from workings.analysis.alignment import AlignedStep, align_steps, equivalent_targets
from workings.analysis.step_checks import WrongStep, check_step
from workings.inference.ranking import Candidate
from workings.settings import ModuleSettings
from workings.supervision.derivation import Derivation, StepTarget, Supervision

# In the order of the columns; docs/analyse.md defines each category.
CATEGORIES = ("program", "find", "filter", "pick", "arithmetic", "count", "span", "unknown")
CATEGORY_LABELS = {category: category for category in CATEGORIES} | {"pick": "number or date"}


@dataclass(frozen=True)
class ErrorAttribution:
    """The first error of a wrong answer.

    Attributes:
        category: One of ``CATEGORIES``.
        step: The wrong step's number in the order of execution, from 1; None if no step is wrong.
        module: Name of the wrong step's module.
        actual: What the step, or the program, is.
        expected: What it should be; empty if unknown.
    """

    category: str
    step: int | None = None
    module: str = ""
    actual: str = ""
    expected: str = ""

    def __str__(self) -> str:
        if self.category == "unknown":
            return "No derivation of the answer is known."
        subject = "The program" if self.step is None else f"Step {self.step}, {self.module},"
        correction = f"; it should be {self.expected}" if self.expected else ""
        return f"{subject} is {self.actual or 'nothing'}{correction}."


@dataclass(frozen=True)
class Alignment:
    """An execution aligned with one derivation.

    Attributes:
        steps: The aligned steps in the order of execution.
        derivation: The derivation.
        wrong: The first wrong step, if any.
        correct_steps: The number of correct steps before it.
    """

    steps: list[AlignedStep]
    derivation: Derivation
    wrong: WrongStep | None
    correct_steps: int


def attribute_error(
    candidate: Candidate, supervision: Supervision, settings: ModuleSettings
) -> ErrorAttribution:
    """Find the first error of a wrong answer.

    Args:
        candidate: The candidate whose answer is wrong.
        supervision: The derivations of the accepted answer.
        settings: The model's module settings, which decide whether operands commute.
    """
    if not supervision.derivations:
        return ErrorAttribution("unknown")
    alignment = best_alignment(candidate, supervision, settings)
    if alignment is None:
        program, expected = str(candidate.scored.program), supervision.derivations[0].program
        return ErrorAttribution("program", actual=program, expected=expected)
    if alignment.wrong is None:  # every step is correct, only the words of the answer differ
        last = alignment.steps[-1]
        actual = f"“{candidate.answer}”"
        return ErrorAttribution("span", last.number, last.step.program.name, actual)
    wrong, aligned = alignment.wrong, alignment.wrong.aligned
    return ErrorAttribution(
        wrong.category, aligned.number, aligned.step.program.name, wrong.actual, wrong.expected
    )


def best_alignment(
    candidate: Candidate, supervision: Supervision, settings: ModuleSettings
) -> Alignment | None:
    """Align an execution with the derivation of its program that it agrees with longest.

    Returns:
        The alignment, or None if no derivation has the candidate's program.
    """
    program = str(candidate.scored.program)
    alignments = [
        _align(candidate, derivation, targets)
        for derivation in supervision.derivations
        if derivation.program == program
        for targets in equivalent_targets(derivation, settings)
    ]
    return max(alignments, key=lambda alignment: alignment.correct_steps, default=None)


def _align(
    candidate: Candidate, derivation: Derivation, targets: dict[int, StepTarget]
) -> Alignment:
    execution, row = candidate.execution, candidate.row
    steps = align_steps(execution.step, targets)
    for correct_steps, aligned in enumerate(steps):
        wrong = check_step(aligned, execution.encoding.inputs[row], row)
        if wrong is not None:
            return Alignment(steps, derivation, wrong, correct_steps)
    return Alignment(steps, derivation, None, len(steps))
