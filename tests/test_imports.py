"""Answering a question imports no package that is slow to load and not needed for it."""

import subprocess
import sys
from pathlib import Path

from tiny import PASSAGE, QUESTION, one_layer_network
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
