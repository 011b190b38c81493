"""The everyday questions cover every type, and their answers follow from their texts."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

import pytest

from everyday import EverydayQuestion, load_questions
from workings.data.records import QUESTION_TYPES
from workings.supervision.expressions import (
    BinaryExpression,
    Expression,
    parse_expression,
    value_of,
)
from workings.values import CONSTANTS, read_values

QUESTIONS = load_questions()

# Types by the field that shows how their answers follow from the text.
TYPES_BY_FIELD = {
    "equation": (
        *("sub", "add2", "add3", "add4", "addsub3", "product", "ratio", "average", "percent-of"),
        *("percent-change", "percent-rest", "count-diff", "years"),
    ),
    "numbers": ("max", "min"),
    "counted": ("count",),
    "dates": ("days", "months"),
    "times": ("duration",),
    "values": ("order", "compare-num", "compare-date"),
}
STATED = ("number", "date", "span", "spans")


def where(field: str) -> pytest.MarkDecorator:
    """Run a test for each question that has a field."""
    chosen = [asked for asked in QUESTIONS if getattr(asked, field)]
    return pytest.mark.parametrize("asked", chosen, ids=[asked.question for asked in chosen])


def numbers_in(asked: EverydayQuestion) -> set[Fraction]:
    """The numbers and years of the text and the question, and the constants of programs."""
    found = [read_values(asked.text), read_values(asked.question)]
    numbers = {number.value for values in found for number in values.numbers}
    years = {mention.date.year for values in found for mention in values.dates}
    return numbers | {Fraction(year) for year in years if year is not None} | {*CONSTANTS}


def operands(expression: Expression) -> Iterator[Fraction]:
    if isinstance(expression, BinaryExpression):
        yield from operands(expression.left)
        yield from operands(expression.right)
    else:
        yield expression


def test_enough_questions_of_every_type() -> None:
    types = Counter(asked.type for asked in QUESTIONS)
    assert types.keys() == {*QUESTION_TYPES}
    assert len({asked.text for asked in QUESTIONS}) >= 15
    assert len(QUESTIONS) >= 60
    assert types["none"] >= 6
    assert sum(asked.trivial for asked in QUESTIONS) >= 6


def test_each_question_is_asked_once() -> None:
    pairs = Counter((asked.text, asked.question) for asked in QUESTIONS)
    assert {pair for pair, times in pairs.items() if times > 1} == set()


@pytest.mark.parametrize("asked", QUESTIONS, ids=[asked.question for asked in QUESTIONS])
def test_the_type_determines_the_fields(asked: EverydayQuestion) -> None:
    for field, types in TYPES_BY_FIELD.items():
        assert bool(getattr(asked, field)) == (asked.type in types), field
    assert bool(asked.rank) == bool(asked.values)
    assert (len(asked.answer) > 1) == (asked.type == "spans")
    assert (not asked.answer) == (asked.type == "none")
    assert len(asked.answer) == 1 or not asked.also


@pytest.mark.parametrize(
    "asked",
    [asked for asked in QUESTIONS if asked.type in STATED],
    ids=[asked.question for asked in QUESTIONS if asked.type in STATED],
)
def test_stated_answers_are_in_the_text(asked: EverydayQuestion) -> None:
    if asked.type == "number":
        assert Fraction(asked.answer[0]) in numbers_in(asked)
    else:
        assert [answer for answer in asked.answer if answer not in asked.text] == []


@where("equation")
def test_equation_gives_the_answer(asked: EverydayQuestion) -> None:
    expression = parse_expression(asked.equation)
    assert expression is not None
    assert value_of(expression) == Fraction(asked.answer[0])
    if asked.type == "count-diff":  # counts are not written in the text
        return
    terms = expression
    if asked.type == "average":
        assert isinstance(expression, BinaryExpression)
        terms = expression.left
        assert expression.right == len([*operands(terms)])
    assert {*operands(terms)} <= numbers_in(asked)


@where("numbers")
def test_extreme_number_is_the_answer(asked: EverydayQuestion) -> None:
    extreme = max(asked.numbers) if asked.type == "max" else min(asked.numbers)
    assert extreme == Fraction(asked.answer[0])
    assert {*map(Fraction, asked.numbers)} <= numbers_in(asked)


@where("counted")
def test_counted_mentions_are_in_the_text(asked: EverydayQuestion) -> None:
    assert asked.answer == (str(len({*asked.counted})),)
    assert [mention for mention in asked.counted if mention not in asked.text] == []


@where("dates")
def test_dates_give_the_answer(asked: EverydayQuestion) -> None:
    first, second = asked.dates
    days = (second - first).days
    months = 12 * (second.year - first.year) + second.month - first.month
    assert asked.answer == (str(days if asked.type == "days" else months),)
    assert first.day == second.day or asked.type == "days"  # the months are whole
    assert is_in_text(first, asked) and is_in_text(second, asked)


@where("values")
def test_ranked_values_give_the_answer(asked: EverydayQuestion) -> None:
    values = dict(asked.values)
    falling = sorted(values, key=lambda name: values[name], reverse=True)
    assert len({*values.values()}) == len(values)
    assert asked.answer == (falling[asked.rank - 1 if asked.rank > 0 else asked.rank],)
    for name, value in values.items():
        options = asked.text if asked.type == "order" else asked.question
        assert name in options
        if isinstance(value, date):
            assert is_in_text(value, asked)
        else:
            assert value in numbers_in(asked)


def is_in_text(day: date, asked: EverydayQuestion) -> bool:
    """Whether the text states a date, with or without its year."""
    mentions = [mention.date for mention in read_values(asked.text).dates]
    return any(
        (found.day, found.month) == (day.day, day.month) and found.year in (day.year, None)
        for found in mentions
    )


@where("times")
def test_time_from_start_to_end_is_the_answer(asked: EverydayQuestion) -> None:
    start, end = (60 * time.hour + time.minute for time in asked.times)
    minutes = (end - start) % (24 * 60)
    assert Fraction(minutes, 60 if "hours" in asked.question else 1) == Fraction(asked.answer[0])
    stated = {timing.seconds // 60 for timing in read_values(asked.text).distinct_timings}
    assert {start, end} <= stated
