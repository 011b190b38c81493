"""The lock of an output file, held by another process."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workings.batch.output_lock import locked
from workings.errors import DataError

HOLD = """
import sys
from pathlib import Path
from workings.batch.output_lock import locked

with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


@contextmanager
def other_process(out: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until its standard input is closed."""
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield process


def test_message_names_the_other_process(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    with other_process(out) as process:
        with pytest.raises(DataError) as caught, locked(out):
            pass
        holder = f"process {process.pid} on {socket.gethostname()}"
        assert caught.value.message == f"{out}: {holder} is writing to it"
        assert "another output file" in caught.value.hint
    assert not list(tmp_path.iterdir())
    with locked(out):
        pass


def test_killed_process_releases_the_lock(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    with other_process(out) as process:
        process.kill()
        process.wait()
        assert list(tmp_path.iterdir())
        with locked(out):
            pass
    assert not list(tmp_path.iterdir())


def test_holder_may_be_unknown(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    with other_process(out):
        (tmp_path / ".answers.jsonl.lock-owner").unlink()
        with pytest.raises(DataError, match="another process is writing"), locked(out):
            pass
