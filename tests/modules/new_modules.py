"""The modules of docs/add-a-module.md as files, for tests that add them to the language."""

import re
from collections.abc import Iterator
from pathlib import Path

from workings.modules import REGISTRY, Module
from workings.program import Program

PAGE = Path(__file__).parents[2] / "docs" / "add-a-module.md"


def file_on_page(name: str) -> str:
    """The Python file that the page shows under a name."""
    match = re.search(rf"^`{name}`:\n\n```python\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
    assert match, f"{PAGE.name} shows no {name}"
    return match[1]


PERIMETER, TRIANGLE = file_on_page("perimeter.py"), file_on_page("triangle.py")
DIVIDE = '''
from workings.arithmetic.operation import Operation
from workings.modules import Arithmetic


class Divide(Arithmetic, name="divide"):
    """The quotient of two numbers."""

    example = "How many people live on each farm?"
    operation = Operation("{0} / {1}")
'''
FILES = {"perimeter": PERIMETER, "triangle": TRIANGLE, "divide": DIVIDE}


def without_new_modules() -> Iterator[dict[str, type[Module]]]:
    """A fixture: removes the new modules from the registry, and restores it after the test."""
    original = dict(REGISTRY)
    for name in FILES:  # a module of these names may have become part of the package
        REGISTRY.pop(name, None)
    yield dict(REGISTRY)
    REGISTRY.clear()
    REGISTRY.update(original)


def add_files(folder: Path, **files: str) -> Path:
    """Write a folder of modules."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def two_numbers(name: str) -> Program:
    """The program that applies a module to two numbers of the passage."""
    return Program.parse(f"{name}(find-num(find), find-num(find))")
