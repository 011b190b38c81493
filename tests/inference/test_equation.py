"""Tests of equations and sentences: exact expressions, units and quotations."""

from fractions import Fraction

import pytest
from tokenizers import Tokenizer

from tiny import PASSAGE, QUESTION, tiny_network, tiny_tokenizer
from workings.encoder.inputs import PassageInput
from workings.inference.equation import to_equation, to_sentence
from workings.inference.operand_choice import Calculation, ChosenOperand
from workings.reader import Reader

TEXT = (
    "Turnout rose from 49 percent in 2019 to 58 percent in 2023. The fee is $3.50, "
    "and a 24-yard rope costs two thirds of it."
)


@pytest.fixture(scope="module")
def passage() -> PassageInput:
    tokenizer: Tokenizer = tiny_tokenizer(TEXT)
    return PassageInput.from_text(TEXT, tokenizer)


def operand(passage: PassageInput, text: str, value: object) -> ChosenOperand:
    start = passage.tokens.text.index(text)
    return ChosenOperand(Fraction(str(value)), (start, start + len(text)))


def calculation(expression: str, *operands: ChosenOperand) -> Calculation:
    return Calculation(expression, operands, 1.0)


def test_difference_with_units_and_places(passage: PassageInput) -> None:
    terms = operand(passage, "58", 58), operand(passage, "49", 49)
    equation = to_equation(calculation("{0} - {1}", *terms), Fraction(9), passage)
    assert (equation.expression, equation.result) == ("58 - 49", "9")
    assert [term.unit for term in equation.operands] == ["percent", "percent"]
    places = [term.place for term in equation.operands]
    assert [TEXT[p.start : p.end] for p in places if p is not None] == ["58", "49"]


def test_sentence_quotes_the_clause_of_each_operand(passage: PassageInput) -> None:
    terms = operand(passage, "58", 58), operand(passage, "3.50", "3.5")
    sentence = to_sentence(calculation("{0} - {1}", *terms), Fraction("54.5"), passage)
    assert sentence == "58 (“2019 to 58 percent in 2023”) − 3.5 (“fee is $3.50”) = 54.5"


def test_units_of_money_and_measures(passage: PassageInput) -> None:
    terms = operand(passage, "3.50", "3.5"), operand(passage, "24", 24)
    equation = to_equation(calculation("{0} + {1}", *terms), Fraction("27.5"), passage)
    assert [term.unit for term in equation.operands] == ["$", "yard"]


def test_counted_mention_has_no_unit(passage: PassageInput) -> None:
    equation = to_equation(calculation("{0}", operand(passage, "24", 1)), Fraction(1), passage)
    assert equation.operands[0].unit is None


def test_fraction_is_one_operand(passage: PassageInput) -> None:
    third = operand(passage, "two thirds", "2/3")
    equation = to_equation(calculation("{0} - {0}", third), Fraction(0), passage)
    assert equation.expression == "(2/3) - (2/3)"


def test_constant_is_named(passage: PassageInput) -> None:
    terms = ChosenOperand(Fraction(100), constant=True), operand(passage, "49", 49)
    choice = calculation("{0} - {1}", *terms)
    assert to_equation(choice, Fraction(51), passage).operands[0].constant
    assert to_sentence(choice, Fraction(51), passage).startswith("100 (constant) − 49 (")


@pytest.mark.parametrize(
    ("program", "has_equation"),
    [
        ("sub(find-num(find), find-num(find))", True),
        ("time-diff(find, find)", True),
        ("find-num(find)", False),
        ("span(find)", False),
    ],
)
def test_explanation_has_an_equation_if_something_is_computed(
    program: str, has_equation: bool
) -> None:
    explanation = Reader(tiny_network()).run(program, QUESTION, PASSAGE)
    assert (explanation.equation is not None) == has_equation
    if explanation.equation is not None:
        assert explanation.equation.result == explanation.answer.value
        assert explanation.sentence.endswith(f"= {explanation.answer.value}")
