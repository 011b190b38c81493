"""A passage from a file or from standard input, or one clear error."""

import sys
from pathlib import Path


def read_text(file: Path) -> str:
    """The text of a file of any known kind; ``-`` is plain text from standard input."""
    from workings.data.documents import read_bytes, read_file

    if str(file) == "-":
        return read_bytes(sys.stdin.buffer.read(), "-")
    return read_file(file)
