"""Tests of equations and sentences: exact expressions, units and quotations."""

from fractions import Fraction

import pytest

from choices_by_hand import attention, batch, date_mentions, step
from handmade import passage_input
from tiny import PASSAGE, QUESTION, tiny_network
from workings.explain import Explanation
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.comparison import ChosenComparison, ComparedMention, find_comparisons
from workings.inference.decoding import Prediction
from workings.inference.equation import to_comparison, to_equation
from workings.inference.sentence import to_sentence
from workings.inference.source_texts import SourceTexts
from workings.ops.results import StepDetails
from workings.reader import Reader

TEXT = (
    "Turnout rose from 49 percent in 2019 to 58 percent in 2023. The fee is $3.50, "
    "and a 24-yard rope costs two thirds of it."
)


@pytest.fixture(scope="module")
def texts() -> SourceTexts:
    return SourceTexts(passage_input(TEXT), "How many yards over 40?")


def operand(texts: SourceTexts, text: str, value: object) -> ChosenOperand:
    start = texts.passage.tokens.text.index(text)
    return ChosenOperand(Fraction(str(value)), (start, start + len(text)))


def calculation(expression: str, *operands: ChosenOperand) -> Calculation:
    return Calculation(expression, operands, 1.0)


def sentence(
    texts: SourceTexts, choice: Calculation, value: object, *comparisons: ChosenComparison
) -> str:
    answer = Prediction((str(value),), 1.0, Fraction(str(value)))
    return to_sentence(answer, choice, comparisons, texts)


def test_difference_with_units_and_places(texts: SourceTexts) -> None:
    terms = operand(texts, "58", 58), operand(texts, "49", 49)
    equation = to_equation(calculation("{0} - {1}", *terms), Fraction(9), texts)
    assert (equation.expression, equation.result) == ("58 - 49", "9")
    assert [term.unit for term in equation.operands] == ["percent", "percent"]
    places = [term.place for term in equation.operands]
    assert [TEXT[p.start : p.end] for p in places if p is not None] == ["58", "49"]


def test_sentence_quotes_the_clause_of_each_operand(texts: SourceTexts) -> None:
    terms = operand(texts, "58", 58), operand(texts, "3.50", "3.5")
    assert sentence(texts, calculation("{0} - {1}", *terms), "54.5") == (
        "58 percent (“to 58 percent in 2023”) − $3.50 (“The fee is $3.50”) = 54.5"
    )


def test_operand_is_quoted_once(texts: SourceTexts) -> None:
    terms = operand(texts, "58", 58), operand(texts, "49", 49)
    choice = calculation("100 * ({0} - {1}) / {1}", *terms)
    assert sentence(texts, choice, "900/49") == (
        "(58 percent (“to 58 percent in 2023”) − 49 percent (“Turnout rose from 49 percent in "
        "2019”)) ÷ 49 percent ≈ 18.37 %"
    )


def test_operands_of_one_clause_share_their_quotation() -> None:
    texts = SourceTexts(passage_input("Of these, 48 of the 60 plots are let."), "What share?")
    share = calculation("100 * {0} / {1}", operand(texts, "48", 48), operand(texts, "60", 60))
    assert sentence(texts, share, 80) == "48 ÷ 60 = 80 % (“48 of the 60 plots are let”)"


def test_negative_operand_keeps_its_sign() -> None:
    texts = SourceTexts(passage_input("It was -7 degrees in Holm, 2 degrees in Sandby."), "?")
    terms = operand(texts, "2", 2), operand(texts, "7", -7)
    assert sentence(texts, calculation("{0} - {1}", *terms), 9) == (
        "2 degrees (“2 degrees in Sandby”) − (−7 degrees) (“It was -7 degrees in Holm”) = 9 degrees"
    )


def test_quotation_that_repeats_the_operand_is_left_out() -> None:
    texts = SourceTexts(passage_input("54 pupils and 6 teachers came."), "How many pupils?")
    terms = operand(texts, "54", 54), operand(texts, "6", 6)
    assert sentence(texts, calculation("{0} - {1}", *terms), 48) == (
        "54 pupils − 6 (“6 teachers came”) = 48 pupils"
    )


