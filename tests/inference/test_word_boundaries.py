"""Tests of whole words around word pieces."""

from handmade import tokenize
from workings.encoder.inputs import TokenizedText
from workings.inference.word_boundaries import join_words, shown_span, true_runs, word_span


def test_word_span_covers_whole_words() -> None:
    tokens = TokenizedText("understanding it", (1, 2, 3, 4), ((0, 5), (5, 10), (10, 13), (14, 16)))
    assert word_span(tokens, 1, 1) == (0, 13)
    assert word_span(tokens, 1, 3) == (0, 16)
    assert word_span(tokens, 3, 3) == (14, 16)
    assert word_span(tokenize("24-yard run"), 0, 0) == (0, 2)


def test_word_span_includes_combining_accents() -> None:
    accented = "Hue\u0302\u0301 fell"  # no word piece covers the two accents
    assert word_span(TokenizedText(accented, (1, 2), ((0, 3), (6, 10))), 0, 0) == (0, 5)


def test_shown_span_keeps_a_number_whole() -> None:
    text = "Of 61,250 people 3.5% left, 24, not v1.2."
    tokens = tokenize(text)
    shown = {text[slice(*shown_span(tokens, token))] for token in range(len(tokens))}
    assert {"61,250", "3.5", "24", "people", "Of"} <= shown
    assert not {"61", "250", "3", "5"} & shown
    assert "24," not in shown


def test_true_runs() -> None:
    assert true_runs([True, True, False, True]) == [(0, 1), (3, 3)]
    assert true_runs([False]) == []


def test_join_words() -> None:
    text = "a 40-yard kick, Ada"
    assert join_words(text, [(2, 4), (5, 9), (16, 19)]) == [(2, 9), (16, 19)]
    assert join_words(text, [(14, 15), (16, 19)]) == [(14, 19)]
    assert join_words(text, [(0, 1), (14, 15)]) == [(0, 1)]
    assert join_words(text, [(14, 15)]) == [(14, 15)]
