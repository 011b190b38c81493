"""A program: a tree of module names, as written by a person or by the programmer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings.errors import ProgramError

# Deeper trees are never meant: a runaway input is an error, not an exhausted stack.
MAX_DEPTH = 64

_TOKEN = re.compile(r"\s*([a-z][a-z0-9-]*|[(),])")


@dataclass(frozen=True, slots=True)
class Program:
    """One module applied to the results of others."""

    name: str
    children: "tuple[Program, ...]" = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.children))})" if self.children else self.name

    def walk(self) -> "Iterator[Program]":
        """This step and all below it, in the order a programmer writes them."""
        yield self
        for child in self.children:
            yield from child.walk()

    @staticmethod
    def parse(text: str) -> "Program":
        """Read ``sub(find-num(find), find-num(find))``."""
        cursor = _Cursor(text)
        program = cursor.program(depth=1)
        cursor.finish()
        return program


class _Cursor:
    """A place in the text of a program, moving left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.place)
        return match.group(1) if match else ""

    def take(self) -> str:
        match = _TOKEN.match(self.text, self.place)
        assert match is not None
        self.place = match.end()
        return match.group(1)

    def program(self, depth: int) -> Program:
        if depth > MAX_DEPTH:
            raise self.fault(f"more than {MAX_DEPTH} modules inside each other")
        if self.peek() in ("", "(", ")", ","):
            raise self.fault("expected the name of a module")
        name = self.take()
        return Program(name, self.children(depth) if self.peek() == "(" else ())

    def children(self, depth: int) -> tuple[Program, ...]:
        self.take()
        found = [self.program(depth + 1)]
        while self.peek() == ",":
            self.take()
            found.append(self.program(depth + 1))
        if self.peek() != ")":
            raise self.fault("expected ',' or ')'")
        self.take()
        return tuple(found)

    def finish(self) -> None:
        if self.text[self.place :].strip():
            raise self.fault("expected nothing more")

    def fault(self, what: str) -> ProgramError:
        near = self.text[self.place : self.place + 20].strip() or "the end"
        return ProgramError(
            f"At character {self.place}, near {near!r}: {what}.",
            hint="Write a program such as sub(find-num(find), find-num(find)).",
        )
