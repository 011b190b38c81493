"""The questions made from date-compare questions: swapped, turned round, and both."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.augment import augment
from workings.data.events import split_events
from workings.data.records import GoldAnswer, Passage, Question

TEXT = "The Old Mill burned down in 1881. In 1902 a flood swept away the stone bridge."
ASKED = Question(
    id="q",
    text="Which happened first, the Old Mill burned down or a flood swept away the bridge?",
    answers=(GoldAnswer(spans=("Old Mill burned down",)), GoldAnswer(spans=("the Old Mill",))),
    kind="date-compare",
    evidence="1881;1902",
)


def made_from(question: Question, text: str = TEXT) -> dict[str, Question]:
    passage = augment(Passage("p", text, (question,)))
    assert passage.questions[0] == question
    return {made.id.removeprefix(question.id): made for made in passage.questions[1:]}


def test_swapping_keeps_the_answers() -> None:
    swapped = made_from(ASKED)["-dc-event-switch"]
    assert swapped.text == (
        "Which happened first, a flood swept away the bridge or the Old Mill burned down?"
    )
    assert swapped.answers == ASKED.answers
    assert swapped.evidence == "1902;1881"
    assert swapped.augmented


def test_turning_the_order_round_takes_the_other_event_from_the_passage() -> None:
    asked = replace(ASKED, text=ASKED.text.replace("the bridge", "stone bridge"))
    made = made_from(asked)
    flipped, both = made["-dc-qop-switch"], made["-dc-event-switch-dc-qop-switch"]
    words = {"later", "last", "second"}
    assert flipped.text in {asked.text.replace("first", word) for word in words}
    assert flipped.answers == (GoldAnswer(spans=("flood swept away the stone bridge",)),)
    assert flipped.evidence == "1881;1902"
    assert both.text.startswith(flipped.text.partition(",")[0])
    assert both.text.endswith("or the Old Mill burned down?")
    assert (both.answers, both.evidence) == (flipped.answers, "1902;1881")


def test_an_event_the_passage_does_not_tell_cannot_be_an_answer() -> None:
    assert list(made_from(ASKED)) == ["-dc-event-switch"]


def test_later_turns_into_first_or_earlier() -> None:
    asked = replace(
        ASKED,
        text="What event happened later: the stone bridge or the old mill?",
        answers=(GoldAnswer(spans=("stone bridge",)),),
    )
    flipped = made_from(asked)["-dc-qop-switch"]
    assert flipped.text.split()[3] in {"first:", "earlier:"}
    assert flipped.answers == (GoldAnswer(spans=("Old Mill",)),)


@pytest.mark.parametrize(
    "question",
    [
        replace(ASKED, kind="number-compare"),
        replace(ASKED, kind=None),
        replace(ASKED, augmented=True),
        replace(ASKED, answers=()),
        replace(ASKED, answers=(GoldAnswer(spans=("an earthquake",)),)),
        replace(ASKED, text="Which happened first?"),
        replace(ASKED, text="Which happened first or last or never?"),
    ],
)
def test_other_questions_make_none(question: Question) -> None:
    assert made_from(question) == {}


def test_evidence_that_is_not_two_values_is_dropped() -> None:
    assert made_from(replace(ASKED, evidence="burned down"))["-dc-event-switch"].evidence == ""


def test_augmenting_again_makes_nothing_more() -> None:
    once = augment(Passage("p", TEXT, (ASKED, replace(ASKED, id="r"))))
    assert augment(once) == once


@pytest.mark.parametrize(
    ("question", "events"),
    [
        ("Which came first, the flood or the fire?", ("the flood", "the fire")),
        ("Which came first, the flood, or the fire ?", ("the flood", "the fire")),
        ("What happened later: flood or fire?", ("flood", "fire")),
        ("Which happened first the flood, or the fire?", ("the flood", "the fire")),
        ("Which event happened last - flood or fire", ("flood", "fire")),
        ("WHICH HAPPENED FIRST, FLOOD OR FIRE?", ("FLOOD", "FIRE")),
        ("Which came first 1,200 hens or the fair?", ("1,200 hens", "the fair")),
        ("Which happened, or not?", None),
        ("Flood or fire?", None),
        ("Which first, flood or ?", None),
    ],
)
def test_events_are_told_apart(question: str, events: tuple[str, str] | None) -> None:
    found = split_events(question)
    assert (found and found.texts) == events


@given(
    question=st.text() | st.builds("{} first, {} or {}?".format, st.text(), st.text(), st.text())
)
def test_swapping_twice_changes_nothing(question: str) -> None:
    events = split_events(question)
    if events is not None:
        (start, end), (next_start, next_end) = events.first, events.second
        assert 0 <= start < end <= next_start < next_end <= len(question)
        assert sorted(events.swapped()) == sorted(question)
    made = augment(Passage("p", question, (replace(ASKED, text=question),)))
    assert all(each.augmented for each in made.questions[1:])
