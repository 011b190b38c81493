"""The first step of a wrong answer that went wrong, by the derivation it agrees with longest."""

from collections.abc import Sequence
from dataclasses import dataclass

from workings.analysis.following import Turn, follow, readings
from workings.analysis.judging import Wrong, judge
from workings.answer import Attempt
from workings.data.derivations import Derivation, Pick, Supervision
from workings.settings import ModuleSettings

# In the order of the table; docs/analyse.md says when a step is right.
FAULTS = ("program", "find", "filter", "pick", "arithmetic", "count", "span", "unknown")
LABELS = {fault: fault for fault in FAULTS} | {"pick": "number or date"}


@dataclass(frozen=True)
class Blame:
    """What went wrong: the sort of fault, and the step that is to blame if one is."""

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
class Followed:
    """A run beside the derivation it agrees with longest."""

    turns: list[Turn]
    derivation: Derivation
    wrong: Wrong | None
    right: int  # how many steps came before the wrong one


def blame(attempt: Attempt, known: Supervision, settings: ModuleSettings) -> Blame:
    """Whom to blame for an answer that is known to be wrong."""
    if not known.derivations:
        return Blame("unknown")
    followed = follow_best(attempt, known, settings)
    if followed is None:
        program = str(attempt.written.program)
        return Blame("program", given=program, wanted=known.derivations[0].program)
    if followed.wrong is None:  # all is right but the words in which it is told
        last = followed.turns[-1]
        return Blame("span", last.number, last.step.program.name, f"“{attempt.answer}”")
    wrong, turn = followed.wrong, followed.wrong.turn
    return Blame(wrong.fault, turn.number, turn.step.program.name, wrong.given, wrong.wanted)


def follow_best(attempt: Attempt, known: Supervision, settings: ModuleSettings) -> Followed | None:
    """The derivation of the program written that most steps follow; None if there is none."""
    program, free = str(attempt.written.program), _order_free(settings)
    tried = [
        _compare(attempt, derivation, picks)
        for derivation in known.derivations
        if derivation.program == program
        for picks in readings(derivation, free)
    ]
    return max(tried, key=lambda one: one.right, default=None)


def _compare(attempt: Attempt, derivation: Derivation, picks: dict[int, Pick]) -> Followed:
    passage, row = attempt.ran.encoding.inputs[attempt.row], attempt.row
    turns = follow(attempt.ran.step, picks)
    for right, turn in enumerate(turns):
        wrong = judge(turn, passage, row)
        if wrong is not None:
            return Followed(turns, derivation, wrong, right)
    return Followed(turns, derivation, None, len(turns))


def _order_free(settings: ModuleSettings) -> Sequence[str]:
    """The modules that give the same whichever way round."""
    return ("add", "sub", "time-diff") if settings.difference == "absolute" else ("add",)