def test_numbers_of_different_scales_are_written_as_they_are_used() -> None:
    texts = SourceTexts(passage_input("It had 500 visitors. 2.1 million people saw the site."))
    mixed = calculation("{0} - {1}", operand(texts, "500", 500), operand(texts, "2.1", "2.1"))
    assert sentence(texts, mixed, "497.9") == (
        "500 (“It had 500 visitors”) − 2.1 (“2.1 million people saw the site”) = 497.9"
    )


def test_units_of_money_and_measures(texts: SourceTexts) -> None:
    terms = operand(texts, "3.50", "3.5"), operand(texts, "24", 24)
    equation = to_equation(calculation("{0} + {1}", *terms), Fraction("27.5"), texts)
    assert [term.unit for term in equation.operands] == ["$", "yard"]


def test_negative_operands_are_in_brackets(texts: SourceTexts) -> None:
    terms = operand(texts, "58", 58), operand(texts, "49", -49)
    equation = to_equation(calculation("{0} - {1}", *terms), Fraction(107), texts)
    assert equation.expression == "58 - (-49)"


def test_counted_mention_has_no_unit(texts: SourceTexts) -> None:
    equation = to_equation(calculation("{0}", operand(texts, "24", 1)), Fraction(1), texts)
    assert equation.operands[0].unit is None


def test_fraction_is_one_operand(texts: SourceTexts) -> None:
    third = operand(texts, "two thirds", "2/3")
    equation = to_equation(calculation("{0} - {0}", third), Fraction(0), texts)
    assert equation.expression == "(2/3) - (2/3)"


def test_constant_is_named(texts: SourceTexts) -> None:
    terms = ChosenOperand(Fraction(100), constant=True), operand(texts, "49", 49)
    choice = calculation("{0} - {1}", *terms)
    assert to_equation(choice, Fraction(51), texts).operands[0].constant
    assert sentence(texts, choice, 51).startswith("100 % (the whole) − 49 percent (")
    one = ChosenOperand(Fraction(1), constant=True), operand(texts, "24", 24)
    assert sentence(texts, calculation("{0} + {1}", *one), 25).startswith("1 (a fixed number) + 24")
    assert sentence(texts, calculation("{0}", one[0]), 1) == (
        "1 is a fixed number, which the passage does not state"
    )


def test_operand_of_the_question_is_named(texts: SourceTexts) -> None:
    start = texts.question.index("40")
    asked = ChosenOperand(Fraction(40), (start, start + 2), "question")
    choice = calculation("{0} - {1}", asked, operand(texts, "24", 24))
    assert sentence(texts, choice, 16).startswith("40 (from the question) − 24")
    place = to_equation(choice, Fraction(16), texts).operands[0].place
    assert place is not None
    assert place.source == "question"


def test_stated_number(texts: SourceTexts) -> None:
    stated = sentence(texts, calculation("{0}", operand(texts, "24", 24)), 24)
    assert stated == "Stated in the passage: “a 24-yard rope costs two thirds of it”"


def test_stated_words(texts: SourceTexts) -> None:
    start = TEXT.index("rope")
    answer = Prediction(("rope",), 1.0, places=(("passage", start, start + 4),))
    stated = to_sentence(answer, None, (), texts)
    assert stated == "Stated in the passage: “a 24-yard rope costs two thirds of it”"
    named = Prediction(("yards",), 1.0, places=(("question", 9, 14),))
    assert to_sentence(named, None, (), texts) == "Named in the question: “How many yards over 40”"
    assert to_sentence(Prediction(("?",), 1.0), None, (), texts) == ""


def test_list_is_quoted_in_one_sentence() -> None:
    text = "Keep bikes, prams and cars out."
    texts = SourceTexts(passage_input(text))
    items = ("bikes", "prams", "cars")
    places = tuple(("passage", text.index(i), text.index(i) + len(i)) for i in items)
    stated = to_sentence(Prediction(items, 1.0, places=places), None, (), texts)
    assert stated == "Stated in the passage: “Keep bikes, prams and cars out”"


def test_phrase_is_quoted_at_its_likeliest_place() -> None:
    texts = SourceTexts(passage_input("Present: Ada, Ben. Ada spoke first."))
    answer = Prediction(("Ada",), 1.0, places=(("passage", 19, 22), ("passage", 9, 12)))
    assert to_sentence(answer, None, (), texts) == "Stated in the passage: “Ada spoke first”"


