"""The benchmarks run, on sizes too small for meaningful times."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
import torch

from tiny import QUESTION, tiny_network
from workings.checkpoint.model_folder import save
from workings.data.records import GoldAnswer, Passage, Question
from workings.reader import Reader
from workings.values import read_values

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def _benchmarks_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripts import each other from their own folder."""
    monkeypatch.syspath_prepend(FOLDER)


def script(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_import(path: Path) -> None:
    assert script(path.stem).__doc__


def test_ratio() -> None:
    measure = script("measure")
    times = iter([0.0, 9.0, 9.0, 10.0, *(0.0, 2.0, 2.0, 3.0), *(0.0, 8.0, 8.0, 10.0)])
    measure.Clock.now, now = staticmethod(lambda: next(times)), measure.Clock.now
    try:
        ratio = measure.ratio(lambda: None, lambda: None, rounds=2)
    finally:
        measure.Clock.now = now
    # The first round is discarded; the others have ratios of 2 and 4.
    assert (ratio.low, ratio.median, ratio.high) == (2.5, 3.0, 3.5)
    assert measure.BenchmarkRow.at_most("ratio", ratio, 3).holds
    assert not measure.BenchmarkRow.at_least("ratio", ratio, 3.1).holds


def test_the_table_shows_exceeded_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    measure = script("measure")
    within, information = measure.BenchmarkRow("a", "1", "≤ 2"), measure.BenchmarkRow("b", "7")
    exceeded = measure.BenchmarkRow("c", "3", "≤ 2", holds=False)
    assert measure.show([within, information])
    assert "NO" not in capsys.readouterr().out
    assert not measure.show([within, exceeded])
    assert "NO" in capsys.readouterr().out


@pytest.mark.parametrize("count", [5, 40])
def test_texts_have_the_requested_sizes(count: int) -> None:
    texts, tokenizer = script("texts"), tiny_network().tokenizer
    values = read_values(texts.text_with_numbers(count, 4 * count))
    assert len(values.distinct_numbers) == len(values.numbers) == count
    text = texts.long_text(count, tokenizer)
    assert len(tokenizer.encode(text, add_special_tokens=False).ids) == count
    (synthetic,) = texts.passages(1, words=300)
    assert len(synthetic.passage.text.split()) == 300


def test_the_papers_matrices_give_the_same_distribution() -> None:
    bench = script("bench_arithmetic")
    for first, second in (bench.operands(6), bench.three_operands(4)):
        expected = first.combine(second, bench.SUBTRACTION).weights[0]
        torch.testing.assert_close(bench.Matrices(first, second)(), expected)
        torch.testing.assert_close(bench.PackedMatrices(first, second)(), expected)
    assert len(list(bench.rows(two_of=4, three_of=3, rounds=2))) == 4


def test_sums() -> None:
    bench = script("bench_sums")
    assert bench.totals(4).weights.sum().item() <= 1
    assert [row.budget for row in bench.rows(sizes=(3, 5), rounds=2)] == ["", "≤ 15"]


def test_network() -> None:
    bench, network = script("bench_network"), tiny_network()
    assert len(list(bench.answering(network, words=20, rounds=2))) == 3
    assert len(list(bench.training(network, words=20, rounds=2))) == 2


def test_start(tmp_path: Path) -> None:
    model = save(tiny_network(), tmp_path / "model")
    rows = script("bench_start").rows(rounds=2, model=model)
    assert [row.budget for row in rows] == ["≤ 10", "≤ 2"]


def test_answer() -> None:
    rows = list(script("bench_answer").fast(tiny_network(), words=20, rounds=2))
    assert len(rows) == 4  # two methods, one and ten questions
    assert sum("chosen here" in row.name for row in rows) == 2


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = script("bench_memory")
    monkeypatch.setattr(bench, "load_network", tiny_network)
    bench.train(bench.Size(passages=3, steps=1, words=20, long_words=40))


def test_growth(tmp_path: Path) -> None:
    bench, network = script("bench_growth"), tiny_network()
    square = bench.Curve("", "", (1, 2, 4, 8), (5.0, 5.0, 16.0, 64.0))
    assert square.exponent == pytest.approx(2)
    curves = [
        *bench.arithmetic(sizes=(2, 3, 4, 5), rounds=1),
        *bench.answering(network, numbers=(2, 3, 4, 5), tokens=(20, 25, 30, 35), rounds=1),
    ]
    assert len(list(bench.rows(curves))) == 8
    steep = bench.Curve(bench.BY_TOKENS, bench.AFTER_ENCODER, (1, 2, 4, 8), (5.0, 5.0, 16.0, 64.0))
    assert [row.holds for row in bench.rows([square, steep])] == [True, False]
    bench.draw(curves, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").stat().st_size > 1000


def test_hidden_passages() -> None:
    bench, reader = script("hidden_passages"), Reader(tiny_network())
    answer = GoldAnswer(number="23")
    texts = [f"Ada kicked {number} yards in {1900 + number}." for number in range(20)]
    passages = [
        Passage(str(n), text, (Question(str(n), QUESTION, (answer,), kind="count"),))
        for n, text in enumerate(texts)
    ]
    hidden = list(bench.hide(passages, count=3, characters=200))
    assert len({each.passage for each in hidden}) == 3
    for each in hidden:
        assert each.text[each.start : each.start + len(each.passage)] == each.passage
        others = each.text.replace(each.passage, "").split()
        assert len(others) == 6 * 6  # six passages of six words fit into 200 characters
    outcome = bench.measure(reader, hidden[0])
    assert outcome.share_read == 1
    assert bench.table([outcome]).row_count == 3
