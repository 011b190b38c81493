"""Whether equations add up, and whether their operands are the likeliest values of their steps."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings.inference.calculation import Calculation
from workings.inference.equation import calculate
from workings.inference.ranking import Candidate

_OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: Fraction.__add__,
    ast.Sub: Fraction.__sub__,
    ast.Mult: Fraction.__mul__,
    ast.Div: Fraction.__truediv__,
}


@dataclass(frozen=True)
class EquationCheck:
    """The equation of one numeric answer.

    Attributes:
        evaluates: Whether the expression over the operands gives the answer.
        likeliest: Whether every operand is also the likeliest value of its own step.
    """

    evaluates: bool
    likeliest: bool


@dataclass(frozen=True)
class EquationShares:
    """How many of some numeric answers have an equation that adds up.

    Attributes:
        answers: Number of answers that are computed or counted.
        evaluate: Those whose expression gives the answer.
        likeliest: Those of them whose operands are the likeliest values of their own steps.
    """

    answers: int = 0
    evaluate: int = 0
    likeliest: int = 0

    def to_json(self) -> dict[str, Any]:
        """The counts and shares as plain data; shares are null without answers."""
        return {
            "answers": self.answers,
            "evaluate": self.evaluate / self.answers if self.answers else None,
            "likeliest": self.likeliest / self.answers if self.answers else None,
        }


def check_equation(candidate: Candidate) -> EquationCheck | None:
    """Check the equation of a candidate's answer.

    Args:
        candidate: The best candidate of a question.

    Returns:
        The check; None if the answer is no number, or a number that the passage states.
    """
    value, calculation = candidate.answer.value, calculate(candidate)
    if value is None or (calculation is not None and calculation.is_single):
        return None
    if calculation is None:
        return EquationCheck(evaluates=False, likeliest=False)
    evaluates = equation_value(calculation) == value
    return EquationCheck(evaluates, evaluates and calculation.is_likeliest)


def count_equations(checks: Iterable[EquationCheck | None]) -> EquationShares:
    """Count the answers with an equation, those that add up, and those with likeliest operands."""
    found = [check for check in checks if check is not None]
    return EquationShares(
        len(found),
        sum(check.evaluates for check in found),
        sum(check.likeliest for check in found),
    )


def equation_value(calculation: Calculation) -> Fraction:
    """Evaluate an expression over its operands, exactly."""
    names = [f"x{index}" for index in range(len(calculation.operands))]
    values = dict(zip(names, (operand.value for operand in calculation.operands), strict=True))
    return _value(ast.parse(calculation.expression.format(*names), mode="eval").body, values)


def _value(node: ast.expr, values: dict[str, Fraction]) -> Fraction:
    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=int() as number):
            return Fraction(number)
        case ast.BinOp(left=left, op=operator, right=right):
            operation = _OPERATORS[type(operator)]
            result: Fraction = operation(_value(left, values), _value(right, values))
            return result
    raise AssertionError(f"not an expression: {ast.unparse(node)}")
