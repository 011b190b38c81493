"""Whole files: bombs are not unpacked, and those who were killed leave nothing for long."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workings.data import files
from workings.errors import DataError
from workings.files import read_text, write_atomically


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_more_than_can_be_meant_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: type[bytes]
) -> None:
    monkeypatch.setattr(files, "LIMIT", 1000)
    path = tmp_path / "large.json"
    path.write_bytes(pack(b"0" * 1000))
    assert len(read_text(path)) == 1000
    path.write_bytes(pack(b"0" * 1_000_000))
    with pytest.raises(DataError, match="more than 1,000 bytes"):
        read_text(path)


@pytest.mark.skipif(os.name == "nt", reason="there processes cannot be asked whether they live")
def test_what_the_dead_left_is_swept(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, living, other = (
        tmp_path / name
        for name in (f".one[1].{dead.pid}", f".one[1].{os.getppid()}", ".one[1].old")
    )
    for path in (left, living, other):
        path.write_text("half")
    with write_atomically(tmp_path / "one[1]") as file:
        file.write(b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [living.name, other.name, "one[1]"]
    )


def test_a_folder_that_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with (
        pytest.raises(DataError, match="Permission denied"),
        write_atomically(tmp_path / "one") as file,
    ):
        file.write(b"whole")
    assert not list(tmp_path.iterdir())
