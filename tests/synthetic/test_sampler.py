"""The sampler: numbers in words, dates, and disjoint seen and unseen words."""

from fractions import Fraction
from random import Random

import pytest

from workings.synthetic import sampler as sampling
from workings.synthetic.sampler import Sampler, WordPool, article, in_words
from workings.values import Date, read_values

POOLS = {name: pool for name, pool in vars(sampling).items() if isinstance(pool, WordPool)}


def sampler(seed: int = 0, *, unseen: bool = False) -> Sampler:
    return Sampler(Random(seed), unseen=unseen)


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "zero"), (11, "eleven"), (20, "twenty"), (34, "thirty-four"), (99, "ninety-nine")],
)
def test_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


def test_numbers_in_words_read_back() -> None:
    for number in range(100):
        assert read_values(f"sold {in_words(number)} lamps").distinct_numbers == (Fraction(number),)


def test_article() -> None:
    assert [n for n in range(100) if article(n) == "an"] == [8, 11, 18, *range(80, 90)]


@pytest.mark.parametrize("name", POOLS)
def test_seen_and_unseen_words_are_disjoint(name: str) -> None:
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


def test_seen_and_unseen_numbers_are_disjoint() -> None:
    seen, unseen = sampler(), sampler(unseen=True)
    first = [seen.draw_number(1, 60) for _ in range(40)]
    second = [unseen.draw_number(1, 60) for _ in range(20)]
    assert sorted([*first, *second]) == list(range(1, 61))


def test_names_are_drawn_once() -> None:
    names = sampler()
    assert len({names.draw(sampling.MASCOTS) for _ in range(10)}) == 10


@pytest.mark.parametrize("date", [Date(1645), Date(1645, 5), Date(1645, 5, 3), Date(None, 5, 3)])
def test_dates_read_back(date: Date) -> None:
    for seed in range(4):
        text = f"It was sold {sampler(seed).date_phrase(date)} in the rain."
        assert read_values(text).distinct_dates == (date,)


def test_date_phrase() -> None:
    assert sampler().date_phrase(Date(1645)) == "in 1645"
    assert sampler().date_phrase(Date(1645, 5)) == "in May 1645"
    assert {sampler(seed).date_phrase(Date(None, 5, 3)) for seed in range(9)} == {
        "on May 3",
        "on 3 May",
    }


@pytest.mark.parametrize("unseen", [False, True])
def test_pairs_fit_and_are_not_drawn_again(unseen: bool) -> None:
    drawing = sampler(unseen=unseen)
    drawn: set[int] = set()
    for _ in range(10):
        small, large = drawing.draw_pair(2, 200, lambda few, many: many % few == 0)
        assert small < large and large % small == 0
        assert (small % 3 == 1) == (large % 3 == 1) == unseen
        assert not {small, large} & drawn
        drawn |= {small, large}
