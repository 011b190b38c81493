"""Locks a file of answers, so that one process at a time writes to it."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from workings.errors import DataError

# A longer text is not the name of a process.
_MAX_OWNER_BYTES = 300


@contextlib.contextmanager
def locked(out: Path) -> Iterator[None]:
    """Hold the lock of an output file.

    The lock is a hidden file beside the output; a second file names the process that holds it. Both
    are removed at the end. The operating system releases the lock of a process that dies.

    Args:
        out: The output file; it need not exist, but its folder must.

    Raises:
        DataError: If another process holds the lock; the message names it.
        OSError: If the lock cannot be created.
    """
    target = Path(os.path.realpath(out))  # links to one file share its lock
    lock = target.with_name(f".{target.name}.lock")
    owner = target.with_name(f".{target.name}.lock-owner")
    try:
        held = FileLock(lock).acquire(timeout=0)
    except Timeout as error:
        hint = "Wait until it ends, or name another output file."
        raise DataError(f"{out}: {_read_owner(owner)} is writing to it", hint=hint) from error
    with held:
        try:
            owner.write_text(f"process {os.getpid()} on {socket.gethostname()}", "utf-8")
            yield
        finally:
            # While the lock is held: no file of another process is removed.
            for path in (owner, lock):
                with contextlib.suppress(OSError):  # Windows does not remove an open file
                    path.unlink(missing_ok=True)


def _read_owner(path: Path) -> str:
    """Return the process that holds the lock, as far as it is known."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_OWNER_BYTES).decode("utf-8", "replace") or "another process"
    except OSError:
        return "another process"
