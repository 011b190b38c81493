"""Tokenized texts, and the tables of a passage: mentions, dates, sentences and clauses."""

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


def test_tokens_have_character_offsets() -> None:
    tokens = TokenizedText.tokenize(PASSAGE, tiny_tokenizer(PASSAGE))
    assert len(tokens) == len(tokens.ids) == len(tokens.offsets)
    pieces = [PASSAGE[start:end] for start, end in tokens.offsets]
    assert pieces[:4] == ["Ada", "kicke", "d", "a"]
    assert "".join(pieces) == "".join(PASSAGE.split())


@pytest.mark.parametrize(
    ("text", "message"), [("", "empty"), ("  \n", "empty"), ("\u200b", "no readable words")]
)
def test_rejects_text_without_words(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        TokenizedText.tokenize(text, tiny_tokenizer(PASSAGE))


@given(st.text("ab .", min_size=1, max_size=30), st.data())
def test_locate_gives_the_tokens_that_overlap_a_span(text: str, data: st.DataObject) -> None:
    tokens = tokenize(text)
    if not len(tokens):
        return
    token = data.draw(st.sampled_from(tokens.offsets))
    start = data.draw(st.integers(0, token[1] - 1))
    end = data.draw(st.integers(max(start, token[0]) + 1, len(text)))
    overlapping = [i for i, (a, b) in enumerate(tokens.offsets) if a < end and b > start]
    assert tokens.locate(start, end) == (overlapping[0], overlapping[-1])


def test_locate_gives_all_tokens_of_one_character() -> None:
    tokens = TokenizedText("한 x", (1, 2, 3, 4), ((0, 1), (0, 1), (0, 1), (2, 3)))
    assert tokens.locate(0, 1) == (0, 2)
    assert tokens.locate(2, 3) == (3, 3)
    assert tokens.locate(3, 4) == (3, 3)  # past the end: the last token


def test_operands_are_the_sorted_numbers_and_constants() -> None:
    passage = passage_input(TEXT)
    operands = [0, 1, Fraction(7, 2), 7, 12, 40, 100, 1453, 1460]
    assert list(passage.operands.values) == operands


def test_number_mentions_cover_the_numbers() -> None:
    passage = passage_input(TEXT)
    table = passage.number_mentions
    count = len(passage.values.numbers)
    assert len(table.entry) == count + len(CONSTANTS)
    for number, first, last, entry in zip(
        passage.values.numbers,
        table.first.tolist(),
        table.last.tolist(),
        table.entry.tolist(),
        strict=False,
    ):
        offsets = passage.tokens.offsets
        assert offsets[first][0] <= number.start < number.end <= offsets[last][1]
        assert passage.operands.values[entry] == number.value
    assert table.first[count:].tolist() == [-1, -1, -1]
    assert table.last[count:].tolist() == [-1, -2, -3]
    constants = [passage.operands.values[entry] for entry in table.entry[count:].tolist()]
    assert constants == list(CONSTANTS)


def test_features_are_rank_magnitude_wholeness_and_unit() -> None:
    passage = passage_input(TEXT)
    features = passage.number_mentions.features
    assert features.shape[1] == FEATURES
    rows = {
        number.value: row
        for number, row in zip(passage.values.numbers, features.tolist(), strict=False)
    }
    assert rows[Fraction(40)][3:] == [1, 0, 0, 0]
    assert rows[Fraction(7, 2)][2:] == [0, 0, 1, 0, 0]
    assert rows[Fraction(1453)][3:] == [0, 0, 0, 1]
    assert rows[Fraction(12)][0] == pytest.approx(4 / 9)


def test_features_of_numbers_beyond_float_are_finite() -> None:
    passage = passage_input(f"It had 1{'0' * 400} grains.")
    assert bool(passage.number_mentions.features.isfinite().all())


def test_dates_years_and_their_order() -> None:
    passage = passage_input(TEXT)
    assert [(date.year, date.month, date.day) for date in passage.dates] == [
        (1453, 5, None),
        (None, 6, 7),
        (1460, None, None),
    ]
    assert list(passage.years.values) == [1453, 1460]
    assert passage.year_of_date.tolist() == [0, -1, 1]
    assert passage.date_ranks.tolist() == [1, 0, 2]


def test_sentences() -> None:
    passage = passage_input(TEXT)
    sentences, offsets = passage.sentences.tolist(), passage.tokens.offsets
    starts = [offsets[sentences.index(number)][0] for number in range(3)]
    assert [TEXT[start : start + 4] for start in starts] == ["In M", "Twel", "Peac"]
    assert sentences == sorted(sentences)


@pytest.mark.parametrize(
    ("text", "first_words"),
    [
        (
            "One came, and two left. Three sat, while four ate; five slept.",
            "One and Three while five",
        ),
        ("He sold one, two and three, then four, andirons, but no tongs.", "He then but"),
        ("Sand, wind and rain.", "Sand"),
    ],
)
def test_clauses(text: str, first_words: str) -> None:
    passage = PassageInput.from_text(text, tiny_tokenizer(text))
    clauses, offsets = passage.clauses.tolist(), passage.tokens.offsets
    starts = [offsets[clauses.index(number)][0] for number in range(clauses[-1] + 1)]
    assert [text[start:].split()[0].strip(",") for start in starts] == first_words.split()


def test_passage_without_values() -> None:
    passage = PassageInput.from_text("Nobody came", tiny_tokenizer("Nobody came"))
    assert passage.operands.values == CONSTANTS
    assert passage.date_mentions.features.shape == (0, FEATURES)
    assert passage.date_ranks.shape == (0,)
    assert passage.year_of_date.dtype == torch.long


def test_tables_are_cached_until_cleared() -> None:
    passage = passage_input(TEXT)
    operands, mentions = passage.operands, passage.number_mentions
    assert passage.operands is operands and passage.number_mentions is mentions
    passage.clear_cache()
    assert passage.operands is not operands and passage.number_mentions is not mentions
    assert passage.operands.values == operands.values
    assert torch.equal(passage.number_mentions.entry, mentions.entry)


def test_masked_words_lose_all_their_tokens() -> None:
    offsets = ((0, 4), (4, 5), (6, 10), (11, 15), (15, 16))
    tokens = TokenizedText("Orlan beat Orla.", (5, 6, 7, 5, 8), offsets)
    masked = tokens.mask_words({"orlan", "never"}, 99)
    assert masked.ids == (99, 99, 7, 5, 8)
    assert (masked.text, masked.offsets) == (tokens.text, tokens.offsets)
    assert tokens.mask_words((), 99) == tokens


def test_multiples_beside_small_numbers() -> None:
    passage = passage_input("Two long runs, a 3 % rise and 40 passes.")
    words = [passage.tokens.text[start:end] for start, end in passage.tokens.offsets]
    counted = dict(zip(words, passage.multiples.tolist(), strict=True))
    assert counted["Two"] == counted["long"] == counted["runs"] == 2
    assert counted["rise"] == counted["passes"] == 1  # a percentage; too large a number
