"""Typed errors. Each has a message and a hint that says what to do."""

import difflib
from collections.abc import Iterable
from typing import Any


class WorkingsError(Exception):
    """Base class of all errors that a user can cause or fix.

    Attributes:
        message: What is wrong.
        hint: What to do about it; the last line of the printed error.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, so that an error in a worker process arrives as it was raised."""
        return _restore, (type(self), self.message, self.hint)


def _restore(kind: type[WorkingsError], message: str, hint: str) -> WorkingsError:
    return kind(message, hint=hint)


class InputError(WorkingsError):
    """A passage, question, option or file that cannot be used."""


class ProgramError(WorkingsError):
    """A program that does not parse, does not type-check or cannot run on the passage.

    Attributes:
        step: The module that is wrong, by its position in the program text from the left, counted
            from 0; None if the text is not a program.
        character: The character of the program text at which it is wrong; None if a module is.
    """

    def __init__(
        self, message: str, *, hint: str, step: int | None = None, character: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.step, self.character = step, character

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_program_error, (self.message, self.hint, self.step, self.character)


def _restore_program_error(
    message: str, hint: str, step: int | None, character: int | None
) -> ProgramError:
    return ProgramError(message, hint=hint, step=step, character=character)


class RecipeError(WorkingsError):
    """A recipe with an unknown, missing or contradictory setting."""


class DataError(WorkingsError):
    """A data file that is missing, malformed or cannot be written."""


class EncoderError(WorkingsError):
    """A pretrained encoder that cannot be found or loaded."""


class CheckpointError(WorkingsError):
    """A model folder that is damaged, incomplete or of another program."""


class AnswerTimeoutError(WorkingsError):
    """An answer took too long, or was cancelled."""


class WorkLimitError(WorkingsError):
    """An answer would need more work than the service allows."""


class DataWarning(UserWarning):
    """Some records of a data file were left out."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the known word nearest to ``name``, or all known words.

    Args:
        name: The unknown word.
        known: The words that would be right.
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(names)}."
