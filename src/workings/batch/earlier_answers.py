"""The answers of an earlier run, and the check that they are answers to the same questions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from workings.batch.answer_lines import (
    ANSWER_FIELDS,
    QUESTION_FIELDS,
    REJECT_FIELDS,
    agree,
    answer_start,
    fragment_line_number,
    json_line,
    read_records,
)
from workings.batch.questions import QuestionLine, Request
from workings.errors import DataError


@dataclass(frozen=True)
class EarlierAnswers:
    """The answers in an output file.

    Attributes:
        path: The file.
        questions: What was asked, as JSON, by line number of the input.
        size: Size of the complete answers in bytes.
        fragment: The last answer, if it was not written to its end.
    """

    path: Path
    questions: dict[int, str]
    size: int
    fragment: bytes

    @classmethod
    def read(cls, path: Path) -> "EarlierAnswers":
        """Read an output file; a missing one has no answers.

        Raises:
            DataError: If the file contains something else than answers.
            OSError: If the file cannot be read.
        """
        questions: dict[int, str] = {}
        size, fragment = 0, b""
        for line, record in read_records(path, ANSWER_FIELDS, "a file of answers"):
            if record is None:
                fragment = line
            else:
                asked = {name: record[name] for name in QUESTION_FIELDS}
                questions[record["line"]] = json_line(asked)
                size += len(line)
        return cls(path, questions, size, fragment)

    def remaining(self, lines: Iterable[QuestionLine]) -> Iterator[QuestionLine]:
        """Return the lines that have no answer yet.

        All earlier answers are checked at once, before the first line is returned.

        Args:
            lines: The lines, from the first one on.

        Raises:
            DataError: If the file answers other questions.
        """
        rest, head = iter(lines), []
        expected = set(self.questions)
        number = fragment_line_number(self.fragment)
        if number is not None:
            expected.add(number)
        last = max(expected, default=0)
        while expected:
            line = next(rest, None)
            if line is None or line.line > last or not self._fits(line):
                raise self._other_questions(min(expected))
            expected.discard(line.line)
            if line.line not in self.questions:
                head.append(line)
        return chain(head, rest)

    def _fits(self, line: QuestionLine) -> bool:
        """Whether the answers and the fragment agree with one line of the input."""
        asked = json_line(answer_start(line)) if isinstance(line, Request) else None
        if line.line in self.questions:
            return asked == self.questions[line.line]
        if line.line == fragment_line_number(self.fragment):
            return asked is not None and agree(asked.removesuffix("}\n").encode(), self.fragment)
        return True

    def _other_questions(self, number: int) -> DataError:
        message = f"{self.path} answers other questions than these: see line {number}."
        return DataError(message, hint="Name another output file; this one was not changed.")


def rejects_path(out: Path) -> Path:
    """Return the path for the rejected lines of a file of answers."""
    name = out.name.removesuffix(".jsonl")
    return out.with_name(f"{name}.bad.jsonl")


def check_rejects(out: Path) -> None:
    """Check that the file for rejected lines is of an earlier run into the same output file.

    Args:
        out: The output file.

    Raises:
        DataError: If the file contains something else, or there was no such run.
        OSError: If the file cannot be read.
    """
    rejects = rejects_path(out)
    for _ in read_records(rejects, REJECT_FIELDS, "a file of rejected lines"):
        if not out.exists():
            hint = "Move it, or name another output file; it was not changed."
            raise DataError(f"{rejects} exists, and {out} does not.", hint=hint)
