"""The first step of a wrong answer that went wrong, by the derivation it agrees with longest."""

from collections.abc import Sequence
from dataclasses import dataclass

from workings.analysis.alignment import AlignedStep, follow, readings
from workings.analysis.step_checks import WrongStep, judge
from workings.inference.ranking import Candidate
from workings.settings import ModuleSettings
from workings.supervision.supervise import Derivation, StepTarget, Supervision

# In the order of the table; docs/analyse.md says when a step is right.
FAULTS = ("program", "find", "filter", "pick", "arithmetic", "count", "span", "unknown")
LABELS = {fault: fault for fault in FAULTS} | {"pick": "number or date"}


@dataclass(frozen=True)
class ErrorAttribution:
    """What went wrong: the sort of fault, and the step that is to attribute_error if one is."""

    fault: str
    step: int | None = None  # its turn in the execution, from 1
    module: str = ""
    given: str = ""
    wanted: str = ""

    def __str__(self) -> str:
        if self.fault == "unknown":
            return "No derivation of the answer is known."
        where = "The program" if self.step is None else f"Step {self.step}, {self.module},"
        should = f"; it should be {self.wanted}" if self.wanted else ""
        return f"{where} is {self.given or 'nothing'}{should}."


@dataclass(frozen=True)
class Alignment:
    """A run beside the derivation it agrees with longest."""

    turns: list[AlignedStep]
    derivation: Derivation
    wrong: WrongStep | None
    right: int  # how many steps came before the wrong one


def attribute_error(
    answer_candidates: Candidate, known: Supervision, settings: ModuleSettings
) -> ErrorAttribution:
    """Whom to attribute_error for an answer that is known to be wrong."""
    if not known.derivations:
        return ErrorAttribution("unknown")
    followed = follow_best(answer_candidates, known, settings)
    if followed is None:
        program = str(answer_candidates.scored.program)
        return ErrorAttribution("program", given=program, wanted=known.derivations[0].program)
    if followed.wrong is None:  # all is right but the words in which it is told
        last = followed.turns[-1]
        return ErrorAttribution(
            "span", last.number, last.step.program.name, f"“{answer_candidates.answer}”"
        )
    wrong, turn = followed.wrong, followed.wrong.turn
    return ErrorAttribution(
        wrong.fault, turn.number, turn.step.program.name, wrong.given, wrong.wanted
    )


def follow_best(
    answer_candidates: Candidate, known: Supervision, settings: ModuleSettings
) -> Alignment | None:
    """The derivation of the program written that most steps follow; None if there is none."""
    program, free = str(answer_candidates.scored.program), _order_free(settings)
    tried = [
        _compare(answer_candidates, derivation, picks)
        for derivation in known.derivations
        if derivation.program == program
        for picks in readings(derivation, free)
    ]
    return max(tried, key=lambda one: one.right, default=None)


def _compare(
    answer_candidates: Candidate, derivation: Derivation, picks: dict[int, StepTarget]
) -> Alignment:
    passage, row = (
        answer_candidates.execution.encoding.inputs[answer_candidates.row],
        answer_candidates.row,
    )
    turns = follow(answer_candidates.execution.step, picks)
    for right, turn in enumerate(turns):
        wrong = judge(turn, passage, row)
        if wrong is not None:
            return Alignment(turns, derivation, wrong, right)
    return Alignment(turns, derivation, None, len(turns))


def _order_free(settings: ModuleSettings) -> Sequence[str]:
    """The modules that give the same whichever way round."""
    return ("add", "sub", "time-diff") if settings.difference == "absolute" else ("add",)
