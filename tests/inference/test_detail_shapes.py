"""Tests of operands chosen by the details that a module recorded, whatever its name."""

from fractions import Fraction

import pytest
import torch

from choices_by_hand import attention, batch, certain, date_mentions, find_num, step
from workings.arithmetic.operation import Operation
from workings.encoder.encoding import Encoding
from workings.inference.calculation import Calculation
from workings.inference.operand_choice import choose_operands
from workings.modules import REGISTRY, Module
from workings.network.interpreter import Step
from workings.ops.results import Numbers, StepDetails


def equation_value(calculation: Calculation) -> Fraction:
    operands = [f"Fraction({str(operand.value)!r})" for operand in calculation.operands]
    return Fraction(eval(calculation.expression.format(*operands), {"Fraction": Fraction}))


def chosen(root: Step, encoding: Encoding, answer: int | str) -> Calculation:
    calculation = choose_operands(root, encoding, 0, Fraction(answer))
    assert calculation is not None
    assert equation_value(calculation) == Fraction(answer)
    return calculation


def texts(calculation: Calculation, encoding: Encoding) -> list[str]:
    passage = encoding.inputs[0].tokens.text
    return [passage[slice(*o.span)] for o in calculation.operands if o.span is not None]


def total(encoding: Encoding, answer: int | str, weights: list[float], **details: object) -> Step:
    members = torch.tensor([[*weights, 0.0, 0.0, 0.0]])
    recorded = StepDetails(members=members, **details)  # type: ignore[arg-type]
    return step("add(find)", certain(answer), step("find", attention(encoding)), details=recorded)


def combined(operation: Operation, *inputs: Step) -> Step:
    """The step that combines the numbers of two steps."""
    first, second = (each.output for each in inputs)
    assert isinstance(first, Numbers)
    assert isinstance(second, Numbers)
    details = StepDetails(operation=operation)
    return step(
        "add(find-num, find-num)", first.combine(second, operation), *inputs, details=details
    )


@pytest.fixture
def prices() -> Encoding:
    return batch("Tea cost 3 crowns, cake 5, soup 8 and bread 2.")


def test_sum_of_the_likeliest_set(prices: Encoding) -> None:
    # 3 + 5 and 8 both give 8; the likelier set has the higher product over all four numbers.
    likely = total(prices, 8, [0.9, 0.8, 0.3, 0.1])
    assert texts(chosen(likely, prices, 8), prices) == ["3", "5"]
    other = total(prices, 8, [0.2, 0.4, 0.9, 0.1])
    assert texts(chosen(other, prices, 8), prices) == ["8"]


def test_average_of_the_likeliest_set(prices: Encoding) -> None:
    mean = total(prices, 4, [0.9, 0.9, 0.1, 0.1], aggregate="average")
    calculation = chosen(mean, prices, 4)
    assert texts(calculation, prices) == ["3", "5"]
    assert calculation.expression == "({0} + {1}) / 2"


def test_total_that_no_set_has(prices: Encoding) -> None:
    assert choose_operands(total(prices, 99, [0.9] * 4), prices, 0, Fraction(99)) is None


@pytest.mark.parametrize(
    ("operation", "answer", "expected"),
    [
        (Operation("{0} * {1}", commutative=True), 600, "20 * 30"),
        (Operation("{0} / {1}"), "2/3", "20 / 30"),
        (Operation("100 * {0} / {1}"), "200/3", "100 * 20 / 30"),
        (Operation("100 * ({0} - {1}) / {1}", absolute=True), "100/3", "100 * (30 - 20) / 30"),
    ],
)
def test_any_operation(operation: Operation, answer: str, expected: str) -> None:
    encoding = batch("He sold 20 pears and 30 plums.")
    inputs = find_num(encoding, [0.9, 0.1]), find_num(encoding, [0.1, 0.9])
    calculation = chosen(combined(operation, *inputs), encoding, answer)
    values = [str(operand.value) for operand in calculation.operands]
    assert calculation.expression.format(*values) == expected
    assert calculation.is_likeliest


def test_operand_that_is_not_the_likeliest_value_of_its_step() -> None:
    encoding = batch("He sold 20 pears and 30 plums.")
    inputs = find_num(encoding, [0.9, 0.1]), find_num(encoding, [0.6, 0.4])
    operation = Operation("{0} + {1}", commutative=True)
    calculation = chosen(combined(operation, *inputs), encoding, 50)
    assert not calculation.is_likeliest


@pytest.mark.parametrize(
    ("unit", "answer", "values"),
    [
        ("days", 37, ("9 June 1871", "3 May 1871")),
        ("months", 1, ("9 June 1871", "3 May 1871")),
        ("years", 3, ("1874", "3 May 1871")),
    ],
)
def test_time_between_dates(unit: str, answer: int, values: tuple[str, str]) -> None:
    encoding = batch("It began on 3 May 1871, opened on 9 June 1871 and closed in 1874.")
    dates = date_mentions(encoding, [0.1, 0.5, 0.4]), date_mentions(encoding, [0.8, 0.1, 0.1])
    details = StepDetails(operands=dates, date_unit=unit)  # type: ignore[arg-type]
    root = step("time-diff(find, find)", certain(answer), details=details)
    calculation = chosen(root, encoding, answer)
    assert tuple(str(operand.date) for operand in calculation.operands) == values


def test_day_without_a_year_lies_in_the_year_of_the_other() -> None:
    encoding = batch("It ran from 30 April 1900 until 2 May.")
    assert [str(date) for date in encoding.inputs[0].dates] == ["30 April 1900", "2 May"]
    dates = date_mentions(encoding, [0.1, 0.9]), date_mentions(encoding, [0.9, 0.1])
    details = StepDetails(operands=dates, date_unit="days")
    chosen(step("time-diff(find, find)", certain(2), details=details), encoding, 2)


def test_constant_of_a_step_without_inputs() -> None:
    encoding = batch("No 7 here.")
    (operand,) = chosen(step("spans", certain(100)), encoding, 100).operands
    assert operand.constant
    assert operand.span is None


def test_number_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    class Leaf(Module):
        uses_question = True

    monkeypatch.setitem(REGISTRY, "leaf", Leaf)
    encoding = batch("No 7 here.", "How many were over 40 yards?")
    (operand,) = chosen(step("leaf", certain(40)), encoding, 40).operands
    assert (operand.source, operand.constant) == ("question", False)
    assert operand.span is not None
    assert encoding.questions[0].text[slice(*operand.span)] == "40"
