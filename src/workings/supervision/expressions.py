"""Arithmetic expressions over written numbers, such as ``(24+31)/2``."""

import ast
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from workings.values import read_values

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212-"

# Longer texts are prose. The limits also bound the time and the depth of parsing.
_MAX_LENGTH = 200
_MAX_PARTS = 64

_NUMBER = re.compile(r"[$£€]?\s*(\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?")
_UNIT = re.compile(rf"(?<=\d)[\s{DASHES}]*(?:yards?|yds?|points?|percent|years?)\b", re.IGNORECASE)
_SYMBOLS = "()+*/" + DASHES + "×÷"
_PART = re.compile(rf"[{re.escape(_SYMBOLS)}]|[^{re.escape(_SYMBOLS)}]+")
_SPELLINGS = {"×": "*", "÷": "/", **dict.fromkeys(DASHES, "-")}

_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True, slots=True)
class BinaryExpression:
    """An operator of ``+ - * /`` and its two operands."""

    operator: type[ast.operator]
    left: "Expression"
    right: "Expression"


Expression: TypeAlias = Fraction | BinaryExpression


def parse_expression(text: str) -> Expression | None:
    """Parse numbers joined by ``+ - * /`` and brackets.

    Currency signs, percent signs, units such as "yards", and a result after "=" are ignored.

    Returns:
        The expression, or None if the text is anything else.
    """
    if len(text) > _MAX_LENGTH:
        return None
    parts = [part for part in _PART.findall(_UNIT.sub("", text.split("=")[0])) if part.strip()]
    numbers: list[Fraction] = []
    source = ""
    for part in parts[: _MAX_PARTS + 1]:
        if part in _SYMBOLS:
            source += _SPELLINGS.get(part, part)
            continue
        number = parse_number(part.strip())
        if number is None:
            return None
        # Numbers become names: Python need not understand how they are written.
        source += f" n{len(numbers)} "
        numbers.append(number)
    if not numbers or len(parts) > _MAX_PARTS:
        return None
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except SyntaxError:
        return None
    return _convert(tree, {f"n{index}": number for index, number in enumerate(numbers)})


def parse_number(text: str) -> Fraction | None:
    """The value of a text that is one number and nothing else."""
    match = _NUMBER.fullmatch(text)
    if match:
        return Fraction(match.group(1).replace(",", ""))
    numbers = read_values(text).numbers
    alone = [number.value for number in numbers if text[: number.start] + text[number.end :] == ""]
    return alone[0] if alone else None


def value_of(expression: Expression) -> Fraction | None:
    """The value of an expression; None if it divides by zero."""
    if isinstance(expression, Fraction):
        return expression
    left, right = value_of(expression.left), value_of(expression.right)
    if left is None or right is None:
        return None
    try:
        return _OPERATORS[expression.operator](left, right)
    except ZeroDivisionError:
        return None


def signed_terms(expression: Expression) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The terms that a sum adds and those it subtracts; both empty if it is no sum."""
    terms = list(_terms(expression, 1))
    if any(term is None for term, _ in terms):
        return (), ()
    added = tuple(term for term, sign in terms if term is not None and sign > 0)
    subtracted = tuple(term for term, sign in terms if term is not None and sign < 0)
    return (added, subtracted) if added else ((), ())


def negated(expression: BinaryExpression) -> BinaryExpression | None:
    """The expression with the other sign: ``b-a`` for ``a-b``; None if it is no difference."""
    if expression.operator is not ast.Sub:
        return None
    return BinaryExpression(ast.Sub, expression.right, expression.left)


def match_operands(template: ast.expr, expression: Expression) -> tuple[Fraction, Fraction] | None:
    """Match an expression with the formula of an operation.

    Args:
        template: A formula over the names ``a`` and ``b``, as ``Operation.tree`` gives it.
        expression: The expression.

    Returns:
        The numbers in place of ``a`` and ``b``, or None if the formula does not match.
    """
    operands: dict[str, Fraction] = {}
    if not _matches(template, expression, operands) or operands.keys() != {"a", "b"}:
        return None
    return operands["a"], operands["b"]


def _convert(node: ast.expr, numbers: dict[str, Fraction]) -> Expression | None:
    match node:
        case ast.Name(id=name):
            return numbers[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=name)):
            return -numbers[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            first, second = _convert(left, numbers), _convert(right, numbers)
            if first is not None and second is not None:
                return BinaryExpression(type(op), first, second)
    return None


def _terms(expression: Expression, sign: int) -> Iterator[tuple[Fraction | None, int]]:
    """The terms of a sum with their signs; None for a product or quotient."""
    if isinstance(expression, Fraction):
        yield abs(expression), sign if expression >= 0 else -sign
    elif expression.operator in (ast.Add, ast.Sub):
        yield from _terms(expression.left, sign)
        yield from _terms(expression.right, sign if expression.operator is ast.Add else -sign)
    else:
        yield None, sign


def _matches(template: ast.expr, expression: Expression, operands: dict[str, Fraction]) -> bool:
    match template:
        case ast.Name(id=name):
            # An operand that occurs twice must be the same number both times.
            return isinstance(expression, Fraction) and (
                operands.setdefault(name, expression) == expression
            )
        case ast.Constant(value=int() as value):
            return isinstance(expression, Fraction) and expression == value
        case ast.BinOp(left=left, op=op, right=right):
            return (
                isinstance(expression, BinaryExpression)
                and expression.operator is type(op)
                and _matches(left, expression.left, operands)
                and _matches(right, expression.right, operands)
            )
    return False
