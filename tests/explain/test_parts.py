"""Tests of moving places between parts of a passage and the whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.explain import Explanation
from workings.explain.explanation import Answer, Place, Share
from workings.explain.parts_read import JoinedParts, move_places, shown_parts
from workings.explain.wording import parts_sentence

TEXT = "0123456789abcdefghij"
PARTS = JoinedParts(TEXT, ((2, 5), (8, 12), (15, 20)), "--")


def place(start: int, end: int) -> Place:
    return Place(source="passage", start=start, end=end)


def test_joined_text() -> None:
    assert PARTS.text == "234--89ab--fghij"


@pytest.mark.parametrize(
    ("joined", "whole"),
    [
        ((0, 3), [(2, 5)]),
        ((1, 2), [(3, 4)]),
        ((5, 9), [(8, 12)]),
        ((11, 16), [(15, 20)]),
        ((2, 6), [(4, 5), (8, 9)]),  # from one part into the next
        ((0, 16), [(2, 5), (8, 12), (15, 20)]),
        ((3, 5), [(5, 5)]),  # the gap alone
    ],
)
def test_places_of_an_answer(joined: tuple[int, int], whole: list[tuple[int, int]]) -> None:
    answer = Answer(texts=("x",), places=(place(*joined),))
    moved = move_places(answer, PARTS._to_passage)
    assert moved.places == tuple(place(*pair) for pair in whole)
    assert moved.texts == ("x",)


def test_single_place_becomes_the_first() -> None:
    share = Share(text="x", weight=0.5, place=place(2, 6))
    assert move_places(share, PARTS._to_passage).place == place(4, 5)


def test_places_of_the_question_stay() -> None:
    share = Share(text="x", weight=0.5, place=Place(source="question", start=2, end=6))
    assert move_places(share, PARTS._to_passage) == share


@given(st.data())
def test_back_and_forth(data: st.DataObject) -> None:
    start, end = data.draw(st.sampled_from(PARTS.parts))
    first = data.draw(st.integers(start, end - 1))
    whole = place(first, data.draw(st.integers(first, end)))
    (joined,) = PARTS._to_joined(whole)
    assert PARTS.text[joined.start : joined.end] == TEXT[whole.start : whole.end]
    assert PARTS._to_passage(joined) == (whole,)


def test_explanation_of_parts(explanation: Explanation) -> None:
    text = explanation.passage
    before, between, after = "Before. " * 9, " Between. " * 7, " After." * 5
    cut = text.index("After the break")
    passage = before + text[:cut] + between + text[cut:] + after
    parts = (
        (len(before), len(before) + cut),
        (len(before) + cut + len(between), len(passage) - len(after)),
    )
    whole = JoinedParts(passage, parts, "").to_passage(explanation)
    assert whole.passage == passage
    assert whole.parts_read == tuple(place(*part) for part in parts)
    old, new = explanation.model_dump(), whole.model_dump()
    assert len(new["values"]) == len(old["values"])
    for value, moved in zip(explanation.values, whole.values, strict=True):
        assert whole.text_at(moved.place) == explanation.text_at(value.place)
    for step, moved_step in zip(explanation.steps, whole.steps, strict=True):
        for share, moved_share in zip(step.output.shares, moved_step.output.shares, strict=True):
            if share.place and not share.place.start < cut < share.place.end:
                assert whole.text_at(moved_share.place or share.place) == share.text
    assert Explanation.from_json(whole.to_json()) == whole


def test_view_shows_only_the_parts_read(explanation: Explanation) -> None:
    assert shown_parts(explanation) is explanation
    passage = f"{'x' * 5000} {explanation.passage} {'y' * 5000}"
    end = 5001 + len(explanation.passage)
    whole = JoinedParts(passage, ((5001, end),), "").to_passage(explanation)
    assert shown_parts(whole) == explanation


def test_sentence_about_the_parts_read(explanation: Explanation) -> None:
    assert parts_sentence(explanation) == ""
    changes = {"passage": "x" * 40_000, "parts_read": (place(0, 800), place(1200, 2000))}
    sentence = parts_sentence(explanation.model_copy(update=changes))
    assert sentence == "Read 4 % of the passage: the parts that match the question."


def test_answer_across_two_parts_has_an_ellipsis(explanation: Explanation) -> None:
    across = Answer(texts=("4--8", "9a"), places=(place(2, 6), place(6, 8)))
    empty = {"steps": (), "values": (), "equation": None, "alternatives": ()}
    joined = explanation.model_copy(update={"answer": across, "passage": PARTS.text, **empty})
    answer = PARTS.to_passage(joined).answer
    assert answer.texts == ("4 … 8", "9a")
    assert answer.places == (place(4, 5), place(8, 9), place(9, 11))
