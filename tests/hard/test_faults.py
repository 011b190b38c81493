"""A few faults of each sort, so that the long fault test stays in working order."""

import sys
from pathlib import Path
from random import Random

import pytest

if sys.platform != "linux":
    pytest.skip("the kills need a timer of Linux", allow_module_level=True)

import faults
from victims import VICTIMS


@pytest.mark.parametrize("name", ["answer", "ask", "build", "download"])
def test_interrupted_work_completes(name: str, tmp_path: Path) -> None:
    with VICTIMS[name](tmp_path) as victim:
        assert faults.kill_at_random(victim, tmp_path, 2, Random(name)) >= 2
        faults.fill_disk(victim, tmp_path)


def test_competing_processes_write_each_answer_once(tmp_path: Path) -> None:
    with VICTIMS["answer"](tmp_path) as victim:
        assert victim.locked
        faults.compete(victim, tmp_path)
