"""Tests of reading and atomically writing files."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from workings import files
from workings.errors import DataError
from workings.files import read_text, write_atomically


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_rejects_file_over_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(files, "LIMIT", 1000)
    path = tmp_path / "large.json"
    path.write_bytes(pack(b"0" * 1000))
    assert len(read_text(path)) == 1000
    path.write_bytes(pack(b"0" * 1_000_000))
    with pytest.raises(DataError, match="more than 1,000 bytes"):
        read_text(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b" \n", "empty"),
        (b"\xff", "not UTF-8"),
        (gzip.compress(b"text", mtime=0)[:-4], "not a complete gzip file"),
    ],
)
def test_rejects_unreadable_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "questions.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_text(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot check whether a process runs")
def test_removes_temporary_files_of_dead_processes(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    leftover, of_running_process, other = (
        tmp_path / name
        for name in (f".one[1].{dead.pid}", f".one[1].{os.getppid()}", ".one[1].old")
    )
    for path in (leftover, of_running_process, other):
        path.write_text("half")
    with write_atomically(tmp_path / "one[1]") as file:
        file.write(b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [of_running_process.name, other.name, "one[1]"]
    )


def test_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"old")
    with pytest.raises(DataError, match="No space left"), write_atomically(path) as file:
        file.write(b"new")
        raise OSError(28, "No space left on device")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_rejects_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with (
        pytest.raises(DataError, match="Permission denied"),
        write_atomically(tmp_path / "one") as file,
    ):
        file.write(b"whole")
    assert not list(tmp_path.iterdir())
