"""Tests of README: blocks marked as runnable print what they show.

The sample answer is compared without its probabilities, which differ between machines.
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


def test_has_runnable_blocks() -> None:
    assert STEPS


def run(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    result = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(("command", "shown"), STEPS)
def test_runnable_block(command: str, shown: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    printed = run(command)
    assert doctest.OutputChecker().check_output(shown, printed, flags), printed


SAMPLE = re.compile(r"```console\n\$ (workings ask .*)\n((?:.*\n)*?)```")
FOLDED_STEP = re.compile(r"^\W*(\d+ [^:]+):", re.MULTILINE)


def outline(text: str) -> tuple[str, str, list[str]]:
    """Return the answer with its reason, the program and the sentences of the steps."""
    reason, passage, workings = text.split("\n\n", 2)
    answer, sentence = reason.split("\n", 1)
    program, steps = workings.split("\n", 1)
    head = f"{answer.split('   ')[0]}: {' '.join(sentence.split())} {' '.join(passage.split())}"
    return head, program.split("   ")[0], FOLDED_STEP.findall(steps)


def test_sample_answer_is_of_the_shipped_model() -> None:
    if not (ROOT / "src" / "workings" / "weights" / "model.safetensors").exists():
        pytest.skip("needs the shipped weights")
    sample = SAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    assert sample is not None
    shown_answer, shown_program, shown_steps = outline(sample[2])
    answer, program, steps = outline(run(sample[1]))
    assert (answer, program) == (shown_answer, shown_program), "run `make pictures`"
    assert steps[: len(shown_steps)] == shown_steps, "run `make pictures`"


SNIPPET = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
PERCENT = re.compile(r"\d+%")


def test_python_snippet_prints_what_is_shown() -> None:
    snippet = SNIPPET.search((ROOT / "README.md").read_text("utf-8"))
    assert snippet is not None
    result = subprocess.run(
        [sys.executable, "-c", snippet[1]], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    # The confidence may differ in its last digit between machines.
    assert PERCENT.sub("%", result.stdout) == PERCENT.sub("%", snippet[2])
