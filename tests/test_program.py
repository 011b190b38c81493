"""Tests of parsing and printing programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.errors import ProgramError
from workings.program import MAX_DEPTH, Program, error_place

NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)
PROGRAMS = st.recursive(
    st.builds(Program, NAMES),
    lambda below: st.builds(Program, NAMES, st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=12,
)


def test_parse() -> None:
    find = Program("find")
    expected = Program("sub", (Program("find-num", (find,)), Program("count", (find,))))
    assert Program.parse(" sub( find-num(find),count (find))\n") == expected


def test_walk_is_in_prefix_order() -> None:
    program = Program.parse("add(sub(a, b), c)")
    assert [step.name for step in program.walk()] == ["add", "sub", "a", "b", "c"]


@given(PROGRAMS)
def test_printing_and_parsing_are_inverse(program: Program) -> None:
    assert Program.parse(str(program)) == program


@given(st.text(alphabet="ab-(), 1é"))
def test_any_text_is_a_program_or_a_program_error(text: str) -> None:
    try:
        assert Program.parse(str(Program.parse(text))) == Program.parse(text)
    except ProgramError as error:
        assert error.hint.startswith("Write a program")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "At character 0, near 'the end': expected the name of a module."),
        ("Add(find)", "At character 0, near 'Add(find)': expected the name of a module."),
        ("add()", "At character 4, near ')': expected the name of a module."),
        ("add(find", "At character 8, near 'the end': expected ',' or ')'."),
        ("add(find,)", "At character 9, near ')': expected the name of a module."),
        ("find find", "At character 4, near 'find': expected nothing more."),
    ],
)
def test_syntax_errors_name_the_position(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        Program.parse(text)
    assert caught.value.message == message


def test_depth_is_limited() -> None:
    deepest = "f(" * (MAX_DEPTH - 1) + "f" + ")" * (MAX_DEPTH - 1)
    assert len(list(Program.parse(deepest).walk())) == MAX_DEPTH
    with pytest.raises(ProgramError, match="more than 64"):
        Program.parse(f"f({deepest})")
    with pytest.raises(ProgramError, match="more than 64"):
        Program.parse("f(" * 100_000)


@pytest.mark.parametrize(
    ("text", "error", "place"),
    [
        ("count(fnid)", {"step": 1}, "fnid"),
        ("sub(find-num(find), find-num)", {"step": 3}, "find-num"),
        ("count(find))", {"character": 11}, ")"),
        ("count(find", {"character": 10}, ""),
    ],
)
def test_place_of_an_error(text: str, error: dict[str, int], place: str) -> None:
    found = error_place(text, ProgramError("wrong", hint="", **error))
    assert found is not None
    assert text[slice(*found)] == place


def test_error_without_a_place() -> None:
    assert error_place("count(find)", ProgramError("wrong", hint="")) is None
    assert error_place("", ProgramError("wrong", hint="", step=2)) is None
