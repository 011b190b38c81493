"""Texts as pieces: where values stand, and what a passage knows before it is read."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import passage_input, tokenize
from tiny import PASSAGE, tiny_tokenizer
from workings.encoder.inputs import FEATURES, PassageInput, TokenizedText
from workings.errors import InputError
from workings.values import CONSTANTS

TEXT = "In May 1453 it had 12 men (40% paid $3.50). Twelve left on 7 June! Peace came in 1460."


def test_pieces_know_their_characters() -> None:
    pieces = TokenizedText.tokenize(PASSAGE, tiny_tokenizer(PASSAGE))
    assert len(pieces) == len(pieces.ids) == len(pieces.offsets)
    words = [PASSAGE[start:end] for start, end in pieces.offsets]
    assert words[:4] == ["Ada", "kicke", "d", "a"]
    assert "".join(words) == "".join(PASSAGE.split())


@pytest.mark.parametrize("text", ["", "  \n", "\u200b"])
def test_nothing_to_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        TokenizedText.tokenize(text, tiny_tokenizer(PASSAGE))


@given(st.text("ab .", min_size=1, max_size=30), st.data())
def test_locate_gives_the_pieces_that_touch_a_span(text: str, data: st.DataObject) -> None:
    pieces = tokenize(text)
    if not len(pieces):
        return
    piece = data.draw(st.sampled_from(pieces.offsets))
    start = data.draw(st.integers(0, piece[1] - 1))
    end = data.draw(st.integers(max(start, piece[0]) + 1, len(text)))
    touching = [i for i, (a, b) in enumerate(pieces.offsets) if a < end and b > start]
    assert pieces.locate(start, end) == (touching[0], touching[-1])


def test_locate_takes_all_pieces_of_one_character() -> None:
    pieces = TokenizedText("한 x", (1, 2, 3, 4), ((0, 1), (0, 1), (0, 1), (2, 3)))
    assert pieces.locate(0, 1) == (0, 2)
    assert pieces.locate(2, 3) == (3, 3)
    assert pieces.locate(3, 4) == (3, 3)  # past the end: the last piece


def test_operands_are_numbers_and_constants_in_order() -> None:
    read = passage_input(TEXT)
    assert read.operands.values == tuple(
        map(Fraction, (0, 1, Fraction(7, 2), 7, 12, 40, 100, 1453, 1460))
    )


def test_number_mentions_stand_where_the_numbers_do() -> None:
    read = passage_input(TEXT)
    table = read.number_mentions
    numbers = len(read.values.numbers)
    assert len(table.entry) == numbers + len(CONSTANTS)
    for number, first, last, entry in zip(
        read.values.numbers,
        table.first.tolist(),
        table.last.tolist(),
        table.entry.tolist(),
        strict=False,
    ):
        offsets = read.tokens.offsets
        assert offsets[first][0] <= number.start < number.end <= offsets[last][1]
        assert read.operands.values[entry] == number.value
    assert table.first[numbers:].tolist() == [-1, -1, -1]
    assert table.last[numbers:].tolist() == [-1, -2, -3]
    assert [read.operands.values[e] for e in table.entry[numbers:].tolist()] == list(CONSTANTS)


def test_features_tell_rank_size_wholeness_and_unit() -> None:
    read = passage_input(TEXT)
    by_value = dict(zip(read.values.numbers, read.number_mentions.features.tolist(), strict=False))
    rows = {number.value: row for number, row in by_value.items()}
    assert read.number_mentions.features.shape[1] == FEATURES
    assert rows[Fraction(40)][3:] == [1, 0, 0, 0]
    assert rows[Fraction(7, 2)][2:] == [0, 0, 1, 0, 0]
    assert rows[Fraction(1453)][3:] == [0, 0, 0, 1]
    assert rows[Fraction(12)][0] == pytest.approx(4 / 9)


def test_numbers_beyond_floats_have_features_too() -> None:
    read = passage_input(f"It had 1{'0' * 400} grains.")
    assert bool(read.number_mentions.features.isfinite().all())


def test_dates_years_and_order() -> None:
    read = passage_input(TEXT)
    assert [(date.year, date.month, date.day) for date in read.dates] == [
        (1453, 5, None),
        (None, 6, 7),
        (1460, None, None),
    ]
    assert read.years.values == (1453, 1460)
    assert read.year_of_date.tolist() == [0, -1, 1]
    assert read.date_ranks.tolist() == [1, 0, 2]


def test_sentences() -> None:
    read = passage_input(TEXT)
    firsts = [read.sentences.tolist().index(number) for number in range(3)]
    assert [read.tokens.text[read.tokens.offsets[place][0] :][:4] for place in firsts] == [
        "In M",
        "Twel",
        "Peac",
    ]
    assert read.sentences.tolist() == sorted(read.sentences.tolist())


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (
            "One came, and two left. Three sat, while four ate; five slept.",
            "One and Three while five",
        ),
        ("He sold one, two and three, then four, andirons, but no tongs.", "He then but"),
        ("Sand, wind and rain.", "Sand"),
    ],
)
def test_clauses(text: str, starts: str) -> None:
    read = PassageInput.from_text(text, tiny_tokenizer(text))
    numbers = read.clauses.tolist()
    firsts = [read.tokens.offsets[numbers.index(number)][0] for number in range(numbers[-1] + 1)]
    assert [text[place:].split()[0].strip(",") for place in firsts] == starts.split()


def test_a_passage_without_values() -> None:
    read = PassageInput.from_text("Nobody came", tiny_tokenizer("Nobody came"))
    assert read.operands.values == CONSTANTS
    assert read.date_mentions.features.shape == (0, FEATURES)
    assert read.date_ranks.shape == (0,)
    assert read.year_of_date.dtype == torch.long


def test_hidden_words_lose_all_their_pieces_and_nothing_else() -> None:
    pieces = TokenizedText(
        "Orlan beat Orla.", (5, 6, 7, 5, 8), ((0, 4), (4, 5), (6, 10), (11, 15), (15, 16))
    )
    hidden = pieces.mask_words({"orlan", "never"}, 99)
    assert hidden.ids == (99, 99, 7, 5, 8)
    assert (hidden.text, hidden.offsets) == (pieces.text, pieces.offsets)
    assert pieces.mask_words((), 99) == pieces
