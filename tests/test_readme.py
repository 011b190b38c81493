"""Every console block of the README that says it is runnable does what it shows."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"<!-- runnable -->\n```console\n(.*?)```", re.DOTALL)
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)

STEPS = [
    step.groups()
    for block in BLOCK.findall((ROOT / "README.md").read_text("utf-8"))
    for step in STEP.finditer(block)
]


def test_some_blocks_are_runnable() -> None:
    assert STEPS


@pytest.mark.parametrize(("command", "shown"), STEPS)
def test_block(command: str, shown: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    done = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, done.stdout, flags), done.stdout
