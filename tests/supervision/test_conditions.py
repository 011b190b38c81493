"""Conditions that questions put on the numbers of things."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.supervision.conditions import conditions_met, read_conditions, without_conditions


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("How many field goals over 40 yards were there?", [(True, 40)]),
        ("How many groups had more than 25 members?", [(True, 25)]),
        ("How many cost under $30?", [(False, 30)]),
        ("How many weigh at least 3 kilos?", [(True, 3)]),
        ("How many weigh no more than 3 kilos?", [(False, 3)]),
        ("How many weigh no less than 3 kilos?", [(True, 3)]),
        ("How many kicks of 40 yards or more were there?", [(True, 40)]),
        ("How many were aged 30 or under?", [(False, 30)]),
        ("How many runs were between 25 and 60 yards?", [(True, 25), (False, 60)]),
        ("How many more than 3 were there?", []),  # how far a number is exceeded
        ("How many more goats than 3 cows?", []),
        ("How many were there in the second quarter?", []),
        ("How many days between the third and the fifth?", []),
        ("How many goats were there?", []),
    ],
)
def test_conditions(question: str, conditions: list[tuple[bool, int]]) -> None:
    found = read_conditions(question)
    assert [(each.above, int(each.threshold)) for each in found] == conditions


def test_conditions_are_strict() -> None:
    question = "How many were at least 40 yards long?"
    assert conditions_met(question, [Fraction(41), Fraction(50)])
    assert not conditions_met(question, [Fraction(40), Fraction(50)])


def test_question_without_its_conditions() -> None:
    question = "How many field goals over 40 yards were there?"
    rest = without_conditions(question, read_conditions(question))
    assert rest == "How many field goals  yards were there?"


@given(st.text(max_size=60))
def test_any_text_has_conditions_within_it(text: str) -> None:
    conditions = read_conditions(text)
    assert all(0 <= each.span[0] < each.span[1] <= len(text) for each in conditions)
    assert len(without_conditions(text, conditions)) <= len(text)
