"""Computed numbers have as many decimals as people write."""

from fractions import Fraction

import pytest

from workings.inference.rounding import rounded_result


@pytest.mark.parametrize(
    ("value", "stated", "expected"),
    [
        ("1930/41", ["1930", "41"], "47.07"),
        ("122/3", ["64", "38", "20"], "40.67"),
        ("-100/3", ["3"], "-33.33"),
        ("225/16", ["9", "64"], "14.06"),  # 14.0625: its decimals end, but they are many
        ("25/8", ["25", "8"], "3.13"),  # 3.125: half up
        ("9/4", ["9", "4"], "2.25"),
        ("2.145", ["3.345", "1.2"], "2.145"),  # as many decimals as the numbers of the text
        ("1/3", ["3.345"], "0.333"),
        ("2/3", ["2/3"], "2/3"),  # stated
        ("1/300", ["1", "300"], "0.0033"),  # two digits
        ("0", ["5"], "0"),
        ("17", [], "17"),
    ],
)
def test_rounds_results(value: str, stated: list[str], expected: str) -> None:
    assert rounded_result(Fraction(value), set(map(Fraction, stated))) == Fraction(expected)
