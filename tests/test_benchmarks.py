"""The benchmarks run, on sizes too small to tell anything."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
import torch

from tiny import tiny_network
from workings.values import read_values

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """They import each other from their own folder."""
    monkeypatch.syspath_prepend(FOLDER)  # type: ignore[no-untyped-call]


def script(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_import(path: Path) -> None:
    assert script(path.stem).__doc__


def test_ratio() -> None:
    measure = script("measure")
    turns = iter([0.0, 9.0, 9.0, 10.0, *(0.0, 2.0, 2.0, 3.0), *(0.0, 8.0, 8.0, 10.0)])
    measure.Clock.now, now = staticmethod(lambda: next(turns)), measure.Clock.now
    try:
        found = measure.ratio(lambda: None, lambda: None, rounds=2)
    finally:
        measure.Clock.now = now
    # The first round is left out; the others took 2 and 4 times as long.
    assert (found.low, found.middle, found.high) == (2.5, 3.0, 3.5)
    assert measure.Row.at_most("it", found, 3).held
    assert not measure.Row.at_least("it", found, 3.1).held


def test_a_broken_budget_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    measure = script("measure")
    kept, told = measure.Row("kept", "1", "≤ 2"), measure.Row("told", "7")
    broken = measure.Row("broken", "3", "≤ 2", held=False)
    assert measure.show([kept, told])
    assert not measure.show([kept, broken])
    assert "NO" in capsys.readouterr().out


@pytest.mark.parametrize("count", [5, 40])
def test_passages_to_order(count: int) -> None:
    texts, tokenizer = script("texts"), tiny_network().tokenizer
    read = read_values(texts.with_numbers(count, 4 * count))
    assert len(read.distinct_numbers) == len(read.numbers) == count
    cut = texts.long_text(count, tokenizer)
    assert len(tokenizer.encode(cut, add_special_tokens=False).ids) == count
    (made,) = texts.passages(1, words=300)
    assert len(made.passage.text.split()) == 300


def test_the_paper_s_matrices_give_the_same() -> None:
    bench = script("bench_arithmetic")
    for first, second in (bench.operands(6), bench.three(4)):
        expected = first.combine(second, bench.SUB).weights[0]
        torch.testing.assert_close(bench.Matrices(first, second)(), expected)
        torch.testing.assert_close(bench.WeightsFile(first, second)(), expected)
    assert len(list(bench.rows(two_of=4, three_of=3, rounds=2))) == 4


def test_network() -> None:
    bench, net = script("bench_network"), tiny_network()
    assert len(list(bench.answering(net, words=20, rounds=2))) == 3
    assert len(list(bench.training(net, words=20, rounds=2))) == 2


def test_start() -> None:
    (row,) = script("bench_start").rows(rounds=2)
    assert row.budget == "≤ 10"


def test_answer() -> None:
    (row,) = script("bench_answer").fast(tiny_network(), words=20, rounds=2)
    assert not row.budget


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = script("bench_memory")
    monkeypatch.setattr(bench, "network", tiny_network)
    bench.train(bench.Size(passages=3, steps=1, words=20, longest=40))


def test_growth(tmp_path: Path) -> None:
    bench, net = script("bench_growth"), tiny_network()
    square = bench.Curve("", "", (1, 2, 4, 8), (5.0, 5.0, 16.0, 64.0))
    assert square.exponent == pytest.approx(2)
    curves = [
        *bench.arithmetic(sizes=(2, 3, 4, 5), rounds=1),
        *bench.answering(net, numbers=(2, 3, 4, 5), tokens=(20, 25, 30, 35), rounds=1),
    ]
    assert len(list(bench.rows(curves))) == 8
    bench.draw(curves, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").stat().st_size > 1000
