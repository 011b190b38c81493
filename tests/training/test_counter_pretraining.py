"""The counter's practice: made attentions hold what they say, and it learns to see it."""

from itertools import groupby
from pathlib import Path

import pytest
import torch

from workings.errors import RecipeError
from workings.modules.count import Count
from workings.settings import ModuleSettings, Recipe
from workings.training import practice
from workings.training.counter_pretraining import attentions, pretrain_counter
from workings.training.trainer import train


def quiet(_what: str, _done: int, _of: int) -> None:
    pass


def counter() -> Count:
    torch.manual_seed(0)
    return Count(4, ModuleSettings(count="gru"))


def shaded_excerpts(weights: torch.Tensor) -> list[int]:
    """How long each run of high weights is; noise stays below half of what shaded_excerpts have."""
    high = weights > 0.58 * weights.max()
    return [len(list(run)) for is_high, run in groupby(high.tolist()) if is_high]


def test_made_attentions_have_as_many_stretches_as_they_say() -> None:
    draw = torch.Generator().manual_seed(3)
    counts = torch.arange(1, 8).repeat(40)
    weights, mask = attentions(counts, draw)
    assert weights.sum(-1).tolist() == pytest.approx([1.0] * len(counts), abs=1e-4)
    assert not weights[~mask].any()
    lengths = mask.sum(-1)
    assert 100 <= lengths.min() < 150 and 550 < lengths.max() <= 600
    for count, row, length in zip(counts.tolist(), weights, lengths.tolist(), strict=True):
        found = shaded_excerpts(row[:length])
        assert len(found) == count
        assert all(5 <= size <= 15 for size in found)


def test_of_no_stretch_there_is_only_noise() -> None:
    weights, mask = attentions(torch.zeros(20, dtype=torch.long), torch.Generator().manual_seed(1))
    for row, length in zip(weights, mask.sum(-1).tolist(), strict=True):
        # A mean of |noise| is 0.8 of its spread: no word is far above the others.
        assert row[:length].max() * length < 7


def test_stretches_begin_and_end_anywhere() -> None:
    draw = torch.Generator().manual_seed(2)
    weights, mask = attentions(torch.full((400,), 2), draw)
    high = (weights > 0.58 * weights.amax(-1, keepdim=True)).float()
    place = torch.arange(weights.shape[1]) / mask.sum(-1, keepdim=True)
    centre = (high * place).sum(-1) / high.sum(-1)
    # The mean of two places drawn evenly: 1/2, with a spread of 1/√24 ≈ 0.2.
    assert centre.mean() == pytest.approx(0.5, abs=0.05)
    assert centre.std() == pytest.approx(0.2, abs=0.04)


def error(module: Count) -> float:
    """How far its estimates are from the truth, on attentions it has not practised with."""
    counts = torch.arange(4).repeat(16)
    weights, mask = attentions(counts, torch.Generator().manual_seed(12_345))
    with torch.no_grad():
        estimates = module.by_weights(weights, mask).sum(-1)
    return float((estimates - counts).abs().mean())


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attentions so short and counts so few that seconds are enough."""
    for name, value in {"_MOST": 3, "_WORDS": (16, 24), "_STRETCH": (2, 3), "_RATE": 0.03}.items():
        monkeypatch.setattr(practice, name, value)


@pytest.mark.usefixtures("short")
def test_the_counter_learns_to_count() -> None:
    module = counter()
    pretrain_counter(module, 60, seed=1, watch=quiet)
    # Always saying 1.5, the best without looking, is off by 1.
    assert error(module) < 0.5 < 1 < error(counter())


@pytest.mark.usefixtures("short")
def test_practice_is_the_same_each_time_and_draws_nothing_from_others() -> None:
    first, second = counter(), counter()
    torch.manual_seed(7)
    pretrain_counter(first, 2, seed=5, watch=quiet)
    drawn = torch.rand(1)
    torch.manual_seed(7)
    assert torch.equal(torch.rand(1), drawn)
    pretrain_counter(second, 2, seed=5, watch=quiet)
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
def test_a_run_begins_with_practice_and_goes_on_without(tmp_path: Path) -> None:
    told: list[str] = []

    def watch(what: str, _done: int, _of: int) -> None:
        told.append(what)
        if what == "Training":  # a step is done, and kept
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train(recipe("gru"), tmp_path, None, None, watch)
    assert told == ["Practising", "Practising", "Training", "Training"]


def test_only_the_papers_counter_practises(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"counter.*\n.*modules\.count=gru"):
        train(recipe("set"), tmp_path, None, None, quiet)
