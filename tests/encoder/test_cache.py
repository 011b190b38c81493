"""Caches of layer outputs: on disk for frozen layers, in memory for recent passages."""

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from encoders import PASSAGES, QUESTIONS, encoder

from handmade import CPU
from workings.encoder.cache import ActivationCache, PassageCache
from workings.encoder.transformer import Encoder


def caching_encoder(folder: Path, limit_bytes: float = 1e9, **settings: Any) -> Encoder:
    model = encoder(**settings)
    model.cache_frozen(folder, limit_bytes)
    return model


@torch.no_grad()
@pytest.mark.parametrize("split", [0, 1])
def test_cached_states_replace_the_frozen_layers(split: int, tmp_path: Path) -> None:
    model = caching_encoder(tmp_path / "new" / "folder", split=split, frozen=2)
    expected = encoder(split=split)(QUESTIONS, PASSAGES)
    first = model(QUESTIONS, PASSAGES)
    torch.testing.assert_close(first.passage, expected.passage, rtol=2e-3, atol=2e-3)
    assert len(list((tmp_path / "new" / "folder").iterdir())) == 2
    for parameter in model.parameters():  # cached states do not pass through the layers again
        parameter.zero_()
    again = model(QUESTIONS, PASSAGES)
    # The first pass returns the states rounded as they are stored.
    assert torch.equal(again.passage, first.passage)
    assert torch.equal(again.question, first.question)


@torch.no_grad()
def test_partly_cached_batch(tmp_path: Path) -> None:
    model = caching_encoder(tmp_path, frozen=1)
    model(QUESTIONS[:1], PASSAGES[:1])
    encoding = model(QUESTIONS, PASSAGES)
    expected = encoder()(QUESTIONS, PASSAGES)
    torch.testing.assert_close(encoding.passage, expected.passage, rtol=2e-3, atol=2e-3)


@torch.no_grad()
def test_keys_depend_on_split_and_layer(tmp_path: Path) -> None:
    for settings in ({"frozen": 1}, {"frozen": 2}, {"frozen": 2, "split": 1}):
        caching_encoder(tmp_path, **settings)(QUESTIONS[:1], PASSAGES[:1])
    assert len(list(tmp_path.iterdir())) == 3


def test_keys_depend_on_question_and_passage(tmp_path: Path) -> None:
    cache = ActivationCache(tmp_path, "tiny", 1, 1e9)
    pairs = [((1, 2), (3,)), ((1,), (2, 3)), ((1, 2), (4,)), ((12,), (3,))]
    assert len({cache.key(*pair) for pair in pairs}) == 4
    assert cache.key((1, 2), (3,)) == cache.key([1, 2], [3])


@torch.no_grad()
@pytest.mark.parametrize(
    ("part", "hit"),
    [("layers.1", True), ("layer_skip", True), ("layers.0", False), ("embeddings", False)],
)
def test_keys_depend_on_the_frozen_weights_only(part: str, hit: bool, tmp_path: Path) -> None:
    caching_encoder(tmp_path, frozen=1, layer_skip=True)(QUESTIONS[:1], PASSAGES[:1])
    changed = encoder(frozen=1, layer_skip=True)
    next(changed.get_submodule(part).parameters()).add_(1)
    changed.cache_frozen(tmp_path, 1e9)
    changed(QUESTIONS[:1], PASSAGES[:1])
    assert len(list(tmp_path.iterdir())) == (1 if hit else 2)


@torch.no_grad()
def test_layers_below_the_split_are_not_cached_on_disk(tmp_path: Path) -> None:
    caching_encoder(tmp_path, frozen=1, split=1)(QUESTIONS, PASSAGES)
    assert not list(tmp_path.iterdir())


@torch.no_grad()
def test_full_cache_adds_nothing(tmp_path: Path) -> None:
    model = caching_encoder(tmp_path, limit_bytes=10.0, frozen=1)
    encoding = model(QUESTIONS, PASSAGES)
    assert not list(tmp_path.iterdir())
    expected = encoder()(QUESTIONS, PASSAGES)
    torch.testing.assert_close(encoding.passage, expected.passage, rtol=2e-3, atol=2e-3)


