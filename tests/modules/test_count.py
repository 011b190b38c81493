"""The module count: the number of independent mentions, or the paper's estimate."""

from math import exp, log

import pytest
import torch

from handmade import context, encode, random_attention, with_zero_weights
from number_distributions import fractions
from workings.modules.count import Count
from workings.settings import ModuleSettings

ROWS = [("How many?", "One two three"), ("How many were there?", "One two three four")]


def test_adds_up_independent_probabilities() -> None:
    encoding = encode(ROWS)
    step = context(encoding)
    module = with_zero_weights(Count(4, ModuleSettings(largest_count=4)))
    count = module(step, random_attention(encoding))
    assert count.supports[0].values == fractions(0, 1, 2, 3, 4)
    assert count.weights[0].tolist() == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8, 0])
    assert count.weights[1].tolist() == pytest.approx([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])
    assert step.details.counted is not None
    assert step.details.counted.passage.tolist() == [[0.5, 0.5, 0.5, 0.0], [0.5] * 4]


def test_drops_more_than_the_largest_count() -> None:
    encoding = encode(ROWS)
    module = with_zero_weights(Count(4, ModuleSettings(largest_count=2)))
    count = module(context(encoding), random_attention(encoding))
    assert count.weights[1].tolist() == pytest.approx([1 / 16, 4 / 16, 6 / 16])


@pytest.mark.parametrize(("probability", "estimates"), [(0.5, (1.5, 2.0)), (0.75, (2.25, 3.0))])
def test_count_of_the_paper_is_normal_around_the_sum(
    probability: float, estimates: tuple[float, float]
) -> None:
    encoding = encode(ROWS)
    module = with_zero_weights(Count(4, ModuleSettings(count="gru", largest_count=9)))
    module.score.bias.data.fill_(log(probability / (1 - probability)))
    count = module(context(encoding), random_attention(encoding))
    for row, estimate in enumerate(estimates):
        densities = [exp(-((k - estimate) ** 2) / (2 * 0.5**2)) for k in range(10)]
        expected = [density / sum(densities) for density in densities]
        assert count.weights[row].tolist() == pytest.approx(expected)


def test_count_of_the_paper_records_what_each_token_adds() -> None:
    encoding = encode(ROWS)
    torch.manual_seed(1)
    module = Count(4, ModuleSettings(count="gru")).double()
    attention, step = random_attention(encoding), context(encoding)
    module(step, attention)
    added = module.read_attention(attention.passage, encoding.passage_mask)
    assert step.details.counted is not None
    torch.testing.assert_close(step.details.counted.passage, added)
    assert added[0, 3].item() == 0  # padding adds nothing


def test_count_of_the_paper_ignores_padding() -> None:
    torch.manual_seed(1)
    module = Count(4, ModuleSettings(count="gru")).double()
    together, alone = encode(ROWS), encode(ROWS[:1])
    attention, padded = random_attention(alone), random_attention(together)
    padded.passage[0, :3], padded.passage[0, 3] = attention.passage[0], 0
    both, single = module(context(together), padded), module(context(alone), attention)
    torch.testing.assert_close(both.weights[0], single.weights[0])
