"""The equation behind a numeric answer, and one sentence that states it."""

import re
from fractions import Fraction

from workings.encoder.inputs import PassageInput
from workings.explain.explanation import Equation, Operand, Place
from workings.inference.operand_choice import Calculation, ChosenOperand, choose_operands
from workings.inference.ranking import Candidate
from workings.values import Number, format_exact

# Words of the passage that a sentence quotes before and after an operand.
_WORDS_BEFORE, _WORDS_AFTER = 2, 4
_WORD = re.compile(r"\S+")
_CLAUSE_MARK = re.compile(r"[.!?;,:](?=\s|$)|\n")
_MEASURE = re.compile(
    r"[\s-]?(yards?|met(?:er|re)s?|km|kilomet(?:er|re)s?|miles?|feet|inches|kg|kilograms?|grams?"
    r"|tons?|tonnes?|lit(?:er|re)s?|points?|years?|months?|weeks?|days?|hours?|minutes?|seconds?"
    r"|dollars?|euros?|pounds?)\b",
    re.IGNORECASE,
)
_SIGNS = str.maketrans({"-": "−", "*": "×", "/": "÷"})


def calculate(candidate: Candidate) -> Calculation | None:
    """The likeliest calculation of a candidate's answer; None if the answer is not a number."""
    if candidate.answer.value is None:
        return None
    passage = candidate.execution.encoding.inputs[candidate.row]
    step, value = candidate.execution.step, candidate.answer.value
    return choose_operands(step, candidate.row, passage, value)


def to_equation(calculation: Calculation, result: Fraction, passage: PassageInput) -> Equation:
    """Convert a calculation to plain data.

    Args:
        calculation: Operands and an expression over them.
        result: The value of the expression.
        passage: The passage that the operands come from.
    """
    operands = tuple(_operand(operand, passage) for operand in calculation.operands)
    values = (_in_brackets(operand.value) for operand in operands)
    return Equation(
        expression=calculation.expression.format(*values),
        result=format_exact(result),
        operands=operands,
    )


def to_sentence(calculation: Calculation, result: Fraction, passage: PassageInput) -> str:
    """State a calculation with quotations from the passage: ``58 (“to 58 percent”) − …``.

    Args:
        calculation: Operands and an expression over them.
        result: The value of the expression.
        passage: The passage to quote from.
    """
    quoted = [_quoted(operand, passage.tokens.text) for operand in calculation.operands]
    expression = calculation.expression.translate(_SIGNS).format(*quoted)
    return expression if calculation.is_single else f"{expression} = {format_exact(result)}"


def _operand(operand: ChosenOperand, passage: PassageInput) -> Operand:
    place = None
    if operand.span is not None:
        place = Place(source="passage", start=operand.span[0], end=operand.span[1])
    return Operand(
        value=format_exact(operand.value),
        unit=_unit(operand, passage),
        place=place,
        constant=operand.constant,
    )


def _unit(operand: ChosenOperand, passage: PassageInput) -> str | None:
    """Percent, the currency sign, or a unit of measurement after the number."""
    number = _number_at(operand, passage)
    if number is None or operand.span is None:
        return None
    text, (start, end) = passage.tokens.text, operand.span
    if number.unit == "percent":
        return "percent"
    if number.unit == "money" and start and text[start - 1] in "$€£¥":
        return text[start - 1]
    measure = _MEASURE.match(text, end)
    return measure.group(1) if measure else None


def _number_at(operand: ChosenOperand, passage: PassageInput) -> Number | None:
    """The number mention that an operand is; None for years and counted mentions."""
    for number in passage.values.numbers:
        if (number.start, number.end) == operand.span and number.value == operand.value:
            return number
    return None


def _in_brackets(value: str) -> str:
    """Write a fraction as one operand: ``(2/3)``."""
    return f"({value})" if "/" in value else value


def _quoted(operand: ChosenOperand, text: str) -> str:
    value = format_exact(operand.value)
    if operand.span is None:
        return f"{value} (constant)" if operand.constant else value
    return f"{value} (“{_context(text, *operand.span)}”)"


def _context(text: str, start: int, end: int) -> str:
    """The words around a mention, within its clause."""
    clause_start = max((mark.end() for mark in _CLAUSE_MARK.finditer(text, 0, start)), default=0)
    mark = _CLAUSE_MARK.search(text, end)
    clause_end = mark.start() if mark else len(text)
    while start > clause_start and not text[start - 1].isspace():  # "$3.50", "24-yard"
        start -= 1
    while end < clause_end and not text[end].isspace():
        end += 1
    before = list(_WORD.finditer(text, clause_start, start))[-_WORDS_BEFORE:]
    after = list(_WORD.finditer(text, end, clause_end))[:_WORDS_AFTER]
    first = before[0].start() if before else start
    last = after[-1].end() if after else end
    return " ".join(text[first:last].split())
