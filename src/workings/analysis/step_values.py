"""Values of steps: the likeliest of a result, the nearest to a token, and those they lead to."""

from collections.abc import Sequence
from fractions import Fraction

from workings.encoder.inputs import PassageInput
from workings.network.interpreter import Step
from workings.ops.results import Dates, Numbers, Result
from workings.values import Date, Number

Value = Fraction | Date


def likeliest_value(result: Result, passage: PassageInput, row: int) -> Value | None:
    """The number or date with the largest weight in one row; None if there are no values.

    Args:
        result: A distribution over numbers or dates.
        passage: The passage of the question.
        row: The question's row in the batch.
    """
    assert isinstance(result, Numbers | Dates)
    values: Sequence[Value] = passage.dates
    if isinstance(result, Numbers):
        values = result.supports[row].values
    weights = result.weights[row, : len(values)]
    return values[int(weights.argmax())] if len(values) else None


def nearest_number(passage: PassageInput, token: int) -> Number | None:
    """The number mention at a token, or nearest to it; None if the passage has no numbers."""

    def distance(number: Number) -> int:
        first, last = passage.tokens.locate(number.start, number.end)
        return max(first - token, token - last, 0)

    return min(passage.values.numbers, key=distance, default=None)


def recompute(
    step: Step, read: Result, value: Value, passage: PassageInput, row: int
) -> Value | None:
    """Compute a program by hand from the likeliest values, one of them replaced.

    Args:
        step: The last step of the program.
        read: The distribution whose value is replaced: the output of a step, or an operand.
        value: The value that takes its place.
        passage: The passage of the question.
        row: The question's row in the batch.

    Returns:
        The value of the step; None if it gives no value, or if the result is undefined or negative.
    """
    if step.output is read:
        return value
    operation = step.details.operation
    if operation is None or not isinstance(step.output, Numbers):
        is_value = isinstance(step.output, Numbers | Dates)
        return likeliest_value(step.output, passage, row) if is_value else None
    if step.details.operands is not None:
        operands = [
            value if operand is read else likeliest_value(operand, passage, row)
            for operand in step.details.operands
        ]
    else:
        operands = [recompute(child, read, value, passage, row) for child in step.inputs]
    first, second = (_number(operand) for operand in operands)
    if first is None or second is None:
        return None
    result = operation.exact(first, second)
    return None if result is None or result < 0 else result


def _number(value: Value | None) -> Fraction | None:
    """A number as it is, a date as its year."""
    if isinstance(value, Date):
        return None if value.year is None else Fraction(value.year)
    return value
