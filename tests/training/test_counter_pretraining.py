"""Pretraining of the count module: synthetic attentions, and learning to count their runs."""

from itertools import groupby
from pathlib import Path

import pytest
import torch

from workings.errors import RecipeError
from workings.modules.count import Count
from workings.progress import no_progress
from workings.settings import ModuleSettings, Recipe
from workings.training import counter_pretraining
from workings.training.counter_pretraining import pretrain_counter, synthetic_attentions
from workings.training.trainer import train

pytestmark = pytest.mark.usefixtures("few_dev_passages")


def counter() -> Count:
    torch.manual_seed(0)
    return Count(4, ModuleSettings(count="gru"))


def run_lengths(weights: torch.Tensor) -> list[int]:
    """The lengths of the runs of high weight; noise stays below 0.58 of the highest weight."""
    high = weights > 0.58 * weights.max()
    return [len(list(run)) for is_high, run in groupby(high.tolist()) if is_high]


def test_attentions_have_as_many_runs_as_their_count() -> None:
    generator = torch.Generator().manual_seed(3)
    counts = torch.arange(1, 8).repeat(40)
    weights, mask = synthetic_attentions(counts, generator)
    assert weights.sum(-1).tolist() == pytest.approx([1.0] * len(counts), abs=1e-4)
    assert not weights[~mask].any()
    lengths = mask.sum(-1)
    assert 100 <= lengths.min() < 150 and 550 < lengths.max() <= 600
    for count, row, length in zip(counts.tolist(), weights, lengths.tolist(), strict=True):
        runs = run_lengths(row[:length])
        assert len(runs) == count
        assert all(5 <= size <= 15 for size in runs)


def test_count_zero_is_only_noise() -> None:
    generator = torch.Generator().manual_seed(1)
    weights, mask = synthetic_attentions(torch.zeros(20, dtype=torch.long), generator)
    for row, length in zip(weights, mask.sum(-1).tolist(), strict=True):
        # The mean of |noise| is 0.8 of its deviation: no token is far above the others.
        assert row[:length].max() * length < 7


def test_runs_are_spread_over_the_passage() -> None:
    generator = torch.Generator().manual_seed(2)
    weights, mask = synthetic_attentions(torch.full((400,), 2), generator)
    high = (weights > 0.58 * weights.amax(-1, keepdim=True)).float()
    position = torch.arange(weights.shape[1]) / mask.sum(-1, keepdim=True)
    centre = (high * position).sum(-1) / high.sum(-1)
    # The mean of two uniform positions is 1/2, with a deviation of 1/√24 ≈ 0.2.
    assert centre.mean() == pytest.approx(0.5, abs=0.05)
    assert centre.std() == pytest.approx(0.2, abs=0.04)


def mean_error(module: Count) -> float:
    """The mean error of the estimates, on attentions that training did not use."""
    counts = torch.arange(4).repeat(16)
    weights, mask = synthetic_attentions(counts, torch.Generator().manual_seed(12_345))
    with torch.no_grad():
        estimates = module.read_attention(weights, mask).sum(-1)
    return float((estimates - counts).abs().mean())


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short passages and small counts, so that training takes seconds."""
    for name, value in {
        "_LARGEST_COUNT": 3,
        "_PASSAGE_LENGTHS": (16, 24),
        "_RUN_LENGTHS": (2, 3),
        "_LEARNING_RATE": 0.03,
    }.items():
        monkeypatch.setattr(counter_pretraining, name, value)


@pytest.mark.usefixtures("short")
def test_learns_to_count() -> None:
    module = counter()
    pretrain_counter(module, 60, seed=1, on_progress=no_progress)
    # The best constant estimate, 1.5, has an error of 1.
    assert mean_error(module) < 0.5 < 1 < mean_error(counter())


@pytest.mark.usefixtures("short")
def test_is_reproducible_and_leaves_the_global_random_state() -> None:
    first, second = counter(), counter()
    torch.manual_seed(7)
    pretrain_counter(first, 2, seed=5, on_progress=no_progress)
    after = torch.rand(1)
    torch.manual_seed(7)
    assert torch.equal(torch.rand(1), after)
    pretrain_counter(second, 2, seed=5, on_progress=no_progress)
    assert all(map(torch.equal, first.parameters(), second.parameters()))


def recipe(count: str) -> Recipe:
    return Recipe.read(
        {
            "encoder": {"source": "scratch", "layers": 1, "width": 32, "vocabulary": 600},
            "programmer": {"width": 32},
            "modules": {"count": count, "counter_pretrain_steps": 2},
            "data": {"synthetic": 1},
            "train": {"groups_per_step": 1, "checkpoint_minutes": 1e-9},
        }
    )


@pytest.mark.usefixtures("short")
def test_only_a_new_run_pretrains(tmp_path: Path) -> None:
    stages: list[str] = []

    def stop_after_a_step(stage: str, _done: int, _total: int) -> None:
        stages.append(stage)
        if stage == "Training":  # the checkpoint of this step is written
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train(recipe("gru"), tmp_path, on_progress=stop_after_a_step)
    assert stages == ["Pretraining count", "Pretraining count", "Training", "Training"]


def test_rejects_other_count_modules(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"count module.*\n.*modules\.count=gru"):
        train(recipe("set"), tmp_path)
