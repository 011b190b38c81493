"""Opens a file of answers to continue it, without loss of what is in it or beside it."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

from workings.batch.earlier_answers import EarlierAnswers, check_rejects, rejects_path
from workings.batch.output_lock import locked
from workings.batch.questions import QuestionLine
from workings.files import check_output, make_folder


class RejectsFile:
    """The file of rejected lines; it is created when there is one."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        """Prepare a file.

        Args:
            path: The file.
            stack: Closes the file.
        """
        self.path = path
        self._stack = stack
        self._file: TextIOWrapper | None = None

    def writelines(self, lines: Iterable[str], /) -> None:
        """Write lines that end in a line feed."""
        for line in lines:
            if self._file is None:
                self._file = self._stack.enter_context(self.path.open("w", encoding="utf-8"))
            self._file.write(line)

    def flush(self) -> None:
        """Make the lines visible to other processes."""
        if self._file is not None:
            self._file.flush()

    def remove_earlier(self) -> None:
        """Remove the file of an earlier run if no line was rejected in this one."""
        if self._file is None:
            self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class AnswerFile:
    """An output file that is open for more answers.

    Attributes:
        answers: The open file.
        rejects: The file of rejected lines.
        remaining: The lines to answer.
        answered_before: Number of lines that an earlier run answered.
    """

    answers: TextIOWrapper
    rejects: RejectsFile
    remaining: Iterator[QuestionLine]
    answered_before: int


def check_paths(out: Path, source: Path | int | None = None) -> None:
    """Check that an output file and its file of rejected lines can be written without harm.

    Args:
        out: The output file.
        source: The file of questions, as a path or a descriptor, if there is one.

    Raises:
        DataError: If one of the two is not a regular file, or is the source.
    """
    inputs = [] if source is None else [source]
    check_output(out, *inputs)
    check_output(rejects_path(out), *inputs)


@contextmanager
def open_answers(
    out: Path, lines: Iterable[QuestionLine], source: Path | int | None
) -> Iterator[AnswerFile]:
    """Open an output file, new or of an earlier run, and hold its lock.

    Args:
        out: The output file.
        lines: The lines of the input, from the first one on.
        source: The file of the lines, as a path or a descriptor, if they come from a file.

    Raises:
        DataError: If one of the two files holds something else or answers to other questions, is
            the source, or is written by another process.
        OSError: If a file cannot be read or written.
    """
    check_paths(out, source)
    make_folder(out.parent)
    with locked(out), ExitStack() as stack:
        check_rejects(out)
        earlier = EarlierAnswers.read(out)
        remaining = earlier.remaining(lines)
        if earlier.size or earlier.fragment:
            _end_last_line(out, earlier.size)
        answers = stack.enter_context(out.open("a", encoding="utf-8", newline="\n"))
        rejects = RejectsFile(rejects_path(out), stack)
        yield AnswerFile(answers, rejects, remaining, len(earlier.questions))
        rejects.remove_earlier()


def _end_last_line(out: Path, size: int) -> None:
    """Cut off an incomplete answer, and end the last complete one with a line feed.

    Args:
        out: The output file.
        size: Size of the complete answers in bytes. The last one may lack its line feed, as after a
            change in an editor.
    """
    with out.open("r+b") as file:
        file.truncate(size)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
