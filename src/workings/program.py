"""Programs: trees of module names, with parser and printer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings.errors import ProgramError

# Deeper input is refused before it can exhaust the Python stack.
MAX_DEPTH = 64

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_TOKEN = re.compile(r"\s*([a-z][a-z0-9-]*|[(),])")


@dataclass(frozen=True, slots=True)
class Program:
    """A module applied to the results of its children.

    Attributes:
        name: The name of the module.
        children: The programs whose results are the module's inputs.
    """

    name: str
    children: "tuple[Program, ...]" = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.children))})" if self.children else self.name

    def walk(self) -> "Iterator[Program]":
        """Iterate over the program and all programs in it, in prefix order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @staticmethod
    def parse(text: str) -> "Program":
        """Parse a program such as ``sub(find-num(find), find-num(find))``.

        Only the syntax is checked; the grammar checks names and types.

        Raises:
            ProgramError: If the text is not a program; the message has the position.
        """
        parser = _Parser(text)
        program = parser.program(depth=1)
        parser.finish()
        return program


def error_place(text: str, error: ProgramError) -> tuple[int, int] | None:
    """Return the characters of a program text that an error is about; None if it names none."""
    if error.character is not None:
        match = _TOKEN.match(text, error.character)
        end = match.end() if match else len(text)
        return min(error.character, len(text)), end
    names = list(_NAME.finditer(text))
    if error.step is not None and error.step < len(names):
        return names[error.step].span()
    return None


class _Parser:
    """A recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.position)
        return match.group(1) if match else ""

    def take(self) -> str:
        match = _TOKEN.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        return match.group(1)

    def program(self, depth: int) -> Program:
        if depth > MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} modules inside each other")
        if self.peek() in ("", "(", ")", ","):
            raise self.error("expected the name of a module")
        name = self.take()
        return Program(name, self.children(depth) if self.peek() == "(" else ())

    def children(self, depth: int) -> tuple[Program, ...]:
        self.take()
        children = [self.program(depth + 1)]
        while self.peek() == ",":
            self.take()
            children.append(self.program(depth + 1))
        if self.peek() != ")":
            raise self.error("expected ',' or ')'")
        self.take()
        return tuple(children)

    def finish(self) -> None:
        if self.text[self.position :].strip():
            raise self.error("expected nothing more")

    def error(self, problem: str) -> ProgramError:
        near = self.text[self.position : self.position + 20].strip() or "the end"
        return ProgramError(
            f"At character {self.position}, near {near!r}: {problem}.",
            hint="Write a program such as sub(find-num(find), find-num(find)).",
            character=self.position,
        )
