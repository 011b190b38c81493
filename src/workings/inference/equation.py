"""Equations and comparisons as plain data."""

from collections.abc import Mapping
from fractions import Fraction

from workings.explain.explanation import ComparedValue, Comparison, Equation, Operand, Place
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.comparison import ChosenComparison, ComparedMention
from workings.inference.operand_choice import choose_operands
from workings.inference.ranking import Candidate
from workings.inference.source_texts import SourceTexts
from workings.inference.units import operand_unit, unit_at
from workings.values import format_exact


def calculate(candidate: Candidate) -> Calculation | None:
    """The likeliest calculation of a candidate's answer; None if the answer is not a number."""
    if candidate.answer.value is None:
        return None
    execution = candidate.execution
    return choose_operands(
        execution.step, execution.encoding, candidate.row, candidate.answer.value
    )


def to_equation(
    calculation: Calculation,
    result: Fraction,
    texts: SourceTexts,
    numbers: Mapping[int, int] | None = None,
) -> Equation:
    """Convert a calculation to plain data.

    Args:
        calculation: Operands and an expression over them.
        result: The value of the expression.
        texts: The texts that the operands come from.
        numbers: The numbers of the steps, by the id of the step.
    """
    numbers = numbers or {}
    operands = tuple(
        _operand(operand, texts, numbers.get(id(operand.origin)))
        for operand in calculation.operands
    )
    values = (_in_brackets(operand.value) for operand in operands)
    return Equation(
        expression=calculation.expression.format(*values),
        result=format_exact(result),
        operands=operands,
    )


def to_comparison(comparison: ChosenComparison, step: int, texts: SourceTexts) -> Comparison:
    """Convert a comparison to plain data.

    Args:
        comparison: The compared values, the chosen one first.
        step: Number of the step that compares.
        texts: The texts that the values come from.
    """
    has_winner = comparison.relation != "equal"
    values = [
        _compared_value(mention, texts, chosen=has_winner and not index)
        for index, mention in enumerate(comparison.mentions)
    ]
    return Comparison(
        step=step, relation=comparison.relation, rank=comparison.rank, values=tuple(values)
    )


def _compared_value(mention: ComparedMention, texts: SourceTexts, *, chosen: bool) -> ComparedValue:
    value, unit = mention.value, None
    if isinstance(value, Fraction):
        unit = unit_at(mention.span, value, texts)
    return ComparedValue(
        value=format_exact(value) if isinstance(value, Fraction) else str(value),
        unit=unit.text if unit else None,
        place=Place(source="passage", start=mention.span[0], end=mention.span[1]),
        chosen=chosen,
    )


def _operand(operand: ChosenOperand, texts: SourceTexts, step: int | None) -> Operand:
    place = None
    if operand.span is not None:
        place = Place(source=operand.source, start=operand.span[0], end=operand.span[1])
    unit = operand_unit(operand, texts)
    return Operand(
        value=format_exact(operand.value),
        unit=unit.text if unit and not unit.is_date else None,
        place=place,
        constant=operand.constant,
        step=step,
    )


def _in_brackets(value: str) -> str:
    """Write a fraction or a negative number as one operand: ``(2/3)``, ``(-5)``."""
    return f"({value})" if "/" in value or value.startswith("-") else value
