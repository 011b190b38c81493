"""Encoders from scratch: their tokenizer and their initial weights."""

import math

import pytest
import torch

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.scratch import scratch_encoder, train_tokenizer
from workings.settings import EncoderSettings

TEXTS = (
    "The Herons beat the Otters 31 to 7 in Dunport.",
    "Who beat the Otters?",
    "An otter swam the river, and seven herons saw it.",
)


def test_names_and_numbers_are_masked() -> None:
    tokens = train_tokenizer(TEXTS, 100).encode("The Otters beat Volmoor 12 to 3").tokens
    assert tokens == ["the", "[UNK]", "beat", "[UNK]", "00", "to", "0"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Thirty-one runs", "0000000000 runs"),
        ("a sixty-one-yard run", "a 000000000 - yard run"),
        ("a forty-yard run", "a 00000 - yard run"),
        ("ten-one or forty - one", "000 - 000 or 00000 - 000"),
        ("7-one and 7 one", "0 - 000 and 0 000"),
    ],
)
def test_number_in_words_is_one_token_of_zeros(text: str, tokens: str) -> None:
    encoded = train_tokenizer([text.lower()], 100).encode(text)
    assert encoded.tokens == tokens.split()
    # A token is as long as its text, so that the offsets of all later tokens are right.
    lengths = [end - start for start, end in encoded.offsets]
    assert lengths == [len(token) for token in encoded.tokens]


@pytest.mark.parametrize("word", ["someone", "tennis", "often", "six7", "weighty", "oneself"])
def test_words_that_contain_a_number_word_are_not_masked(word: str) -> None:
    assert train_tokenizer([word], 100).encode(word).tokens == [word.replace("7", "0")]


def test_word_that_occurs_in_lower_case_is_not_a_name() -> None:
    assert train_tokenizer(TEXTS, 100).encode("Herons").tokens == ["herons"]


def test_vocabulary_has_the_most_frequent_words_in_a_fixed_order() -> None:
    special_tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = train_tokenizer(["b b a c", "c a d"], 7).get_vocab()
    by_id = sorted(vocabulary, key=lambda word: vocabulary[word])
    assert by_id == [*special_tokens, "a", "b", "c"]


def test_tokens_have_the_offsets_of_the_text() -> None:
    text = "Did Volmoor pay 1,250?"
    offsets = train_tokenizer(TEXTS, 100).encode(text).offsets
    words = [text[start:end] for start, end in offsets]
    assert words == ["Did", "Volmoor", "pay", "1", ",", "250", "?"]


def test_encoder_has_the_sizes_of_the_settings() -> None:
    settings = EncoderSettings(source="scratch", width=64, heads=4, layers=3, vocabulary=100)
    torch.manual_seed(0)
    encoder, tokenizer = scratch_encoder(settings, TEXTS)
    assert (encoder.width, len(encoder.layers), encoder.positions) == (64, 3, 512)
    assert encoder.config.num_attention_heads == 4
    assert encoder.config.vocab_size == tokenizer.get_vocab_size()
    query = encoder.layers[0].get_parameter("attention.self.query.weight")
    assert abs(query.std().item() - 64**-0.5) < 0.005
    question = TokenizedText.tokenize("Who beat the Otters?", tokenizer)
    passage = PassageInput.from_text(TEXTS[0], tokenizer)
    assert encoder([question], [passage]).passage.shape == (1, len(passage), 64)


def test_positions_are_sinusoids() -> None:
    settings = EncoderSettings(source="scratch", width=64, heads=4, layers=1, vocabulary=100)
    encoder, _ = scratch_encoder(settings, TEXTS)
    positions = encoder.embeddings.position_embeddings.weight
    for position, pair in ((0, 0), (3, 0), (7, 5), (511, 31)):
        angle = position / 10_000 ** (2 * pair / 64)
        expected = torch.tensor([math.sin(angle), math.cos(angle)]) * 64**-0.5
        torch.testing.assert_close(positions[position, [pair, pair + 32]], expected)
