"""Splitting questions of the form "A or B?"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.alternatives import marked_alternatives, split_alternatives


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which came first, the flood or the fire?", ("the flood", "the fire")),
        ("Which came first, the flood, or the fire ?", ("the flood", "the fire")),
        ("What happened later: flood or fire?", ("flood", "fire")),
        ("Which happened first the flood, or the fire?", ("the flood", "the fire")),
        ("Which event happened last - flood or fire", ("flood", "fire")),
        ("WHICH HAPPENED FIRST, FLOOD OR FIRE?", ("FLOOD", "FIRE")),
        ("Which came first 1,200 hens or the fair?", ("1,200 hens", "the fair")),
        ("Which came first, an army of 1,200 or the fair?", ("an army of 1,200", "the fair")),
        ("Which came first, the second fire or the fair?", ("the second fire", "the fair")),
        ("Which came first, flood, fire and war or the fair?", ("flood, fire and war", "the fair")),
        ("In May, which came first: the flood or the fair?", ("the flood", "the fair")),
    ],
)
def test_marked_alternatives(question: str, texts: tuple[str, str]) -> None:
    found = marked_alternatives(question)
    assert found is not None
    assert found.texts == texts
    assert found == split_alternatives(question)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Were there more cows or goats?", ("Were there more cows", "goats")),
        ("Were there more cows, or goats?", ("Were there more cows", "goats")),
        ("Did they come first or last?", ("Did they come first", "last")),
        ("Flood or fire?", ("Flood", "fire")),
    ],
)
def test_unmarked_first_alternative_is_the_text_before_or(
    question: str, texts: tuple[str, str]
) -> None:
    found = split_alternatives(question)
    assert found is not None
    assert (found.texts, found.is_marked) == (texts, False)
    assert marked_alternatives(question) is None


@pytest.mark.parametrize(
    "question",
    ["How many cows?", "Cows or goats or hens?", "Which first, flood or ?", " or fire?", ""],
)
def test_no_alternatives(question: str) -> None:
    assert split_alternatives(question) is None


def test_swapped() -> None:
    found = split_alternatives("Which came first, the flood or the fire?")
    assert found is not None
    assert found.swapped() == "Which came first, the fire or the flood?"


@given(st.text() | st.builds("{} first, {} or {}?".format, st.text(), st.text(), st.text()))
def test_alternatives_are_two_separate_spans(question: str) -> None:
    found = split_alternatives(question)
    if found is not None:
        (start, end), (next_start, next_end) = found.first, found.second
        assert 0 <= start < end <= next_start < next_end <= len(question)
        assert sorted(found.swapped()) == sorted(question)
