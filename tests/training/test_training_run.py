"""The folder of a run, damaged or not writable."""

import errno
from pathlib import Path

import pytest

from tiny import tiny_network
from workings.errors import CheckpointError, DataError
from workings.settings import Recipe
from workings.training import training_run
from workings.training.optimiser import Optimiser
from workings.training.training_run import TrainingProgress, TrainingRun


@pytest.fixture(scope="module")
def optimiser() -> Optimiser:
    return Optimiser(tiny_network(), Recipe().train, 10)


def test_a_restarted_run_drops_the_metrics_of_lost_steps(
    tmp_path: Path, optimiser: Optimiser
) -> None:
    run = TrainingRun(tmp_path, Recipe())
    run.open()
    run.log(answer=1.0)
    run.progress.step = 20
    run.log(answer=0.5, kinds={"count": 1.0})
    metrics = tmp_path / "metrics.jsonl"
    metrics.write_bytes(metrics.read_bytes()[:-2])  # incomplete, though it ends with a bracket
    assert not TrainingRun(tmp_path, Recipe()).resume(optimiser)
    assert [line[:10] for line in metrics.read_text().splitlines()] == ['{"step": 0']


def test_rejects_a_damaged_checkpoint(tmp_path: Path, optimiser: Optimiser) -> None:
    run = TrainingRun(tmp_path, Recipe(), TrainingProgress(step=3))
    run.save(optimiser)
    weights = tmp_path / "checkpoint/state.safetensors"
    weights.write_bytes(weights.read_bytes()[:40])
    with pytest.raises(CheckpointError, match="Remove it"):
        TrainingRun(tmp_path, Recipe()).resume(optimiser)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff"])
def test_rejects_a_damaged_recipe(tmp_path: Path, text: str) -> None:
    (tmp_path / "recipe.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(CheckpointError, match="another --out folder"):
        TrainingRun(tmp_path, Recipe()).open()


def test_rejects_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")
    with pytest.raises(DataError, match="cannot be written"):
        TrainingRun(tmp_path / "run", Recipe()).open()


def test_a_full_disk_leaves_the_last_checkpoint(
    tmp_path: Path, optimiser: Optimiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = TrainingRun(tmp_path, Recipe(), TrainingProgress(step=3))
    run.save(optimiser)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    run.progress.step = 4
    with monkeypatch.context() as patch:
        patch.setattr(training_run, "save_file", full)
        with pytest.raises(CheckpointError, match=r"No space left[\s\S]*continues"):
            run.save(optimiser)
    resumed = TrainingRun(tmp_path, Recipe())
    assert resumed.resume(optimiser)
    assert resumed.progress.step == 3
