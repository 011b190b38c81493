"""Tests of the error types."""

import pickle

import pytest

from workings import errors
from workings.errors import ProgramError, WorkingsError, did_you_mean

ERRORS: list[type[WorkingsError]] = [
    errors.InputError,
    errors.ProgramError,
    errors.RecipeError,
    errors.DataError,
    errors.EncoderError,
    errors.CheckpointError,
]


@pytest.mark.parametrize("kind", ERRORS)
def test_hint_is_the_last_line(kind: type[WorkingsError]) -> None:
    with pytest.raises(WorkingsError) as caught:
        raise kind("The file is empty.", hint="Give another.")
    assert str(caught.value).splitlines() == ["The file is empty.", "Give another."]


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_can_be_pickled(kind: type[WorkingsError]) -> None:
    error = pickle.loads(pickle.dumps(kind("The file is empty.", hint="Give another.")))
    assert type(error) is kind
    assert (error.message, error.hint) == ("The file is empty.", "Give another.")


def test_suggests_the_nearest_name() -> None:
    assert (
        did_you_mean("find-nun", ["count", "find-num", "find-date"]) == "Did you mean 'find-num'?"
    )


def test_lists_all_names_if_none_is_near() -> None:
    assert did_you_mean("zzz", ["span", "add"]) == "Known: add, span."


def test_program_error_keeps_its_place_when_pickled() -> None:
    error = pickle.loads(pickle.dumps(ProgramError("wrong", hint="fix it", step=2, character=5)))
    assert (error.message, error.hint, error.step, error.character) == ("wrong", "fix it", 2, 5)
