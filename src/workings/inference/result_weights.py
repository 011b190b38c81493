"""Convert one row of a result tensor into the weights of words and values."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import TokenizedText
from workings.explain.explanation import Place, Share, Source, Weights
from workings.inference.decoding import decode
from workings.inference.word_boundaries import shown_span
from workings.ops.results import (
    Attention,
    Dates,
    Nothing,
    Numbers,
    Result,
    Span,
    Spans,
    Timings,
    TokenProbabilities,
)
from workings.values import format_exact

T = TypeVar("T")

# Words and values below this weight are not listed; their weights are summed as "other".
MIN_WEIGHT = 0.001
# At most this many values are listed.
MAX_VALUES = 8
_DIGITS = 6


class WordWeights:
    """The words and whole numbers of a text, each of one or more word pieces."""

    def __init__(self, source: Source, tokens: TokenizedText) -> None:
        self.text, self.source = tokens.text, source
        spans = [shown_span(tokens, index) for index in range(len(tokens))]
        word_index = {span: index for index, span in enumerate(dict.fromkeys(spans))}
        self.words = list(word_index)
        self.word_of_token = torch.tensor([word_index[span] for span in spans])

    def total(self, weights: Tensor) -> Tensor:
        """Sum the weights of each word's tokens."""
        return self._reduce(weights, "sum")

    def highest(self, weights: Tensor) -> Tensor:
        """Take the highest weight among each word's tokens."""
        return self._reduce(weights, "amax")

    def _reduce(self, weights: Tensor, reduction: str) -> Tensor:
        token_weights = weights.detach().double().cpu()[: len(self.word_of_token)]
        words = torch.zeros(len(self.words), dtype=torch.double)
        return words.scatter_reduce(0, self.word_of_token, token_weights, reduction)

    def shares(self, words: Tensor) -> list[Share]:
        """List the words with at least the minimum weight, in text order."""
        listed = (words >= MIN_WEIGHT).nonzero()[:, 0].tolist()
        return [self._share(index, float(words[index])) for index in listed]

    def _share(self, index: int, weight: float) -> Share:
        start, end = self.words[index]
        place = Place(source=self.source, start=start, end=end)
        return Share(text=self.text[start:end], weight=round(weight, _DIGITS), place=place)


class RowTexts:
    """The question and the passage of one row of an encoding."""

    def __init__(self, encoding: Encoding, row: int) -> None:
        self.encoding, self.row = encoding, row
        self.input = encoding.inputs[row]
        self.passage = WordWeights("passage", self.input.tokens)
        self.question = WordWeights("question", encoding.questions[row])


def to_weights(result: Result, texts: RowTexts) -> Weights:
    """Convert one row of a result of any type.

    Args:
        result: The output of a step, for a whole batch.
        texts: The texts of the row.
    """
    match result:
        case Attention():
            return attention_weights(result.word, texts.passage, result.passage[texts.row])
        case TokenProbabilities():
            words = texts.passage.total(result.passage[texts.row])
            return _separate_weights(result.word, texts.passage, words)
        case Spans():
            words = texts.passage.highest(torch.sigmoid(result.inside[texts.row]))
            return _separate_weights(result.word, texts.passage, words)
        case Numbers():
            values = result.supports[texts.row].values
            return _value_weights(result.word, values, format_exact, result.weights[texts.row])
        case Dates():
            return _value_weights(result.word, texts.input.dates, str, result.weights[texts.row])
        case Timings():
            timings = texts.input.timings
            return _value_weights(result.word, timings, str, result.weights[texts.row])
        case Span():
            return _span_weights(result, texts)
        case Nothing():
            stated = float(result.weights[texts.row])
            return Weights(kind=result.word, shares=(), nothing=stated, other=1 - stated)
    raise AssertionError(f"{result.word} has no weights to show")


def attention_weights(kind: str, words: WordWeights, weights: Tensor) -> Weights:
    """Convert an attention over the tokens of one text."""
    total = words.total(weights)
    return _distribution(kind, words.shares(total), float(total.sum()))


def end_weights(kind: str, log_probabilities: Tensor, texts: RowTexts) -> Weights:
    """Convert a distribution over the tokens of question and passage together."""
    weights, offset = log_probabilities.exp(), texts.encoding.question.shape[1]
    question, passage = texts.question.total(weights), texts.passage.total(weights[offset:])
    shares = texts.question.shares(question) + texts.passage.shares(passage)
    return _distribution(kind, shares, float(question.sum() + passage.sum()))


def _separate_weights(kind: str, words: WordWeights, weights: Tensor) -> Weights:
    """Each word has a probability of its own, so the weights need not sum to one."""
    shares = words.shares(weights)
    other = float(weights.sum()) - sum(share.weight for share in shares)
    return Weights(kind=kind, shares=tuple(shares), other=max(other, 0.0))


def _value_weights(
    kind: str, values: Sequence[T], label: Callable[[T], str], weights: Tensor
) -> Weights:
    value_weights = weights.detach().double().cpu()[: len(values)]
    best = value_weights.topk(min(MAX_VALUES, len(values)))
    shares = [
        Share(text=label(values[index]), weight=round(weight, _DIGITS))
        for weight, index in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        if weight >= MIN_WEIGHT
    ]
    return _distribution(kind, shares, float(value_weights.sum()))


def _span_weights(result: Span, texts: RowTexts) -> Weights:
    """The span that ``decode`` chooses, with its probability."""
    answer = decode(result, texts.encoding, texts.row)
    weight = round(min(answer.probability, 1.0), _DIGITS)
    source, start, end = answer.places[0]
    place = Place.model_validate({"source": source, "start": start, "end": end})
    shares = [Share(text=answer.texts[0], weight=weight, place=place)]
    return _distribution(result.word, shares, 1.0)


def _distribution(kind: str, shares: Sequence[Share], total: float) -> Weights:
    """A distribution; ``other`` is its unlisted weight, ``nothing`` what it lacks to sum to one."""
    listed = sum(share.weight for share in shares)
    return Weights(
        kind=kind,
        shares=tuple(shares),
        other=round(max(total - listed, 0.0), _DIGITS),
        nothing=round(max(1.0 - max(total, listed), 0.0), _DIGITS),
    )
