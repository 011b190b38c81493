"""The data of a calculation: operands chosen from the texts, and an expression over them."""

from dataclasses import dataclass, field
from datetime import date as calendar_date
from fractions import Fraction
from typing import Literal

from workings.arithmetic.operation import Operation
from workings.explain.explanation import Source
from workings.network.interpreter import Step
from workings.values import CharSpan, ClockUnit, Date, Timing

DateUnit = Literal["years", "months", "days"]

# A year for dates without one; it is not a leap year.
_ANY_YEAR = 2001


@dataclass(frozen=True)
class ChosenOperand:
    """One operand of a calculation.

    Attributes:
        value: The number.
        span: Its characters in the text; None for a constant.
        source: The text that states it.
        constant: Whether it is a constant that no text states.
        counted: Whether it is a counted mention, whose value is one.
        date: The date that the value was read from.
        date_unit: The unit of a value that was read from a date.
        timing: The clock time or duration that the value was read from.
        clock_unit: The unit of a value that was read from a clock time or a duration.
        likeliest: Whether it is the likeliest value of its own step.
        origin: The step that gave it.
    """

    value: Fraction
    span: CharSpan | None = None
    source: Source = "passage"
    constant: bool = False
    counted: bool = False
    date: Date | None = None
    date_unit: DateUnit = "years"
    timing: Timing | None = None
    clock_unit: ClockUnit = "minutes"
    likeliest: bool = True
    origin: Step | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Calculation:
    """Operands with the expression over them; ``{0}``, ``{1}`` … stand for the operands.

    Attributes:
        expression: The expression.
        operands: The operands.
        weight: The product of the operands' weights.
        mentions: What the operands were read from; no two operands share a mention.
        is_count: Whether it counts mentions and does nothing else.
    """

    expression: str
    operands: tuple[ChosenOperand, ...]
    weight: float
    mentions: frozenset[tuple[str, int]] = frozenset()
    is_count: bool = False

    @property
    def is_single(self) -> bool:
        """Whether nothing is computed: the expression is one operand."""
        return self.expression == "{0}" and not self.is_count

    @property
    def is_likeliest(self) -> bool:
        """Whether every operand is the likeliest value of its own step."""
        return all(operand.likeliest for operand in self.operands)


def sum_of(count: int) -> str:
    """The expression that adds up a number of operands; 0 without operands."""
    return " + ".join(f"{{{index}}}" for index in range(count)) or "0"


def join(operation: Operation, left: Calculation, right: Calculation, *, swap: bool) -> Calculation:
    """Fill two calculations into an operation.

    Args:
        operation: The operation.
        left: The calculation of the first operand.
        right: The calculation of the second operand.
        swap: Whether the second operand is larger. An absolute difference then subtracts the first.
    """
    formula = operation.expression
    if operation.absolute and swap:
        if operation.commutative:
            left, right = right, left
        else:  # 100 * ({0} - {1}) / {1}: only the difference changes its sign
            formula = formula.replace("{0} - {1}", "{1} - {0}")
    shift = len(left.operands)
    shifted = right.expression.format(*(f"{{{i + shift}}}" for i in range(len(right.operands))))
    # Sums and differences are read from the left: only other operands need brackets.
    linear = formula in ("{0} + {1}", "{0} - {1}")
    first = left.expression if linear else _bracketed(left.expression)
    second = shifted if formula == "{0} + {1}" else _bracketed(shifted)
    return Calculation(
        formula.format(first, second),
        left.operands + right.operands,
        left.weight * right.weight,
        left.mentions | right.mentions,
    )


def date_numbers(first: Date, second: Date, unit: DateUnit) -> tuple[Fraction, Fraction] | None:
    """Two dates as numbers of years, months or days; None if a part of them is unknown.

    In months and days, a date without a year lies in the year of the other.
    """
    years = first.year, second.year
    if unit != "years":
        known = next((year for year in years if year is not None), _ANY_YEAR)
        years = tuple(known if year is None else year for year in years)  # type: ignore[assignment]
    numbers = [
        _date_number(year, date.month, date.day, unit)
        for year, date in zip(years, (first, second), strict=True)
    ]
    if numbers[0] is None or numbers[1] is None:
        return None
    return Fraction(numbers[0]), Fraction(numbers[1])


def _date_number(
    year: int | None, month: int | None, day: int | None, unit: DateUnit
) -> int | None:
    if year is None or (unit != "years" and month is None) or (unit == "days" and day is None):
        return None
    if unit == "years":
        return year
    assert month is not None
    if unit == "months":
        return 12 * year + month - 1
    assert day is not None
    try:
        return calendar_date(year, month, day).toordinal()
    except ValueError:  # 29 February of another year, or a year that Python cannot represent
        return None


def _bracketed(expression: str) -> str:
    return f"({expression})" if " " in expression else expression
