"""Which words of a question each step should attend to, worked out by hand."""

from fractions import Fraction

from workings.data.records import Ask, Question
from workings.program import Program
from workings.supervision.derivation import StepTarget
from workings.training.asked_words import asked_words
from workings.values import Date


def words(question: Question, program: str, *targets: StepTarget) -> dict[int, list[str]]:
    found = asked_words(question, Program.parse(program), targets)
    return {step: [question.text[a:b] for a, b in spans] for step, spans in found.items()}


def number(step: int, value: int) -> StepTarget:
    return StepTarget(step, numbers=(Fraction(value),))


def test_each_find_of_a_difference_has_its_own_phrase() -> None:
    question = Question(
        "q",
        "How many more apples than ripe pears were sold?",
        (),
        asks=(
            Ask("value", "apples", ("7",)),
            Ask("value", "than ripe pears", ("5",)),
            Ask("op", "more"),
        ),
    )
    program = "sub(find-num(find), find-num(find))"
    found = words(question, program, number(0, 2), number(1, 7), number(3, 5))
    assert found == {2: ["apples"], 4: ["ripe", "pears"]}


def test_find_of_a_set_has_the_thing_and_its_condition() -> None:
    asks = Ask("find", "runs"), Ask("filter", "in the rain")
    question = Question("q", "How many runs were in the rain?", (), asks=asks)
    assert words(question, "count(find)", number(0, 3)) == {1: ["runs", "rain"]}


def test_members_of_a_sum_are_asked_for_by_one_phrase() -> None:
    question = Question(
        "q", "What do the tickets cost?", (), asks=(Ask("value", "tickets", ("3", "4")),)
    )
    target = StepTarget(0, numbers=(Fraction(7),), members=(Fraction(3), Fraction(4)))
    assert words(question, "sum(find)", target) == {1: ["tickets"]}


def test_dates_and_stop_words() -> None:
    question = Question(
        "q",
        "How many years from the opening to then?",
        (),
        asks=(Ask("value", "the opening", ("1990",)), Ask("value", "then", ("0.06",))),
    )
    targets = (
        StepTarget(1, dates=(Date(1995, 6, 2),)),
        StepTarget(2, dates=(Date(1990, None, None),)),
    )
    # "then" is a stop word, but the phrase has no other word.
    assert words(question, "time-diff(find, find)", *targets) == {1: ["then"], 2: ["opening"]}


def test_question_without_annotation() -> None:
    assert words(Question("q", "How many?", ()), "count(find)", number(0, 3)) == {}
