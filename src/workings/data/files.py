"""Whole files in and out: read with one clear error, written aside and then renamed."""

import contextlib
import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from workings.errors import DataError

_GZIP = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """The UTF-8 text of a file, unpacked if it is gzipped."""
    try:
        raw = path.read_bytes()
        if raw.startswith(_GZIP):
            raw = gzip.decompress(raw)
        text = raw.decode("utf-8-sig")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        hint = "The file is cut short or damaged: fetch it again."
        raise DataError(f"{path}: not a whole gzip file", hint=hint) from error
    except OSError as error:
        hint = "Give the path of a readable DROP .json, .json.gz or .jsonl file."
        raise DataError(f"{path}: {error.strerror}", hint=hint) from error
    except UnicodeDecodeError as error:
        hint = f"Save the file as UTF-8 (byte {error.start} is not)."
        raise DataError(f"{path}: not UTF-8 text", hint=hint) from error
    if not text.strip():
        raise DataError(f"{path}: the file is empty", hint="Give a file that holds questions.")
    return text


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error


@contextlib.contextmanager
def write_aside(path: Path) -> Iterator[BinaryIO]:
    """A file to write into that takes the place of ``path`` only once it is whole."""
    make_folder(path.parent)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("wb") as file:
            yield file
        aside.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)


def _cannot_write(path: Path, error: OSError) -> DataError:
    hint = "Choose an output folder that can be written to and has room; nothing was changed."
    return DataError(f"{path}: cannot be written: {error.strerror or error}", hint=hint)
