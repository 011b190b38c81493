"""Lines of a text file or stream, of bounded length."""

from collections.abc import Iterator
from io import TextIOBase

from workings.errors import DataError
from workings.files import LIMIT
from workings.reader import MAX_PASSAGE_LENGTH

# A passage of the greatest length, all written as JSON escapes of two surrogates, and a question.
MAX_LINE_LENGTH = 16 * MAX_PASSAGE_LENGTH
# How files in UTF-16 begin: bytes that are not UTF-8, as surrogates.
_UTF_16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")


class LongLineError(Exception):
    """A line is too long and was skipped; the next one can be read.

    Attributes:
        start: The first characters of the line.
    """

    def __init__(self, start: str) -> None:
        super().__init__(f"the line has more than {MAX_LINE_LENGTH:,} characters")
        self.start = start


class BoundedLines(Iterator[str]):
    """Reads a file line by line in bounded memory, even if a line never ends."""

    def __init__(self, file: TextIOBase) -> None:
        """Read from an open file or stream."""
        self._file = file
        self._is_first = True

    def __next__(self) -> str:
        """Return the next line with its line end.

        Raises:
            LongLineError: If the line has more than ``MAX_LINE_LENGTH`` characters; it is skipped.
            DataError: If the line has more than ``LIMIT`` characters, as on a device without end,
                or if the file is UTF-16.
        """
        line = self._file.readline(MAX_LINE_LENGTH + 1)
        if not line:
            raise StopIteration
        if self._is_first and line.startswith(_UTF_16_MARKS):
            raise DataError("The file is UTF-16, not UTF-8.", hint="Save the file as UTF-8.")
        self._is_first = False
        if len(line) > MAX_LINE_LENGTH:
            self._skip_rest(len(line), line)
            raise LongLineError(line[:100])
        return line

    def _skip_rest(self, length: int, part: str) -> None:
        while part and not part.endswith("\n"):
            part = self._file.readline(MAX_LINE_LENGTH)
            length += len(part)
            if length > LIMIT:
                hint = "Give a file of questions: JSON lines or CSV."
                raise DataError(f"A line has more than {LIMIT:,} characters.", hint=hint)
