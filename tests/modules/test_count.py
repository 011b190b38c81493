"""count: how many of independent mentions are meant, or the paper's estimate."""

from math import exp, log

import pytest
import torch

from handmade import context, encode, spread, zeroed
from workings.modules.count import Count
from workings.ops.results import TokenProbabilities
from workings.settings import ModuleSettings

ROWS = [("How many?", "One two three"), ("How many were there?", "One two three four")]


def test_each_word_counts_by_its_own_chance() -> None:
    encoding = encode(ROWS)
    seen = context(encoding)
    found = zeroed(Count(4, ModuleSettings(largest_count=4)))(seen, spread(encoding))
    assert found.supports[0].values == (0, 1, 2, 3, 4)
    assert found.weights[0].tolist() == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8, 0])
    assert found.weights[1].tolist() == pytest.approx([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])
    marks = seen.notes["counted"]
    assert isinstance(marks, TokenProbabilities)
    assert marks.passage.tolist() == [[0.5, 0.5, 0.5, 0.0], [0.5] * 4]


def test_more_than_the_largest_count_is_left_out() -> None:
    encoding = encode(ROWS)
    found = zeroed(Count(4, ModuleSettings(largest_count=2)))(context(encoding), spread(encoding))
    assert found.weights[1].tolist() == pytest.approx([1 / 16, 4 / 16, 6 / 16])


@pytest.mark.parametrize(("chance", "estimates"), [(0.5, (1.5, 2.0)), (0.75, (2.25, 3.0))])
def test_the_papers_counter_spreads_around_a_sum(
    chance: float, estimates: tuple[float, float]
) -> None:
    encoding = encode(ROWS)
    module = zeroed(Count(4, ModuleSettings(count="gru", largest_count=9)))
    module.score.bias.data.fill_(log(chance / (1 - chance)))
    found = module(context(encoding), spread(encoding))
    for row, estimate in enumerate(estimates):
        bell = [exp(-((k - estimate) ** 2) / (2 * 0.5**2)) for k in range(10)]
        expected = [height / sum(bell) for height in bell]
        assert found.weights[row].tolist() == pytest.approx(expected)


def test_the_papers_counter_does_not_read_padding() -> None:
    torch.manual_seed(1)
    module = Count(4, ModuleSettings(count="gru")).double()
    together, alone = encode(ROWS), encode(ROWS[:1])
    weights = spread(alone)
    padded = spread(together)
    padded.passage[0, :3], padded.passage[0, 3] = weights.passage[0], 0
    both, one = module(context(together), padded), module(context(alone), weights)
    torch.testing.assert_close(both.weights[0], one.weights[0])
