"""Round computed numbers to the decimals that people write."""

from collections.abc import Collection
from fractions import Fraction
from math import floor

from workings.values import count_decimals

_DECIMALS = 2


def rounded_result(value: Fraction, stated: Collection[Fraction]) -> Fraction:
    """Round a number to two decimals, or to as many as the numbers of the texts have.

    A number that a text states is not rounded. A number below 0.1 keeps two digits.

    Args:
        value: The exact number.
        stated: The numbers of the passage and the question.
    """
    if value in stated:
        return value
    decimals = max([_DECIMALS, *filter(None, map(count_decimals, stated))])
    while value and abs(value) * 10 ** (decimals - 1) < 1:
        decimals += 1
    scale: int = 10**decimals
    half_up = Fraction(floor(abs(value) * scale + Fraction(1, 2)), scale)
    return half_up if value > 0 else -half_up
