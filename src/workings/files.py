"""Read whole files with clear errors, and replace files atomically."""

import contextlib
import errno
import glob
import gzip
import io
import os
import shutil
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from workings.errors import DataError

# The largest file of questions, in bytes, before and after decompression.
LIMIT = 1 << 30

_GZIP_MAGIC = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, decompressed if it is gzipped.

    Raises:
        DataError: If the file is missing, empty, too large, damaged or not UTF-8.
    """
    try:
        text = _read(path).decode("utf-8-sig")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        hint = "The file is truncated or damaged: download it again."
        raise DataError(f"{path}: not a complete gzip file", hint=hint) from error
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
    """Read and decompress a file; stop after ``LIMIT`` bytes, so that memory is bounded."""
    with path.open("rb") as file:
        raw = file.read(LIMIT + 1)
    if raw.startswith(_GZIP_MAGIC):
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            raw = packed.read(LIMIT + 1)
    if len(raw) > LIMIT:
        hint = "Split the file into parts."
        raise DataError(f"{path}: more than {LIMIT:,} bytes", hint=hint)
    return raw


def make_folder(path: Path) -> None:
    """Create a folder and its parents where they are missing.

    Raises:
        DataError: If the folder cannot be created or written to.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot_write(path, error) from error


def check_output(path: Path, *inputs: Path | int) -> None:
    """Check that a file can be written without harm; it need not exist.

    Args:
        path: The file to write.
        inputs: Files that are read, as paths or file descriptors; missing ones are ignored.

    Raises:
        DataError: If ``path`` is a folder, a device or a pipe, or is one of the inputs, by the same
            path or by a link.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise _cannot_write(path, error) from error
    if not stat.S_ISREG(found.st_mode):
        hint = "Name a regular file, not a folder, a device or a pipe."
        raise DataError(f"{path}: cannot be written: not a regular file", hint=hint)
    if any(is_same_file(path, given) for given in inputs):
        hint = "Name another output file: this one would be overwritten."
        raise DataError(f"{path}: the output file is the input file", hint=hint)


def is_same_file(first: Path | int, second: Path | int) -> bool:
    """Whether two paths or file descriptors lead to one regular file, by whatever links."""
    try:
        one, other = map(_status, (first, second))
    except OSError:  # a missing file or a closed descriptor
        return False
    return stat.S_ISREG(one.st_mode) and os.path.samestat(one, other)


def _status(file: Path | int) -> os.stat_result:
    return os.fstat(file) if isinstance(file, int) else file.stat()


@contextlib.contextmanager
def write_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces ``path`` when the block ends without an error.

    Args:
        path: The file to write; its folder is created if it is missing. If it is a link, the file
            that it points to is replaced. An existing file keeps its permissions.

    Yields:
        The open temporary file.

    Raises:
        DataError: If the file cannot be written, or is not a regular file; an earlier file at
            ``path`` is unchanged.
    """
    check_output(path)
    target = Path(os.path.realpath(path))
    make_folder(target.parent)
    _remove_leftovers(target)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            if target.exists():
                shutil.copymode(target, temporary)
            yield file
            # Some file systems report a full disk only now.
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Remove temporary files of processes that were killed while writing ``path``."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*"):
        process = leftover.suffix.removeprefix(".")
        if process.isdecimal() and not _is_running(int(process)):
            leftover.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if os.name == "nt":  # on Windows os.kill would end the process
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _cannot_write(path: Path, error: OSError) -> DataError:
    hint = "Choose an output folder that is writable and has free space; nothing was changed."
    return DataError(f"{path}: cannot be written: {error.strerror or error}", hint=hint)
