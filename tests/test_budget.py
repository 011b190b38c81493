"""Tests of budgets: time, cancellation and pairs are checked where the work is done."""

from fractions import Fraction

import pytest

from tiny import PASSAGE, QUESTION, tiny_network
from workings.arithmetic.operation import ADDITION
from workings.arithmetic.support import Support
from workings.budget import Budget, check_budget, spend_pairs
from workings.errors import AnswerTimeoutError, WorkLimitError
from workings.reader import Reader


class Clock:
    """A clock that is set by hand, or advances by a step at each reading."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step, self.readings = 0.0, step, 0

    def __call__(self) -> float:
        self.now += self.step
        self.readings += 1
        return self.now


def test_without_a_budget_nothing_is_checked() -> None:
    check_budget()
    spend_pairs(10**9)


def test_time_ends() -> None:
    clock = Clock()
    with Budget(3, clock=clock):
        clock.now = 2.9
        check_budget()
        clock.now = 3.0
        with pytest.raises(AnswerTimeoutError, match="longer than 3 seconds"):
            check_budget()
    check_budget()  # the budget is no longer in force


def test_time_can_be_shortened_but_not_extended() -> None:
    clock = Clock()
    budget = Budget(3, clock=clock)
    budget.shorten(10)
    budget.shorten(1)
    clock.now = 1.0
    with pytest.raises(AnswerTimeoutError):
        budget.check()


def test_cancelled_work_ends() -> None:
    with Budget(3, is_cancelled=lambda: True), pytest.raises(AnswerTimeoutError, match="cancelled"):
        check_budget()


def test_inner_budget_replaces_the_outer_one() -> None:
    with Budget(3, pairs=1):
        with Budget(3, pairs=8):
            spend_pairs(8)
        with pytest.raises(WorkLimitError):
            spend_pairs(2)


def test_pairs_are_counted_once_and_before_they_are_built() -> None:
    numbers = Support(tuple(map(Fraction, range(4))))
    with Budget(3, pairs=20):
        numbers.combine(numbers, ADDITION)  # 16 pairs
        numbers.combine(numbers, ADDITION)  # cached
        other = Support((Fraction(9),))
        other.combine(numbers, ADDITION)  # the remaining 4
        with pytest.raises(WorkLimitError, match="too many pairs"):
            other.combine(other, ADDITION)


PROGRAM = "add(add(find-num(find), find-num(find)), find-num(find))"


def test_long_programs_end_between_steps() -> None:
    reader, clock = Reader(tiny_network()), Clock(step=1.0)
    with Budget(3600, clock=clock):
        reader.run(PROGRAM, QUESTION, PASSAGE)
    checks = clock.readings
    assert checks > 8  # eight modules, and the layers of the encoder
    for seconds in (1, checks // 2, checks - 2):
        late = Clock(step=1.0)
        with Budget(seconds, clock=late), pytest.raises(AnswerTimeoutError):
            Reader(tiny_network()).run(PROGRAM, QUESTION, PASSAGE)
        assert late.readings == seconds + 1  # the first check after the end stops the work


def test_nested_sums_end_before_their_pairs_are_built() -> None:
    with Budget(3600, pairs=100), pytest.raises(WorkLimitError):
        Reader(tiny_network()).run(PROGRAM, QUESTION, f"{PASSAGE} {list(range(50, 90))}")
