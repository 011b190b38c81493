"""Tests of results converted into the weights of words and values."""

from fractions import Fraction

import pytest
import torch

from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.result_weights import MAX_VALUES, MIN_WEIGHT, RowTexts, to_weights
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans, TokenProbabilities
from workings.reader import Reader

TEXT = "Okafor kicked 24-yard goals on 3 May 1901 and in 1936."


@pytest.fixture(scope="module")
def texts(reader: Reader) -> RowTexts:
    tokenizer = reader.network.tokenizer
    question = TokenizedText.tokenize("Who kicked?", tokenizer)
    passage = PassageInput.from_text(TEXT, tokenizer)
    with torch.inference_mode():
        return RowTexts(reader.network.encoder([question], [passage]), 0)


def word_weights(texts: RowTexts, result: Result) -> dict[str, float]:
    return {share.text: share.weight for share in to_weights(result, texts).shares}


def token_weights(texts: RowTexts, **words: float) -> torch.Tensor:
    """A row of token weights; the weight of a word is spread evenly over its tokens."""
    tokens = texts.input.tokens
    row = torch.zeros(1, len(tokens))
    for word, weight in words.items():
        start = TEXT.index(word)
        first, last = tokens.locate(start, start + len(word))
        row[0, first : last + 1] = weight / (last - first + 1)
    return row


def test_text_has_a_word_of_several_tokens(texts: RowTexts) -> None:
    first, last = texts.input.tokens.locate(0, len("Okafor"))
    assert last > first


def test_weight_of_a_word_is_the_sum_of_its_tokens(texts: RowTexts) -> None:
    row = token_weights(texts, Okafor=0.6, goals=0.3)
    weights = to_weights(Attention(row, torch.zeros(1, 3)), texts)
    assert [share.text for share in weights.shares] == ["Okafor", "goals"]
    assert [share.weight for share in weights.shares] == pytest.approx([0.6, 0.3])
    assert weights.other == 0
    assert weights.nothing == pytest.approx(0.1)


def test_small_weights_are_summed_as_other(texts: RowTexts) -> None:
    row = token_weights(texts, Okafor=1 - MIN_WEIGHT / 2, goals=MIN_WEIGHT / 2)
    weights = to_weights(Attention(row, torch.zeros(1, 3)), texts)
    assert [share.text for share in weights.shares] == ["Okafor"]
    assert weights.other == pytest.approx(MIN_WEIGHT / 2, rel=1e-2)


def test_probabilities_are_summed_and_spans_take_the_maximum(texts: RowTexts) -> None:
    row = token_weights(texts, Okafor=1.2, kicked=0.8)
    assert word_weights(texts, TokenProbabilities(row)) == pytest.approx(
        {"Okafor": 1.2, "kicked": 0.8}
    )
    odds = torch.full_like(row, -20.0)
    odds[0, 0] = 20.0
    assert word_weights(texts, Spans(odds)) == pytest.approx({"Okafor": 1.0}, abs=1e-4)


def test_numbers_list_the_likeliest_values(texts: RowTexts) -> None:
    support = Support(tuple(Fraction(numerator, 3) for numerator in range(12)))
    tensor = torch.linspace(0.01, 0.12, 12)[None]  # sums to 0.78
    weights = to_weights(Numbers(tensor, [support]), texts)
    labels = [share.text for share in weights.shares]
    assert labels == ["11/3", "10/3", "3", "8/3", "7/3", "2", "5/3", "4/3"]
    assert len(labels) == MAX_VALUES
    assert weights.other == pytest.approx(0.01 + 0.02 + 0.03 + 0.04)
    assert weights.nothing == pytest.approx(0.22)


def test_dates(texts: RowTexts) -> None:
    weights = to_weights(Dates(torch.tensor([[0.25, 0.75]])), texts)
    assert [(share.text, share.weight) for share in weights.shares] == [
        ("1936", 0.75),
        ("3 May 1901", 0.25),
    ]


def test_no_values(texts: RowTexts) -> None:
    weights = to_weights(Numbers(torch.zeros(1, 0), [Support(())]), texts)
    assert (weights.shares, weights.nothing) == ((), 1.0)


def test_span_has_the_decoded_words(texts: RowTexts) -> None:
    offset = texts.encoding.question.shape[1]
    length = offset + len(texts.input.tokens)
    start, end = torch.full((2, 1, length), -20.0)
    first, _ = texts.input.tokens.locate(0, 6)
    _, last = texts.input.tokens.locate(7, 13)
    start[0, offset + first], end[0, offset + last] = torch.tensor([0.5, 0.8]).log()
    assert word_weights(texts, Span(start, end)) == pytest.approx({"Okafor kicked": 0.4})


def test_number_with_a_comma_is_one_word(reader: Reader) -> None:
    tokenizer = reader.network.tokenizer
    question = TokenizedText.tokenize("Who?", tokenizer)
    passage = PassageInput.from_text("It has 61,250 people.", tokenizer)
    with torch.inference_mode():
        texts = RowTexts(reader.network.encoder([question], [passage]), 0)
    row = torch.zeros(1, len(passage))
    first, last = passage.tokens.locate(7, 13)
    assert last > first
    row[0, first : last + 1] = 1 / (last - first + 1)
    (share,) = to_weights(Attention(row, torch.zeros(1, 2)), texts).shares
    assert share.text == "61,250"
    assert share.weight == pytest.approx(1)
