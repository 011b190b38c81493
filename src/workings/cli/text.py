"""Plain text from a file or from standard input, or one clear error."""

import sys
from pathlib import Path

from workings.errors import InputError


def read_text(file: Path) -> str:
    """The UTF-8 text of a file; ``-`` is standard input."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        hint = "Give the path of a text file, or - to read from standard input."
        raise InputError(f"{file}: {error.strerror}", hint=hint) from error
    except UnicodeDecodeError as error:
        hint = f"Save it as UTF-8 (byte {error.start} is not)."
        raise InputError(f"{file}: not UTF-8 text", hint=hint) from error
    if "\0" in text:
        raise InputError(f"{file}: binary, not text", hint="Give a plain text file.")
    if not text.strip():
        raise InputError(f"{file}: no text", hint="Give a file with a passage in it.")
    return text
