"""mul, div, percent and percent-change: exact results, and division by zero as undefined."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import context, encode
from number_distributions import fractions, weight_of
from workings.arithmetic.support import Support
from workings.modules import REGISTRY
from workings.ops.results import Numbers
from workings.settings import ModuleSettings

# Each module with an independent reference; None is a result that is not defined.
REFERENCE: dict[str, Callable[[Fraction, Fraction], Fraction | None]] = {
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else None,
    "percent": lambda a, b: a * 100 / b if b else None,
    "percent-change": lambda a, b: abs(a - b) / b * 100 if b else None,
}

numbers = st.dictionaries(
    st.fractions(min_value=0, max_value=200, max_denominator=10), st.integers(1, 9), max_size=5
).filter(bool)


def distribution(weights: dict[Fraction, float]) -> Numbers:
    values = tuple(sorted(weights))
    tensor = torch.tensor([[weights[value] for value in values]], dtype=torch.float64)
    return Numbers(tensor, [Support(values)])


def run(name: str, first: Numbers, second: Numbers) -> Numbers:
    module = REGISTRY[name](4, ModuleSettings())
    step = context(encode([("How many?", "Some.")]))
    result: Numbers = module(step, first, second)
    assert step.details.operation == module.operation
    return result


@pytest.mark.parametrize(
    ("name", "result"),
    [("mul", "60"), ("div", "0.6"), ("percent", "60"), ("percent-change", "40")],
)
def test_by_hand(name: str, result: str) -> None:
    found = run(name, distribution({Fraction(6): 1.0}), distribution({Fraction(10): 1.0}))
    assert weight_of(found) == {Fraction(result): 1.0}


def test_results_are_exact_fractions() -> None:
    third = run("div", distribution({Fraction(1): 1.0}), distribution({Fraction(3): 1.0}))
    assert weight_of(third) == {Fraction(1, 3): 1.0}
    rise = run("percent-change", distribution({Fraction(5): 1.0}), distribution({Fraction(3): 1.0}))
    assert weight_of(rise) == {Fraction(200, 3): 1.0}


@pytest.mark.parametrize("name", ["div", "percent", "percent-change"])
def test_division_by_zero_is_undefined(name: str) -> None:
    zero, five = fractions(0, 5)
    divisor = distribution({zero: 0.25, five: 0.75})
    found = run(name, distribution({five: 1.0}), divisor)
    assert found.undefined.item() == pytest.approx(0.25)
    nothing = run(name, distribution({five: 1.0}), distribution({zero: 1.0}))
    assert nothing.undefined.item() == 1
    assert nothing.supports[0].values == ()


@pytest.mark.parametrize("name", REFERENCE)
@given(first=numbers, second=numbers)
def test_equals_a_loop_over_pairs(
    name: str, first: dict[Fraction, int], second: dict[Fraction, int]
) -> None:
    expected: dict[Fraction, float] = {}
    operands = [
        {value: weight / sum(weights.values()) for value, weight in weights.items()}
        for weights in (first, second)
    ]
    for (a, p), (b, q) in product(operands[0].items(), operands[1].items()):
        result = REFERENCE[name](a, b)
        if result is not None:
            expected[result] = expected.get(result, 0.0) + p * q
    found = run(name, *map(distribution, operands))
    assert weight_of(found) == pytest.approx(expected)
    assert found.undefined.item() == pytest.approx(1 - sum(expected.values()), abs=1e-9)
