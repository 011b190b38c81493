"""Errors say what is wrong and end with what to do."""

import pytest

from workings import errors
from workings.errors import WorkingsError, did_you_mean

KINDS = [errors.InputError, errors.ProgramError, errors.RecipeError]
KINDS += [errors.DataError, errors.EncoderError, errors.CheckpointError]


@pytest.mark.parametrize("kind", KINDS)
def test_the_hint_is_the_last_line(kind: type[WorkingsError]) -> None:
    with pytest.raises(WorkingsError) as caught:
        raise kind("The file is empty.", hint="Give another.")
    assert str(caught.value).splitlines() == ["The file is empty.", "Give another."]


def test_a_near_name_is_suggested() -> None:
    assert (
        did_you_mean("find-nun", ["count", "find-num", "find-date"]) == "Did you mean 'find-num'?"
    )


def test_all_names_are_told_when_none_is_near() -> None:
    assert did_you_mean("zzz", ["span", "add"]) == "Known: add, span."
