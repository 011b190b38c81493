"""Searching a text for phrases and nearby words."""

from hypothesis import given
from hypothesis import strategies as st

from workings.supervision.text_search import SearchableText, shared_words


def find(text: str, phrase: str) -> list[str]:
    return [text[start:end] for start, end in SearchableText(text).find(phrase)]


def test_find_ignores_case_articles_and_punctuation() -> None:
    text = "The keeper of the Old Mill sold it. An old mill's worth; the Keeper of Old Mill left."
    assert find(text, "old mill") == ["Old Mill", "old mill", "Old Mill"]
    assert find(text, "The keeper of an old mill") == [
        "keeper of the Old Mill",
        "Keeper of Old Mill",
    ]
    assert find(text, "old mills") == []
    assert find(text, "") == []
    assert find("a 26-yard run for 1,250 yards", "26-yard") == ["26-yard"]
    assert find("a 26-yard run for 1,250 yards", "250") == []


def test_approximate_match_needs_most_words_together() -> None:
    text = "Orlin then hit a 30-yard and a short field goal. Later Tamm ran home."
    span = SearchableText(text).find_approximate("Tamm quickly ran home")
    assert span is not None
    assert text[slice(*span)] == "Tamm ran home"
    assert SearchableText(text).find_approximate("a quiet dark night") is None
    assert SearchableText("").find_approximate("anything") is None


def test_nearby_words_are_counted_once() -> None:
    text = SearchableText("goat goat cow " + "x " * 40 + "goat")
    counts = text.count_nearby({"goat", "cow"})
    assert counts[0] == 2
    assert counts[25] == 0
    assert counts[-2] == 1


def test_shared_words_count_repeats() -> None:
    assert shared_words("the siege of the fort", "The fort, the king") == 3


def test_cached_texts_are_shared() -> None:
    assert SearchableText.cached("Two goats.") is SearchableText.cached("Two goats.")


@given(st.text(max_size=80), st.text(max_size=10))
def test_spans_lie_in_the_text(text: str, phrase: str) -> None:
    for start, end in SearchableText(text).find(phrase):
        assert 0 <= start < end <= len(text)
