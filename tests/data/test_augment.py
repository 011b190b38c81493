"""Variants of date-compare questions: events swapped, order reversed, and both."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.augment import augment
from workings.data.records import GoldAnswer, Passage, Question

TEXT = "The Old Mill burned down in 1881. In 1902 a flood swept away the stone bridge."
QUESTION = Question(
    id="q",
    text="Which happened first, the Old Mill burned down or a flood swept away the bridge?",
    answers=(GoldAnswer(spans=("Old Mill burned down",)), GoldAnswer(spans=("the Old Mill",))),
    kind="date-compare",
    evidence="1881;1902",
)


def variants_of(question: Question, text: str = TEXT) -> dict[str, Question]:
    passage = augment(Passage("p", text, (question,)))
    assert passage.questions[0] == question
    return {variant.id.removeprefix(question.id): variant for variant in passage.questions[1:]}


def test_swapped_question_keeps_the_answers() -> None:
    swapped = variants_of(QUESTION)["-dc-event-switch"]
    assert swapped.text == (
        "Which happened first, a flood swept away the bridge or the Old Mill burned down?"
    )
    assert swapped.answers == QUESTION.answers
    assert swapped.evidence == "1902;1881"
    assert swapped.augmented


def test_reversed_question_has_the_other_event_as_its_answer() -> None:
    question = replace(QUESTION, text=QUESTION.text.replace("the bridge", "stone bridge"))
    variants = variants_of(question)
    reversed_, both = variants["-dc-qop-switch"], variants["-dc-event-switch-dc-qop-switch"]
    words = {"later", "last", "second"}
    assert reversed_.text in {question.text.replace("first", word) for word in words}
    assert reversed_.answers == (GoldAnswer(spans=("flood swept away the stone bridge",)),)
    assert reversed_.evidence == "1881;1902"
    assert both.text.startswith(reversed_.text.partition(",")[0])
    assert both.text.endswith("or the Old Mill burned down?")
    assert (both.answers, both.evidence) == (reversed_.answers, "1902;1881")


def test_no_reversed_question_if_the_passage_lacks_the_other_event() -> None:
    assert list(variants_of(QUESTION)) == ["-dc-event-switch"]


def test_later_is_reversed_to_first_or_earlier() -> None:
    question = replace(
        QUESTION,
        text="What event happened later: the stone bridge or the old mill?",
        answers=(GoldAnswer(spans=("stone bridge",)),),
    )
    reversed_ = variants_of(question)["-dc-qop-switch"]
    assert reversed_.text.split()[3] in {"first:", "earlier:"}
    assert reversed_.answers == (GoldAnswer(spans=("Old Mill",)),)


@pytest.mark.parametrize(
    "question",
    [
        replace(QUESTION, kind="number-compare"),
        replace(QUESTION, kind=None),
        replace(QUESTION, augmented=True),
        replace(QUESTION, answers=()),
        replace(QUESTION, answers=(GoldAnswer(spans=("an earthquake",)),)),
        replace(QUESTION, text="Which happened first?"),
        replace(QUESTION, text="Which happened first or last or never?"),
    ],
)
def test_other_questions_have_no_variants(question: Question) -> None:
    assert variants_of(question) == {}


def test_evidence_other_than_two_values_is_dropped() -> None:
    assert variants_of(replace(QUESTION, evidence="burned down"))["-dc-event-switch"].evidence == ""


def test_augmenting_twice_adds_nothing() -> None:
    once = augment(Passage("p", TEXT, (QUESTION, replace(QUESTION, id="r"))))
    assert augment(once) == once


@given(
    question=st.text() | st.builds("{} first, {} or {}?".format, st.text(), st.text(), st.text())
)
def test_any_question_can_be_augmented(question: str) -> None:
    passage = augment(Passage("p", question, (replace(QUESTION, text=question),)))
    assert all(variant.augmented for variant in passage.questions[1:])
