"""The words an encoder from scratch knows."""

import pytest

from workings.encoder.scratch import train_tokenizer

TEXTS = (
    "The Herons beat the Otters 31 to 7 in Dunport.",
    "Who beat the Otters?",
    "An otter swam the river, and seven herons saw it.",
)


def test_names_are_unknown_and_so_is_what_numbers_are_worth() -> None:
    words = train_tokenizer(TEXTS, 100)
    told = words.encode("The Otters beat Volmoor 12 to 3").tokens
    assert told == ["the", "[UNK]", "beat", "[UNK]", "00", "to", "0"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Thirty-one runs", "0000000000 runs"),
        ("a sixty-one-yard run", "a 000000000 - yard run"),
        ("a forty-yard run", "a 00000 - yard run"),
        ("ten-one or forty - one", "000 - 000 or 00000 - 000"),
        ("7-one and 7 one", "0 - 000 and 0 000"),
    ],
)
def test_a_number_in_words_is_one_piece_of_noughts(text: str, pieces: str) -> None:
    coded = train_tokenizer([text.lower()], 100).encode(text)
    assert coded.tokens == pieces.split()
    # A piece is as long as the text it stands for, so nothing after it is displaced.
    assert [end - start for start, end in coded.offsets] == [len(piece) for piece in coded.tokens]


@pytest.mark.parametrize("word", ["someone", "tennis", "often", "six7", "weighty", "oneself"])
def test_what_only_holds_a_number_is_a_word(word: str) -> None:
    assert train_tokenizer([word], 100).encode(word).tokens == [word.replace("7", "0")]


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert train_tokenizer(TEXTS, 100).encode("Herons").tokens == ["herons"]


def test_the_commonest_are_kept_and_ties_are_not_left_to_chance() -> None:
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = train_tokenizer(["b b a c", "c a d"], 7).get_vocab()
    assert sorted(words, key=lambda word: words[word]) == [*marks, "a", "b", "c"]


def test_every_word_has_its_place_in_the_text() -> None:
    text = "Did Volmoor pay 1,250?"
    coded = train_tokenizer(TEXTS, 100).encode(text)
    assert [text[a:b] for a, b in coded.offsets] == ["Did", "Volmoor", "pay", "1", ",", "250", "?"]
