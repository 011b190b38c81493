"""Tests of units and of numbers as people write them."""

from fractions import Fraction

import pytest

from handmade import passage_input
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.quantity import written_mention, written_result
from workings.inference.source_texts import SourceTexts
from workings.inference.units import asked_noun, plural, singular
from workings.values import Date

INCOME = "It made 31.2 million, then 28.9 million."


def operand(texts: SourceTexts, mention: str, value: str) -> ChosenOperand:
    start = texts.passage.tokens.text.index(mention)
    return ChosenOperand(Fraction(value), (start, start + len(mention)))


def result(
    text: str, operands: dict[str, str], expression: str, value: str, question: str = "?"
) -> str:
    """The result of an expression over mentions of a text, given with their values."""
    texts = SourceTexts(passage_input(text), question)
    chosen = tuple(operand(texts, mention, number) for mention, number in operands.items())
    return written_result(Calculation(expression, chosen, 1.0), Fraction(value), texts)


@pytest.mark.parametrize(
    ("text", "operands", "expression", "value", "expected"),
    [
        ("From 49% to 58%.", {"58": "58", "49": "49"}, "{0} - {1}", "9", "9 %"),
        ("From 49 percent to 58 percent.", {"58": "58", "49": "49"}, "{0} - {1}", "9", "9 percent"),
        ("Tea $3.50, cake $4.", {"3.50": "3.5", "4": "4"}, "{0} + {1}", "7.5", "$7.50"),
        ("Tea $3.50, cake $4.", {"4": "4", "3.50": "3.5"}, "{0} - {1}", "0.5", "$0.50"),
        ("A 52-yard and a 24-yard kick.", {"52": "52", "24": "24"}, "{0} - {1}", "28", "28 yards"),
        ("A 25-yard and a 24-yard kick.", {"25": "25", "24": "24"}, "{0} - {1}", "1", "1 yard"),
        ("Kicks of 41 and 33 yards.", {"41": "41", "33": "33"}, "{0} + {1}", "74", "74 yards"),
        ("It took 5 hours and 3 days.", {"5": "5", "3": "3"}, "{0} + {1}", "8", "8"),
        (
            "A 1,200 m run, a 900 m run.",
            {"1,200": "1200", "900": "900"},
            "{0} + {1}",
            "2100",
            "2,100 m",
        ),
        (
            "A 1200 m run, a 900 m run.",
            {"1200": "1200", "900": "900"},
            "{0} + {1}",
            "2100",
            "2100 m",
        ),
        ("12 500 came, then 900.", {"900": "900"}, "{0} + {0}", "1800", "1 800"),
        (
            INCOME,
            {"31.2 million": "31200000", "28.9 million": "28900000"},
            "{0} - {1}",
            "2300000",
            "2.3 million",
        ),
        (INCOME, {"31.2": "31.2", "28.9": "28.9"}, "{0} - {1}", "2.3", "2.3 million"),
        ("Three tickets at $5 each.", {"Three": "3", "5": "5"}, "{0} * {1}", "15", "$15"),
        ("20 of 50 seats.", {"20": "20", "50": "50"}, "100 * {0} / {1}", "40", "40 %"),
        ("6 kg in 3 days.", {"6": "6", "3": "3"}, "{0} / {1}", "2", "2"),
        ("31 of 36 flats.", {"31": "31", "36": "36"}, "100 * {0} / {1}", "3100/36", "86.11 %"),
        ("1 of 3000 flats.", {"1": "1", "3000": "3000"}, "100 * {0} / {1}", "1/30", "0.033 %"),
        ("$10 for 3 pies.", {"10": "10", "3": "3"}, "{0} / {1}", "10/3", "$3.33"),
        (
            "24 hours at 13.20 euros an hour.",
            {"24": "24", "13.20": "13.2"},
            "{0} * {1}",
            "316.8",
            "316.80 euros",
        ),
        ("2.5 crowns, then 3 crowns.", {"2.5": "2.5", "3": "3"}, "{0} + {1}", "5.5", "5.5 crowns"),
        (
            "500 came, then 2.1 million people.",
            {"500": "500", "2.1": "2.1"},
            "{0} - {1}",
            "497.9",
            "497.9",
        ),
    ],
)
def test_result_has_the_unit_of_its_operands(
    text: str, operands: dict[str, str], expression: str, value: str, expected: str
) -> None:
    assert result(text, operands, expression, value) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many more votes did the mayor get?", "2,800 votes"),
        ("By how much did they differ?", "2,800"),
        ("How many of the votes were left?", "2,800"),
    ],
)
def test_result_has_the_noun_of_the_question(question: str, expected: str) -> None:
    operands = {"7,100": "7100", "4,300": "4300"}
    text = "7,100 went to her and 4,300 to him."
    assert result(text, operands, "{0} - {1}", "2800", question) == expected


