"""Tests of quotations around a mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.inference.quotation import as_line, disjoint_spans, quoted_span

TURNOUT = "Turnout rose from 49 percent in 2019 to 58 percent in 2023."
GAME = (
    "Play began when Marden kicked a 24-yard field goal, and Quill ran. Later he added field "
    "goals of 41 and 33 yards."
)

STALLS = (
    "The cake stall took $864, the tombola $742 and the book stall $391, while others took none."
)


def quoted(text: str, mention: str) -> str:
    start = text.index(mention)
    return as_line(text, quoted_span(text, start, start + len(mention)))


@pytest.mark.parametrize(
    ("text", "mention", "expected"),
    [
        (TURNOUT, "49", "Turnout rose from 49 percent in 2019"),
        (TURNOUT, "58", "to 58 percent in 2023"),
        (GAME, "24", "Marden kicked a 24-yard field goal"),
        (GAME, "41", "Later he added field goals of 41"),
        (GAME, "33", "field goals of 41 and 33 yards"),
        ("It cost $3.50, and tea was free.", "3.50", "It cost $3.50"),
        ("The fee for adults is $3.50, not more.", "3.50", "The fee for adults is $3.50"),
        ("On 9 June 1871, the bridge opened.", "9 June 1871", "On 9 June 1871, the bridge opened"),
        (
            "Of them, 23.5% were under the age of 18, as before.",
            "23.5",
            "23.5% were under the age of 18",
        ),
        (
            "Lower Tarn had 48,210 people in 19,640 households.",
            "48,210",
            "Lower Tarn had 48,210 people",
        ),
        (
            "7,100 went to the mayor and 4,300 to her challenger.",
            "4,300",
            "4,300 to her challenger",
        ),
        (
            "The chair said that 48 of the 60 plots are let.",
            "48",
            "The chair said that 48 of the 60 plots are let",
        ),
        ("It rose from 9 °C on Monday to 17 °C on Friday.", "17", "to 17 °C on Friday"),
        ("It was 17 °C on Friday, while it blew.", "17", "It was 17 °C on Friday"),
        ("It had 1,204 in 1950, 987 in 1980 and 1,431 in 2020.", "1,431", "1,431 in 2020"),
        ("About 22% are under 18 and 31% are over 65.", "31", "31% are over 65"),
        ("About 22% are under 18 and 31% are over 65.", "22", "About 22% are under 18"),
        (
            "Dear parents, the first trip to the zoo takes place on Thursday, 22 May.",
            "22 May",
            "the zoo takes place on Thursday, 22 May",
        ),
        ("Open from Monday, 3 March, to Friday, 14 March.", "14 March", "to Friday, 14 March"),
        ("On Monday, Mrs. Lind paid 30 crowns.", "30", "On Monday, Mrs. Lind paid 30 crowns"),
        (
            "The first match of the clubs, in March 1923, drew 450 people.",
            "March 1923",
            "The first match of the clubs, in March 1923",
        ),
        (
            "30 homes were without power for six hours.",
            "30",
            "30 homes were without power for six hours",
        ),
    ],
)
def test_by_hand(text: str, mention: str, expected: str) -> None:
    assert quoted(text, mention) == expected


@given(st.text(alphabet='ab1 ,.;\n("', min_size=1, max_size=80), st.data())
def test_contains_the_mention_and_nothing_that_the_text_lacks(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quotation = as_line(text, quoted_span(text, start, end))
    assert " ".join(text[start:end].split()) in quotation
    assert quotation in " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "mentions", "expected"),
    [
        ("Goals came from Finch and Ola.", ["Finch", "Ola"], ["Goals came from Finch", "Ola"]),
        ("He ran 8 and 52 yards.", ["8", "52"], ["He ran 8", "52 yards"]),
        ("Boats leave at 13:00 and 17:45.", ["13", "17"], ["Boats leave at 13:00", "17:45"]),
        ("Ada sang. Ben sang.", ["Ada", "Ben"], ["Ada sang", "Ben sang"]),
        (
            "Keep bikes, prams and cars out.",
            ["bikes", "prams"],
            ["Keep bikes", "prams and cars out"],
        ),
    ],
)
def test_quotations_of_several_mentions_do_not_overlap(
    text: str, mentions: list[str], expected: list[str]
) -> None:
    places = [(text.index(mention), text.index(mention) + len(mention)) for mention in mentions]
    assert [as_line(text, span) for span in disjoint_spans(text, places)] == expected


def test_long_clause_is_cut() -> None:
    text = f"{'word ' * 5000}24 {'word ' * 5000}"
    assert quoted(text, "24") == "word word word word word 24 word word word word word word"
