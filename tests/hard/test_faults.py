"""A few kills and a full disk, so that the long run is known to work."""

import sys
from pathlib import Path
from random import Random

import pytest

if sys.platform != "linux":
    pytest.skip("kills are timed by Linux", allow_module_level=True)

import faults
from victims import VICTIMS


@pytest.mark.parametrize("name", ["answer", "build", "download"])
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    with VICTIMS[name](tmp_path) as victim:
        assert faults.killed_for(victim, tmp_path, 2, Random(name)) >= 2
        faults.full(victim, tmp_path)
