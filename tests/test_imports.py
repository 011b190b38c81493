"""Cold start: answering a question imports nothing slow, and waiting threads sleep."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tiny import PASSAGE, QUESTION, one_layer_network
from workings import cli
from workings.checkpoint.model_folder import save

UNNEEDED = {
    "accelerate",
    "fastapi",
    "huggingface_hub",
    "matplotlib",
    "pypdf",
    "ray",
    "scipy",
    "transformers",
    "workings.training",
}
# PyTorch's compiler, which some operations on the meta device import.
UNNEEDED |= {"torch._dynamo", "torch._inductor"}

ASK = """
import sys
from workings.reader import Reader
folder, question, passage = sys.argv[1:]
assert Reader.from_pretrained(folder).ask(question, passage).program
print(*sys.modules)
"""


def test_answering_imports_nothing_slow(tmp_path: Path) -> None:
    folder = save(one_layer_network(), tmp_path)
    command = [sys.executable, "-c", ASK, str(folder), QUESTION, PASSAGE]
    imported = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "torch" in imported and "workings.reader" in imported
    assert not UNNEEDED & set(imported)


@pytest.mark.parametrize(("given", "policy"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_of_the_command_line_sleep_while_they_wait(
    given: str | None, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", given or "")
    if given is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    policies = []
    monkeypatch.setattr(cli, "app", lambda **_: policies.append(os.environ["OMP_WAIT_POLICY"]))
    cli.main()
    assert policies == [policy]
