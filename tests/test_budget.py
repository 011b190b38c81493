"""The library stays small: short files, short functions, few parameters, nothing printed."""

import ast
from pathlib import Path
from statistics import median

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "workings"
FILES = sorted(SOURCE.rglob("*.py"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> list[Function]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [node for node in nodes if isinstance(node, Function)]


def length(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def parameters(function: Function) -> int:
    given = function.args
    return len(given.posonlyargs + given.args + given.kwonlyargs)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_file(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300
    for function in functions(path):
        assert length(function) <= 60, function.name
        assert parameters(function) <= 8, function.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_is_printed(path: Path) -> None:
    names = [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)
    ]
    assert "print" not in {name.id for name in names}


def test_most_functions_are_short() -> None:
    assert median(length(function) for path in FILES for function in functions(path)) <= 12
