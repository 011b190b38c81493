"""Every fault a person can meet, typed, each ending with what to do about it."""

import difflib
from collections.abc import Iterable


class WorkingsError(Exception):
    """A fault whose last line, the hint, says what to do."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}"


class InputError(WorkingsError):
    """A passage, question or file that cannot be read."""


class ProgramError(WorkingsError):
    """A program that does not parse, does not type-check or cannot run here."""


class RecipeError(WorkingsError):
    """A recipe with an unknown, missing or contradictory setting."""


class DataError(WorkingsError):
    """A data file with a malformed record."""


class EncoderError(WorkingsError):
    """An encoder that cannot be found or loaded."""


class CheckpointError(WorkingsError):
    """A model folder that is corrupt, foreign or incomplete."""


class DataWarning(UserWarning):
    """Records that were left out of what was read."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint naming the known word nearest to ``name``, or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(names)}."
