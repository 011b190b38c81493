"""Reads a passage from a file or from standard input."""

import sys
from pathlib import Path


def read_passage(file: Path) -> str:
    """Return the text of a text, HTML or PDF file; ``-`` is plain text from standard input.

    Raises:
        InputError: The file cannot be read or holds no text.
    """
    from workings.data.documents import MAX_BYTES, read_bytes, read_file

    if str(file) == "-":
        return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), "-")
    return read_file(file)


def input_file(file: Path) -> Path | int:
    """Return the path of an input file; ``-`` is the descriptor of standard input."""
    return 0 if str(file) == "-" else file
