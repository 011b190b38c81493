"""Whole files in and out: read with one clear error, written aside and then renamed."""

import contextlib
import errno
import glob
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from workings.errors import DataError

# A file that is, or unpacks to, more than this is no file of questions.
LIMIT = 1 << 30

_GZIP = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """The UTF-8 text of a file, unpacked if it is gzipped."""
    try:
        text = _read(path).decode("utf-8-sig")
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


def _read(path: Path) -> bytes:
    """The bytes of a file, unpacked; no more is read or unpacked than can be meant."""
    with path.open("rb") as file:
        raw = file.read(LIMIT + 1)
    if raw.startswith(_GZIP):
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            raw = packed.read(LIMIT + 1)
    if len(raw) > LIMIT:
        hint = "Give a file of questions; a large one, in parts."
        raise DataError(f"{path}: more than {LIMIT:,} bytes", hint=hint)
    return raw


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there; it must be open to be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot_write(path, error) from error


@contextlib.contextmanager
def write_atomically(path: Path) -> Iterator[BinaryIO]:
    """A file to write into that takes the place of ``path`` only once it is whole."""
    make_folder(path.parent)
    _sweep(path)
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


def _sweep(path: Path) -> None:
    """Remove what those left behind who were killed while they wrote this file."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*"):
        writer = left.suffix.removeprefix(".")
        if writer.isdecimal() and not _lives(int(writer)):
            left.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    if os.name == "nt":  # where asking a process whether it lives would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _cannot_write(path: Path, error: OSError) -> DataError:
    hint = "Choose an output folder that can be written to and has room; nothing was changed."
    return DataError(f"{path}: cannot be written: {error.strerror or error}", hint=hint)
