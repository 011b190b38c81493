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
from workings.files import check_output, is_same_file, read_text, write_atomically


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


def test_half_a_file_never_replaces_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"old")
    with pytest.raises(DataError, match="File too large"), write_atomically(path) as file:
        file.write(b"new" * 100_000)
        raise OSError(27, "File too large")
    assert path.read_bytes() == b"old"


def test_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "folder" / "one", tmp_path / "link"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(target)
    with write_atomically(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["one"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with write_atomically(path) as file:
        file.write(b"new")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are those of Linux")
def test_devices_pipes_and_folders_are_not_written(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for path in (tmp_path, pipe, link):
        with pytest.raises(DataError, match="not a regular file"), write_atomically(path) as file:
            file.write(b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]
    assert pipe.is_fifo() and link.is_char_device()


def test_endless_link_is_not_an_output(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(DataError, match="cannot be written"):
        check_output(loop)


def test_output_is_not_an_input(tmp_path: Path) -> None:
    given, link, hard = (tmp_path / name for name in ("given", "link", "hard"))
    given.write_bytes(b"data")
    link.symlink_to(given)
    hard.hardlink_to(given)
    for out in (given, link, hard, tmp_path / "." / "given"):
        with pytest.raises(DataError, match="is the input file"):
            check_output(out, tmp_path / "missing", given)
    with given.open() as file, pytest.raises(DataError, match="is the input file"):
        check_output(link, file.fileno())
    check_output(tmp_path / "new", given)
    check_output(given)


def test_only_regular_files_are_the_same(tmp_path: Path) -> None:
    assert not is_same_file(tmp_path, tmp_path)
    assert not is_same_file(tmp_path / "missing", tmp_path / "missing")
