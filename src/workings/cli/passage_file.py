"""Reads a passage from a file or from standard input."""

import sys
from pathlib import Path


def read_passage(file: Path) -> str:
    """Return the text of a text, HTML or PDF file; ``-`` is plain text from standard input.

    Raises:
        InputError: The file cannot be read or holds no text.
    """
    from workings.data.documents import read_bytes, read_file

    if str(file) == "-":
        return read_bytes(sys.stdin.buffer.read(), "-")
    return read_file(file)
