"""Every console block of the README that says it is runnable does what it shows.

The sample of an answer is one of the shipped weights, but for the numbers.
"""

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


def run(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    done = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("command", "shown"), STEPS)
def test_block(command: str, shown: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    told = run(command)
    assert doctest.OutputChecker().check_output(shown, told, flags), told


SAMPLE = re.compile(r"```console\n\$ (workings ask .*)\n((?:.*\n)*?)```")
STEP_HEAD = re.compile(r"\d+ (\S+(?:\(.*\))? → \w+)")


def outline(told: str) -> tuple[str, str, list[str]]:
    """The answer, the program, and what steps there are: all that no rounding can change."""
    answer, program, rest = told.split("\n", 2)
    return answer.split("   ")[0], program.split("   ")[0], STEP_HEAD.findall(rest)


def test_the_sample_is_of_the_shipped_weights() -> None:
    if not (ROOT / "src" / "workings" / "weights" / "model.safetensors").exists():
        pytest.skip("needs the shipped weights")
    found = SAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    answer, program, steps = outline(found[2])
    told = outline(run(found[1]))
    assert told[:2] == (answer, program), "run `make pictures`"
    assert told[2][: len(steps)] == steps, "run `make pictures`"
