"""Significance tests against enumeration of all 2ⁿ exchanges."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from results_by_hand import result

from workings.errors import InputError
from workings.reproduce.significance import compare_rows, holm, p_value

HUNDREDTHS = st.lists(st.integers(-100, 100), min_size=1, max_size=9)


def enumerated(hundredths: list[int]) -> float:
    observed = abs(sum(hundredths))
    totals = [
        abs(sum(sign * size for sign, size in zip(signs, hundredths, strict=True)))
        for signs in product((-1, 1), repeat=len(hundredths))
    ]
    return sum(total >= observed for total in totals) / len(totals)


@given(HUNDREDTHS)
def test_p_value_agrees_with_enumeration(hundredths: list[int]) -> None:
    assert p_value(np.array(hundredths) / 100) == pytest.approx(enumerated(hundredths), abs=1e-9)


def test_p_value_by_hand() -> None:
    # All three questions are won: two of the eight exchanges give as large a difference.
    assert p_value(np.array([1.0, 1.0, 1.0])) == pytest.approx(2 / 8)
    assert p_value(np.zeros(4)) == pytest.approx(1.0)
    assert p_value(np.array([0.5, -0.5])) == pytest.approx(1.0)


def test_p_value_is_the_sign_test_if_all_differences_are_one() -> None:
    # 60 of 100 won: 2·P(at least 60 heads of 100) = 0.0568879.
    differences = np.array([1.0] * 60 + [-1.0] * 40 + [0.0] * 2000)
    assert p_value(differences) == pytest.approx(0.0568879, abs=1e-6)
    assert 0 <= p_value(np.ones(2280)) < 1e-9


def test_holm_by_hand() -> None:
    # Sorted .01 .02 .04, times 3 2 1, then the running maximum.
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_rows_are_paired_by_question() -> None:
    first, second = result("kinds", [1, 0.5, 1, 0, 1]), result("numnet", [0, 0.5, 1, 0, 0])
    comparison = compare_rows(first, second)
    assert comparison is not None
    measured = comparison.questions, comparison.difference.mean, comparison.p
    assert measured == pytest.approx((5, 0.4, 0.5))
    reversed_ = second.model_copy(update={"scores": second.scores[::-1]})
    assert compare_rows(first, reversed_, "count") == compare_rows(first, second, "count")
    sums = compare_rows(first, second, "2 numbers")
    assert sums is not None and sums.questions == 2
    assert compare_rows(first, second, "date-compare") is None


def test_rejects_different_questions() -> None:
    first = result("kinds", [1, 1, 1, 1, 1])
    fewer = first.model_copy(update={"scores": first.scores[1:]})
    with pytest.raises(InputError, match="different questions"):
        compare_rows(first, fewer)