def test_people_are_what_the_question_asks_for() -> None:
    operands = {"630": "630", "450": "450"}
    question = "How many more fans came?"
    assert result("630 fans, 450 people.", operands, "{0} - {1}", "180", question) == "180 fans"
    assert result("630 fans, 450 miles.", operands, "{0} - {1}", "180", question) == "180"


def test_percentage_points() -> None:
    operands = {"58": "58", "49": "49"}
    question = "By how many percentage points did it rise?"
    shown = result("From 49% to 58%.", operands, "{0} - {1}", "9", question)
    assert shown == "9 percentage points"


@pytest.mark.parametrize("unit", ["years", "months", "days"])
def test_distance_of_dates(unit: str) -> None:
    texts = SourceTexts(passage_input("From 1901 to 1936."))
    ends = [
        ChosenOperand(Fraction(n), (5, 9), date=Date(n), date_unit=unit)  # type: ignore[arg-type]
        for n in (1936, 1901)
    ]
    calculation = Calculation("{0} - {1}", tuple(ends), 1.0)
    assert written_result(calculation, Fraction(35), texts) == f"35 {unit}"


def test_count_of_what_the_question_asks() -> None:
    texts = SourceTexts(passage_input("Ada and Ben."), "How many field goals were kicked?")
    for count, expected in ((2, "2 field goals"), (1, "1 field goal"), (0, "0 field goals")):
        ones = tuple(ChosenOperand(Fraction(1), (0, 3), counted=True) for _ in range(count))
        calculation = Calculation("0", ones, 1.0, is_count=True)
        assert written_result(calculation, Fraction(count), texts) == expected


@pytest.mark.parametrize(
    ("text", "mention", "value", "expected"),
    [
        ("a 53-yard kick", "53", "53", "53 yards"),
        ("two dozen eggs", "two dozen", "24", "24"),
        ("$1,250.50 in all", "1,250.50", "1250.5", "$1,250.50"),
        ("in 1871", "1871", "1871", "1871"),
        ("a 41-year-old man", "41", "41", "41 years"),
        ("850,000 kronor", "850,000", "850000", "850,000 kronor"),
        ("31.2 million crowns", "31.2", "31.2", "31.2 million crowns"),
    ],
)
def test_mention_as_the_passage_writes_it(
    text: str, mention: str, value: str, expected: str
) -> None:
    texts = SourceTexts(passage_input(text))
    chosen = operand(texts, mention, value)
    assert chosen.span is not None
    assert written_mention(chosen.span, chosen.value, texts) == expected


def test_nouns() -> None:
    nouns = {"year": "years", "city": "cities", "inch": "inches", "person": "people", "day": "days"}
    for one, many in nouns.items():
        assert (singular(many), plural(one), plural(many)) == (one, many, many)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many people came?", "people"),
        ("How many different boats were there?", "different boats"),
        ("How many million kronor does the town spend?", "kronor"),
        ("How many tigers and lions are there?", None),
        ("How many did she sell?", None),
        ("How much was the bill?", None),
        ("How many of the boats sank?", None),
        ("Who won?", None),
    ],
)
def test_noun_of_a_question(question: str, noun: str | None) -> None:
    asked = asked_noun(question)
    assert (asked.text if asked else None) == noun
