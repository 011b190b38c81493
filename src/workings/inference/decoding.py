"""Decode the result of a program's last step into the likeliest answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf
from typing import NamedTuple

import torch

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import TokenizedText
from workings.inference.rounding import rounded_result
from workings.inference.word_boundaries import (
    is_word_character,
    join_words,
    true_runs,
    word_span,
)
from workings.ops.results import Dates, Nothing, Numbers, Result, Span, Spans
from workings.ops.span_scores import following_tokens
from workings.values import format_number

# Length penalty per token where the two ends of a span are scored independently. It keeps a span
# from starting in one candidate and ending in another.
LENGTH_PENALTY = 0.1
# Number of spans considered where whole spans are scored.
_TOP_SPANS = 20
# A further place of the answer is reported if it has at least this share of the best place's score.
_MIN_PLACE_SHARE = 0.01
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Prediction:
    """The answer decoded from one result.

    Attributes:
        texts: The answer as text; several where the answer has several spans, none if there is
            nothing to answer with.
        probability: Probability of the answer, given that the program is right.
        value: The exact number, for numeric answers.
        places: Source ("passage" or "question") and character span of each place.
    """

    texts: tuple[str, ...]
    probability: float
    value: Fraction | None = None
    places: tuple[tuple[str, int, int], ...] = ()

    def __str__(self) -> str:
        return ", ".join(self.texts)


def decode(result: Result, encoding: Encoding, row: int) -> Prediction:
    """Return the likeliest answer of one row of a result.

    Args:
        result: The output of a program's last step.
        encoding: The batch that the program ran on.
        row: The question's row in the batch.
    """
    match result:
        case Numbers():
            return _decode_number(result, encoding, row)
        case Dates():
            return _decode_date(result, encoding, row)
        case Span():
            return _decode_span(result, encoding, row)
        case Spans():
            return _decode_spans(result, encoding, row)
        case Nothing():
            return Prediction((), float(result.weights[row]))
    raise AssertionError(f"{result.word} is not an answer type")


def normalised_words(text: str) -> str:
    """The words of a text without case, punctuation or spacing; equal phrases have equal words."""
    return " ".join(_WORD.findall(text.casefold())) or text


def _decode_number(result: Numbers, encoding: Encoding, row: int) -> Prediction:
    values = result.supports[row].values
    if not values:
        return Prediction((), 0.0)
    index = int(result.weights[row, : len(values)].argmax())
    value, probability = values[index], float(result.weights[row, index])
    if not probability:  # all results are undefined, as after a division by zero
        return Prediction((), 0.0)
    stated = {
        n.value for text in (encoding.inputs, encoding.questions) for n in text[row].values.numbers
    }
    return Prediction((format_number(rounded_result(value, stated)),), probability, value)


def _decode_date(result: Dates, encoding: Encoding, row: int) -> Prediction:
    dates = encoding.inputs[row].dates
    if not dates:
        return Prediction((), 0.0)
    index = int(result.weights[row, : len(dates)].argmax())
    return Prediction((str(dates[index]),), float(result.weights[row, index]))


class _ScoredSpan(NamedTuple):
    """A span at one place of the question or the passage."""

    score: float
    probability: float
    text: str
    place: tuple[str, int, int]


def _decode_span(result: Span, encoding: Encoding, row: int) -> Prediction:
    """Take the best phrase; equal phrases are summed over their places, as in training."""
    offset = encoding.question.shape[1]
    question, passage = encoding.questions[row], encoding.inputs[row].tokens
    by_words: dict[str, list[_ScoredSpan]] = {}
    for source, tokens, start in (("question", question, 0), ("passage", passage, offset)):
        for span in _likeliest_spans(result, row, source, tokens, start):
            by_words.setdefault(normalised_words(span.text), []).append(span)
    spans = max(by_words.values(), key=lambda same: sum(exp(span.score) for span in same))
    best = max(spans, key=lambda span: span.score)
    likely = [span for span in spans if span.probability >= _MIN_PLACE_SHARE * best.probability]
    places = dict.fromkeys(span.place for span in (best, *likely))
    probability = sum(span.probability for span in spans)
    return Prediction((_best_spelling(best, spans),), probability, places=tuple(places))


def _best_spelling(best: _ScoredSpan, spans: Sequence[_ScoredSpan]) -> str:
    """Prefer the passage's spelling of a phrase to the question's."""
    clean = [
        span
        for span in spans
        if span.place[0] == "passage"
        and span.text
        and is_word_character(span.text[0])
        and is_word_character(span.text[-1])
    ]
    if best.place[0] == "passage" or not clean:
        return best.text
    return max(clean, key=lambda span: span.score).text


def _likeliest_spans(
    result: Span, row: int, source: str, tokens: TokenizedText, offset: int
) -> Iterator[_ScoredSpan]:
    """Yield the likeliest spans of one text: one of them if both ends are scored independently."""
    part = slice(offset, offset + len(tokens))
    if result.phrases is not None:
        count, joint = _TOP_SPANS, result.phrases[row, part]
        scores = joint
    else:
        count = 1
        joint = result.start[row, part, None] + following_tokens(result.end[row, part], -inf)
        scores = joint - LENGTH_PENALTY * torch.arange(joint.shape[1], device=joint.device)
    best = scores.flatten().topk(min(count, scores.numel()))
    for score, index in zip(best.values.tolist(), best.indices.tolist(), strict=True):
        first, length = divmod(index, scores.shape[1])
        if first + length < len(tokens):
            start, end = word_span(tokens, first, first + length)
            probability = exp(float(joint[first, length]))
            yield _ScoredSpan(score, probability, tokens.text[start:end], (source, start, end))


def _decode_spans(result: Spans, encoding: Encoding, row: int) -> Prediction:
    tokens = encoding.inputs[row].tokens
    log_odds = result.inside[row, : len(tokens)]
    inside = (log_odds > 0) | (log_odds == log_odds.max())  # at least the likeliest token
    mask = torch.ones_like(inside)[None]
    probability = Spans(log_odds[None]).log_likelihood(inside[None], mask).exp()
    words = [word_span(tokens, first, last) for first, last in true_runs(inside.tolist())]
    spans = join_words(tokens.text, words)
    texts = tuple(dict.fromkeys(tokens.text[start:end] for start, end in spans))
    places = tuple(("passage", start, end) for start, end in spans)
    return Prediction(texts, float(probability), places=places)