def test_limit_counts_entries_of_earlier_runs(tmp_path: Path) -> None:
    ActivationCache(tmp_path, "tiny", 1, 1e9).put("first", torch.zeros(100))
    stored = (tmp_path / "first.npy").stat().st_size
    cache = ActivationCache(tmp_path, "tiny", 1, stored + 300)
    cache.put("second", torch.zeros(100))  # 200 bytes in half precision
    cache.put("third", torch.zeros(100))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.npy", "second.npy"]


def test_full_disk_stops_the_cache_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ActivationCache(tmp_path, "tiny", 1, 1e9)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workings.encoder.cache.np.save", full)
    assert cache.put("key", torch.ones(2, 2)).tolist() == [[1, 1], [1, 1]]
    assert not list(tmp_path.iterdir())
    assert cache.limit == 0


def test_damaged_entry_counts_as_missing(tmp_path: Path) -> None:
    cache = ActivationCache(tmp_path, "tiny", 1, 1e9)
    cache.put("key", torch.full((2, 2), 0.5))
    stored = cache.get("key", CPU)
    assert stored is not None and stored.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert stored.dtype == torch.float
    for damage in (b"half", b""):
        (tmp_path / "key.npy").write_bytes(damage)
        assert cache.get("key", CPU) is None
    assert cache.get("other", CPU) is None


def test_least_recently_used_passage_is_dropped() -> None:
    cache = PassageCache(2)
    cache.put({(1,): torch.tensor([1.0]), (2,): torch.tensor([2.0])})
    assert cache.get((1,)) is not None
    cache.put({(3,): torch.tensor([3.0])})
    assert cache.get((2,)) is None
    states = [cache.get(ids) for ids in ((1,), (3,))]
    assert [None if state is None else state.item() for state in states] == [1.0, 3.0]


def test_copies_of_a_passage_cache_are_empty() -> None:
    cache = PassageCache(5)
    cache.put({(1,): torch.zeros(1)})
    for duplicate in (copy.deepcopy(cache), pickle.loads(pickle.dumps(cache))):
        assert (duplicate.size, len(duplicate.states), len(cache.states)) == (5, 0, 1)


def encoded_rows(model: Encoder) -> list[int]:
    """The number of texts that each pass through the lowest layer contains, as it is called."""
    rows: list[int] = []
    model.layers[0].register_forward_pre_hook(lambda _, inputs: rows.append(len(inputs[0])))
    return rows


@torch.no_grad()
def test_cached_passages_are_encoded_once() -> None:
    model = encoder(split=1)
    expected = model(QUESTIONS, PASSAGES)
    model.cache_passages(2)
    rows = encoded_rows(model)
    first = model(QUESTIONS, PASSAGES)
    assert rows == [2, 2]  # two questions, then two passages
    rows.clear()
    second = model(QUESTIONS, PASSAGES)
    assert rows == [2]  # the questions
    for encoding in (first, second):
        torch.testing.assert_close(encoding.passage, expected.passage)
        torch.testing.assert_close(encoding.question, expected.question)


@torch.no_grad()
def test_only_recent_passages_are_cached() -> None:
    model = encoder(split=1)
    model.cache_passages(1)
    rows = encoded_rows(model)
    for passage in (PASSAGES[0], PASSAGES[1], PASSAGES[1], PASSAGES[0]):
        model(QUESTIONS[:1], [passage])
    assert rows == [1, 1, 1, 1, 1, 1, 1]  # one pass for every question, and three for passages


@torch.no_grad()
def test_cached_passages_are_dropped_on_training() -> None:
    model = encoder(split=1)
    model.cache_passages(2)
    model(QUESTIONS, PASSAGES)
    model.train()
    for parameter in model.layers[0].parameters():
        parameter.mul_(1.5)
    changed = model.eval()(QUESTIONS, PASSAGES).passage
    expected = encoder(split=1)
    expected.load_state_dict(model.state_dict())
    torch.testing.assert_close(changed, expected(QUESTIONS, PASSAGES).passage)


def test_passages_are_not_cached_while_gradients_are_computed() -> None:
    model = encoder(split=1)
    model.cache_passages(2)
    rows = encoded_rows(model)
    for _ in range(2):
        model(QUESTIONS, PASSAGES).passage.sum().backward()
    assert rows == [2, 2, 2, 2]


@torch.no_grad()
def test_nothing_is_cached_without_a_split() -> None:
    model = encoder()
    model.cache_passages(2)
    rows = encoded_rows(model)
    for _ in range(2):
        model(QUESTIONS, PASSAGES)
    assert rows == [2, 2]
