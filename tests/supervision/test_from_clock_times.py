"""Derivations of hours, minutes and seconds from clock times and durations."""

import pytest

from workings.data.records import GoldAnswer, Passage, Question
from workings.supervision.derivation import Derivation
from workings.supervision.from_clock_times import asked_unit
from workings.supervision.supervise import supervise
from workings.values import read_values

TEXT = (
    "The ferry left at 21:50 and came in at 0:35. The office is open from 9:15 to 12:00 and, "
    "after lunch, from 13:30 to 17:00. Ada ran the lap in 3:33.6 and Ben in 3:31.2. The film lasts "
    "2 h 26 min with a break of 20 minutes. The play is over in 95 minutes."
)


def derive(question: str, answer: str, evidence: str) -> tuple[Derivation, ...]:
    asked = Question(
        "q", question, (GoldAnswer(number=answer),), evidence=evidence, type="duration"
    )
    return supervise(Passage("p", TEXT, (asked,)), asked, read_values(TEXT)).derivations


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "program", "found"),
    [
        (
            "How many minutes did the ferry take?", "165", "21:50 to 00:35",
            "minutes-diff(find)", [("0:35", "21:50")],
        ),
        (
            "For how many hours is the office open in the morning?", "2.75", "9.15 to 12",
            "hours-diff(find)", [("12:00", "9:15")],
        ),
        (
            "How many minutes after noon did the ferry leave?", "590", "noon to 21:50",
            "minutes-diff(find, find)", [("12:00",), ("21:50",)],
        ),
        (
            "By how many seconds did Ben beat Ada?", "2.4", "3:33.6 - 3:31.2",
            "seconds-diff(find, find)", [("3 min 31.2 s",), ("3 min 33.6 s",)],
        ),
        (
            "By how many seconds was Ada slower than Ben?", "2.4", "3:33.6 - 3:31.2",
            "seconds-diff(find, find)", [("3 min 33.6 s",), ("3 min 31.2 s",)],
        ),
        (
            "How long is the film, in minutes?", "146", "2 h 26 min = 146 minutes",
            "in-minutes(find)", [("2 h 26 min",)],
        ),
        (
            "How long is the film without its break, in minutes?", "126", "2 h 26 min - 20 min",
            "minutes-diff(find, find)", [("2 h 26 min",), ("20 min",)],
        ),
        (
            "How long are film and break together, in minutes?", "166", "2 h 26 min + 20 min",
            "add(in-minutes(find), in-minutes(find))", [("2 h 26 min",), ("20 min",)],
        ),
        (
            "How many hours a day is the office open?", "6.25", "9:15 to 12:00 and 13:30 to 17:00",
            "add(hours-diff(find), hours-diff(find))", [("12:00", "9:15"), ("17:00", "13:30")],
        ),
        (
            "How many minutes are the office hours in the afternoon, without a break?", "190",
            "13:30 to 17:00 less 20 minutes",
            "sub(minutes-diff(find), in-minutes(find))", [("17:00", "13:30"), ("20 min",)],
        ),
        ("How long is the play, in minutes?", "95", "95 minutes", "find-num(find)", []),
    ],
)  # fmt: skip
def test_derivation(
    question: str, answer: str, evidence: str, program: str, found: list[tuple[str, ...]]
) -> None:
    (derivation,) = derive(question, answer, evidence)
    assert derivation.program == program
    assert derivation.from_evidence
    targets = [tuple(map(str, t.timings)) for t in derivation.targets if t.timings]
    assert targets == found


@pytest.mark.parametrize(
    ("question", "answer", "evidence"),
    [
        ("How many minutes did the ferry take?", "166", "21:50 to 00:35"),
        ("How long did it take?", "165", "21:50 to 00:35"),
        ("How many minutes did it take?", "40", "1:20 to 2:00"),
    ],
)
def test_no_derivation(question: str, answer: str, evidence: str) -> None:
    assert derive(question, answer, evidence) == ()


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How long did it last, in minutes?", "minutes"),
        ("For how many full hours was it shut?", "hours"),
        ("For what number of seconds?", "seconds"),
        ("How many hours and minutes, expressed in minutes, passed?", "minutes"),
        ("How many minutes' gap is there?", "minutes"),
        ("How long did it last?", None),
        ("How many months did it last?", None),
    ],
)
def test_asked_unit(question: str, unit: str | None) -> None:
    assert asked_unit(question) == unit
