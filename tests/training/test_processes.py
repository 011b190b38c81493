"""Two processes take the same steps as one."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from workings.settings import Recipe
from workings.training.processes import Processes
from workings.training.trainer import train

RECIPE = """
[encoder]
source = "scratch"
layers = 1
width = 32
vocabulary = 400
dropout = 0.0  # chance differs between processes, the steps must not

[programmer]
width = 32

[data]
world = 8

[train]
epochs = 1
questions = 4
accumulate = 4
rate_encoder = 1e-3
evaluate_every = 1000
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def launch(recipe: Path, out: Path) -> None:
    # `--cpu` would start a single process; this flag starts as many as are asked for, GPUs or not.
    command = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu"]
    command += ["--num_processes=2", "--num_machines=1", "--mixed_precision=no"]
    command += ["--dynamo_backend=no", f"--main_process_port={free_port()}"]
    command += ["-m", "workings", "train", str(recipe), "--out", str(out)]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=one_thread, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("accumulate", [4, 1])  # of a single group one of the two has no share
def test_two_processes_end_where_one_does(tmp_path: Path, accumulate: int) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE.replace("accumulate = 4", f"accumulate = {accumulate}"))
    launch(recipe, tmp_path / "two")
    train(Recipe.load(recipe), tmp_path / "one", None, None, lambda *_: None)
    one, two = (
        load_file(tmp_path / name / "checkpoint/state.safetensors") for name in ("one", "two")
    )
    weights = [name for name in one if name.startswith("weight.")]
    assert weights
    for name in weights:
        # Sums in another order round otherwise, and Adam makes much of little.
        torch.testing.assert_close(two[name], one[name], atol=1e-4, rtol=1e-3)
    logged = [
        [json.loads(line) for line in (tmp_path / name / "metrics.jsonl").read_text().splitlines()]
        for name in ("one", "two")
    ]
    assert (logged[0][0]["processes"], logged[1][0]["processes"]) == (1, 2)
    assert len(logged[0]) == len(logged[1])
    assert logged[1][0]["answer"] == pytest.approx(logged[0][0]["answer"], rel=1e-4)


def test_the_work_is_shared_out_without_remainder(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes()
    shares = []
    for rank in range(3):
        monkeypatch.setattr(processes, "rank", rank)
        monkeypatch.setattr(processes, "world", 3)
        shares.append(list(processes.share(range(7))))
    assert shares == [[0, 3, 6], [1, 4], [2, 5]]