def test_counted_mentions() -> None:
    texts = SourceTexts(passage_input("Ada sang. Ben sang."), "How many songs were there?")
    mentions = [operand(texts, name, 1) for name in ("Ada", "Ben")]
    choice = Calculation("{0} + {1}", tuple(mentions), 1.0, is_count=True)
    assert sentence(texts, choice, 2) == "2 songs: “Ada sang”, “Ben sang”"
    other = SourceTexts(texts.passage, "How often did they sing?")
    assert sentence(other, choice, 2) == "2 mentions: “Ada sang”, “Ben sang”"
    none = Calculation("0", (), 1.0, is_count=True)
    assert sentence(texts, none, 0) == "The passage mentions no songs"


def kicks(relation: str, *values: int) -> tuple[SourceTexts, ChosenComparison]:
    text = "He kicked 53, 40 and 24 yards."
    texts = SourceTexts(passage_input(text), "Who?")
    mentions = [
        ComparedMention(Fraction(v), (text.index(str(v)), text.index(str(v)) + 2)) for v in values
    ]
    root = step("find", attention(batch(text)))
    return texts, ChosenComparison(root, relation, tuple(mentions))  # type: ignore[arg-type]


def test_extreme() -> None:
    texts, largest = kicks("largest", 53, 40, 24)
    answer = Prediction(("He",), 1.0)
    assert to_sentence(answer, None, [largest], texts) == (
        "53 yards (“He kicked 53”) is the largest of 53, 40 and 24"
    )
    _, smallest = kicks("smallest", 24, 53, 40)
    terms = operand(texts, "53", 53), operand(texts, "24", 24)
    both = sentence(texts, calculation("{0} - {1}", *terms), 29, largest, smallest)
    assert both.endswith("53 yards is the largest and 24 yards the smallest of 53, 40 and 24")
    _, alone = kicks("largest", 53)
    stated = to_sentence(Prediction(("He",), 1.0), None, [alone], texts)
    assert stated == ""


def test_comparison_of_dates_as_data_and_sentence() -> None:
    encoding = batch("The treaty of 1596 followed the siege of 1595.")
    sides = date_mentions(encoding, [0.9, 0.1]), date_mentions(encoding, [0.2, 0.8])
    details = StepDetails(operands=sides)
    root = step("compare-date-lt(find, find)", attention(encoding), details=details)
    (comparison,) = find_comparisons(root, 0, encoding.inputs[0])
    texts = SourceTexts.of(encoding, 0)
    data = to_comparison(comparison, 3, texts)
    assert (data.step, data.relation) == (3, "earlier")
    assert [(value.value, value.chosen) for value in data.values] == [
        ("1595", True),
        ("1596", False),
    ]
    assert to_sentence(Prediction(("siege",), 1.0), None, [comparison], texts) == (
        "1595 is earlier than 1596 (“The treaty of 1596 followed the siege of 1595”)"
    )


def run(program: str) -> Explanation:
    return Reader(tiny_network()).run(program, QUESTION, PASSAGE)


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
    explanation = run(program)
    assert (explanation.equation is not None) == has_equation
    if explanation.equation is not None:
        assert explanation.equation.result == explanation.answer.value
        assert f"= {explanation.answer.display}" in explanation.sentence


def test_explanation_numbers_the_steps_that_compare() -> None:
    program = "sub(find-num(find-max-num(find)), find-num(find-min-num(find)))"
    explanation = run(program)
    modules = [explanation.step(comparison.step).module for comparison in explanation.comparisons]
    assert modules == ["find-max-num", "find-min-num"]
    assert explanation.equation is not None
    winners = [comparison.values[0].place for comparison in explanation.comparisons]
    assert {operand.place for operand in explanation.equation.operands} == set(winners)


@pytest.mark.parametrize("program", ["find-num(find)", "find-date(find)"])
def test_stated_value_has_its_place(program: str) -> None:
    explanation = run(program)
    assert explanation.sentence.startswith("Stated in the passage: “")
    (place,) = explanation.answer.places
    stated = [value.text for value in explanation.values if value.place == place]
    assert explanation.answer.texts[0] in stated
