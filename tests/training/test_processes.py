"""Training in two processes takes the same steps as in one."""

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
from workings.synthetic import make_synthetic
from workings.synthetic.export import save_synthetic
from workings.training.processes import Processes
from workings.training.trainer import train

RECIPE = """
[encoder]
source = "scratch"
layers = 1
width = 32
vocabulary = 400
dropout = 0.0  # dropout differs between processes

[programmer]
width = 32

[data]
synthetic = 8
dev = "dev.jsonl"

[train]
epochs = 1
questions_per_group = 4
groups_per_step = 4
lr_encoder = 1e-3
evaluate_every = 1000
"""


def free_port() -> int:
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        port: int = connection.getsockname()[1]
    return port


def launch(recipe: Path, data: Path, out: Path) -> None:
    # `--cpu` starts a single process; `--multi_gpu` starts all, with or without GPUs.
    command = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu"]
    command += ["--num_processes=2", "--num_machines=1", "--mixed_precision=no"]
    command += ["--dynamo_backend=no", f"--main_process_port={free_port()}"]
    command += ["-m", "workings", "train", str(recipe), "--data", str(data), "--out", str(out)]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=one_thread, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("groups_per_step", [4, 1])  # with one group, one process has no work
def test_two_processes_end_with_the_weights_of_one(tmp_path: Path, groups_per_step: int) -> None:
    recipe = tmp_path / "recipe.toml"
    setting = f"groups_per_step = {groups_per_step}"
    recipe.write_text(RECIPE.replace("groups_per_step = 4", setting))
    save_synthetic(tmp_path / "dev.jsonl", make_synthetic(9, 1))
    launch(recipe, tmp_path, tmp_path / "two")
    train(Recipe.load(recipe), tmp_path / "one", tmp_path)
    one, two = (
        load_file(tmp_path / name / "checkpoint/state.safetensors") for name in ("one", "two")
    )
    weights = [name for name in one if name.startswith("weight.")]
    assert weights
    for name in weights:
        # Sums in another order have other rounding errors, which Adam amplifies.
        torch.testing.assert_close(two[name], one[name], atol=1e-4, rtol=1e-3)
    rows = [
        [json.loads(line) for line in (tmp_path / name / "metrics.jsonl").read_text().splitlines()]
        for name in ("one", "two")
    ]
    assert (rows[0][0]["processes"], rows[1][0]["processes"]) == (1, 2)
    assert len(rows[0]) == len(rows[1])
    assert rows[1][0]["answer"] == pytest.approx(rows[0][0]["answer"], rel=1e-4)


def test_shards_are_disjoint_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes()
    shards = []
    for rank in range(3):
        monkeypatch.setattr(processes, "rank", rank)
        monkeypatch.setattr(processes, "world_size", 3)
        shards.append(list(processes.shard(range(7))))
    assert shards == [[0, 3, 6], [1, 4], [2, 5]]
