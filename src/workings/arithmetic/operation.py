"""Operations on two numbers, declared as expressions."""

import ast
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import add, mul, sub, truediv
from typing import Any

from workings.arithmetic.exact_array import ExactArray, common_denominator

_OPERATORS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}


@dataclass(frozen=True)
class Operation:
    """An exact operation on two numbers.

    Attributes:
        expression: The formula over the operands ``{0}`` and ``{1}``, with whole numbers,
            ``+ - * /`` and brackets, such as ``"({0} + {1}) / 2"``.
        commutative: Whether the operands may change places.
        absolute: Whether the result is the absolute value of the formula.

    Raises:
        ValueError: If the expression is not such a formula, or leaves out an operand.
    """

    expression: str
    commutative: bool = False
    absolute: bool = False

    def __post_init__(self) -> None:
        try:
            self.exact(Fraction(1), Fraction(1))
        except (IndexError, KeyError, SyntaxError, ValueError):
            hint = "use {0}, {1}, whole numbers, + - * / and brackets"
            raise ValueError(f"cannot evaluate {self.expression!r}: {hint}") from None
        if len({node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}) < 2:
            raise ValueError(f"{self.expression!r} must use both operands, {{0}} and {{1}}")

    @cached_property
    def tree(self) -> ast.expr:
        """The expression as a syntax tree; the operands are the names ``a`` and ``b``."""
        return ast.parse(self.expression.format("a", "b"), mode="eval").body

    def __call__(self, first: ExactArray, second: ExactArray) -> ExactArray:
        """Apply the operation to broadcastable arrays."""
        result = _evaluate(self.tree, {"a": first, "b": second})
        return abs(result) if self.absolute else result

    def exact(self, first: Fraction, second: Fraction) -> Fraction | None:
        """Apply the operation to two numbers; None if the result is undefined."""
        scale = common_denominator((first, second))
        result = self(ExactArray.of((first,), scale), ExactArray.of((second,), scale))
        if not result.is_defined.all():
            return None
        return Fraction(int(result.numerator.flat[0]), int(result.denominator.flat[0]))

    def format(self, first: str, second: str) -> str:
        """Write the expression with the operands filled in, such as ``58 - 49``."""
        return self.expression.format(first, second)


def _evaluate(node: ast.expr, operands: dict[str, ExactArray]) -> ExactArray:
    match node:
        case ast.Name(id=name):
            return operands[name]
        case ast.Constant(value=int() as value):
            return ExactArray.of((Fraction(value),))
        case ast.BinOp(left=left, op=op, right=right):
            apply: Any = _OPERATORS[type(op)]
            result: ExactArray = apply(_evaluate(left, operands), _evaluate(right, operands))
            return result
    raise ValueError(f"cannot evaluate {ast.unparse(node)!r}")


ADDITION = Operation("{0} + {1}", commutative=True)
SUBTRACTION = Operation("{0} - {1}")
DISTANCE = Operation("{0} - {1}", commutative=True, absolute=True)
# The two ways to subtract, by the setting `modules.difference`.
DIFFERENCES = {"ordered": SUBTRACTION, "absolute": DISTANCE}
