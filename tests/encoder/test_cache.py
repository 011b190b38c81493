"""What frozen layers give, kept on disk: as the layers give it, never stale, never too much."""

from pathlib import Path
from typing import Any

import pytest
import torch
from encoders import QUESTIONS, SHORT_AND_LONG, encoder

from handmade import CPU
from workings.encoder.cache import ActivationCache
from workings.encoder.transformer import Encoder


def cached(folder: Path, limit: float = 1e9, **settings: Any) -> Encoder:
    made = encoder(**settings)
    made.cache = ActivationCache(folder, made.fingerprint, made.settings.frozen, limit)
    return made


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
def test_the_cache_gives_what_the_layers_give(split: int, tmp_path: Path) -> None:
    made = cached(tmp_path, split=split, frozen=2)
    plain = encoder(split=split)(QUESTIONS, SHORT_AND_LONG)
    first = made(QUESTIONS, SHORT_AND_LONG)
    torch.testing.assert_close(first.passage, plain.passage, rtol=2e-3, atol=2e-3)
    assert len(list(tmp_path.iterdir())) == 2
    for parameter in made.parameters():  # what is cached is not read again
        parameter.zero_()
    again = made(QUESTIONS, SHORT_AND_LONG)
    assert torch.equal(again.passage, first.passage)  # so the first time is as every other


@torch.no_grad()
def test_some_cached_and_some_not(tmp_path: Path) -> None:
    made = cached(tmp_path, frozen=1)
    made(QUESTIONS[:1], SHORT_AND_LONG[:1])
    found = made(QUESTIONS, SHORT_AND_LONG)
    plain = encoder()(QUESTIONS, SHORT_AND_LONG)
    torch.testing.assert_close(found.passage, plain.passage, rtol=2e-3, atol=2e-3)


@torch.no_grad()
def test_the_cache_knows_split_layer_and_encoder(tmp_path: Path) -> None:
    for settings in ({"frozen": 1}, {"frozen": 2}, {"frozen": 2, "split": 1}):
        cached(tmp_path, **settings)(QUESTIONS[:1], SHORT_AND_LONG[:1])
    assert len(list(tmp_path.iterdir())) == 3


@torch.no_grad()
@pytest.mark.parametrize(
    ("part", "known"),
    [("layers.1", True), ("layer_skip", True), ("layers.0", False), ("embeddings", False)],
)
def test_the_cache_knows_the_frozen_weights_and_no_others(
    part: str, known: bool, tmp_path: Path
) -> None:
    cached(tmp_path, frozen=1, layer_skip=True)(QUESTIONS[:1], SHORT_AND_LONG[:1])
    trained = encoder(frozen=1, layer_skip=True)
    next(trained.get_submodule(part).parameters()).add_(1)
    trained.cache = ActivationCache(tmp_path, trained.fingerprint, 1, 1e9)
    trained(QUESTIONS[:1], SHORT_AND_LONG[:1])
    assert len(list(tmp_path.iterdir())) == (1 if known else 2)


@torch.no_grad()
def test_a_full_cache_takes_no_more(tmp_path: Path) -> None:
    made = cached(tmp_path, limit=10.0, frozen=1)
    made(QUESTIONS, SHORT_AND_LONG)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_stops_the_cache_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ActivationCache(tmp_path, "tiny", 1, 1e9)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workings.encoder.cache.np.save", full)
    cache.put("key", torch.zeros(2, 2))
    assert not list(tmp_path.iterdir())
    assert cache.limit == 0


def test_a_damaged_entry_is_as_good_as_none(tmp_path: Path) -> None:
    cache = ActivationCache(tmp_path, "tiny", 1, 1e9)
    cache.put("key", torch.full((2, 2), 0.5))
    found = cache.get("key", CPU)
    assert found is not None and found.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    for damage in (b"half", b""):
        (tmp_path / "key.npy").write_bytes(damage)
        assert cache.get("key", CPU) is None
    assert cache.get("other", CPU) is None
