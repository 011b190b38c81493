"""The word sampler: numbers in words, dates as written, and two halves that never meet."""

from fractions import Fraction
from random import Random

import pytest

from workings.synthetic import sampler as words
from workings.synthetic.sampler import Pool, Sampler, article, in_words
from workings.values import Date, read_values

POOLS = {name: pool for name, pool in vars(words).items() if isinstance(pool, Pool)}


def sampler(seed: int = 0, *, unseen: bool = False) -> Sampler:
    return Sampler(Random(seed), unseen=unseen)


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "zero"), (11, "eleven"), (20, "twenty"), (34, "thirty-four"), (99, "ninety-nine")],
)
def test_in_words(number: int, said: str) -> None:
    assert in_words(number) == said


def test_words_read_back() -> None:
    for number in range(100):
        assert read_values(f"sold {in_words(number)} lamps").distinct_numbers == (Fraction(number),)


def test_article() -> None:
    assert [n for n in range(100) if article(n) == "an"] == [8, 11, 18, *range(80, 90)]


@pytest.mark.parametrize("name", POOLS)
def test_the_halves_of_a_pool_are_disjoint(name: str) -> None:
    pool = POOLS[name]
    assert len(pool.unseen) >= 3
    assert len(pool.seen) >= 2 * len(pool.unseen)
    assert not set(pool.seen) & set(pool.unseen)
    assert len({*pool.seen, *pool.unseen}) == len(pool.seen) + len(pool.unseen)


@pytest.mark.parametrize("name", POOLS)
def test_no_word_is_a_number_or_a_date(name: str) -> None:
    values = read_values(". ".join((*POOLS[name].seen, *POOLS[name].unseen)))
    assert not values.numbers
    assert not values.dates


def test_numbers_of_the_halves_are_disjoint_and_drawn_once() -> None:
    seen, unseen = sampler(), sampler(unseen=True)
    first = [seen.number(1, 60) for _ in range(40)]
    second = [unseen.number(1, 60) for _ in range(20)]
    assert sorted([*first, *second]) == list(range(1, 61))


def test_names_are_drawn_once() -> None:
    drawn = sampler()
    assert len({drawn.draw(words.MASCOTS) for _ in range(10)}) == 10


@pytest.mark.parametrize("date", [Date(1645), Date(1645, 5), Date(1645, 5, 3), Date(None, 5, 3)])
def test_dates_read_back(date: Date) -> None:
    for seed in range(4):
        text = f"It was sold {sampler(seed).when(date)} in the rain."
        assert read_values(text).distinct_dates == (date,)


def test_when() -> None:
    assert sampler().when(Date(1645)) == "in 1645"
    assert sampler().when(Date(1645, 5)) == "in May 1645"
    assert {sampler(seed).when(Date(None, 5, 3)) for seed in range(9)} == {"on May 3", "on 3 May"}
