"""Encodings with known vectors, made without a transformer, and modules with fixed inputs.

All padding has the value NOISE, so that a module that reads padding gives a wrong result.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.encoding import Encoding, Mentions
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.modules import Context
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, Dates, Numbers, Timings
from workings.settings import ModuleSettings
from workings.values import read_values

NOISE = 7.0
CPU = torch.device("cpu")
PAPER = ModuleSettings(
    similarity="trilinear",
    find="tokens",
    filter="sentence",
    grounding="tokens",
    alpha_num=1.0,
    distance_bias=False,
    number_features=False,
    constants=False,
    count="gru",
    extreme="samples",
    difference="ordered",
    ties="drop",
    span="attention-only",
)


def tokenize(text: str) -> TokenizedText:
    """One token for each word or punctuation mark."""
    matches = list(re.finditer(r"\w+|[^\w\s]", text))
    return TokenizedText(text, tuple(range(len(matches))), tuple(match.span() for match in matches))


def passage_input(text: str) -> PassageInput:
    return PassageInput(tokenize(text), read_values(text))


def encode(
    texts: Sequence[tuple[str, str]], width: int = 4, dtype: torch.dtype = torch.float64
) -> Encoding:
    """Encode pairs of question and passage; the vectors of a text depend on that text alone."""
    questions = [tokenize(question) for question, _ in texts]
    inputs = [passage_input(passage) for _, passage in texts]
    question_vectors = [_vectors(question, width).to(dtype) for question in questions]
    passage_vectors = [_vectors(passage.tokens, width).to(dtype) for passage in inputs]
    return encoding_of(questions, inputs, question_vectors, passage_vectors)


def encoding_of(
    questions: Sequence[TokenizedText],
    inputs: Sequence[PassageInput],
    question_vectors: Sequence[Tensor],
    passage_vectors: Sequence[Tensor],
) -> Encoding:
    """An encoding with the given vectors."""
    numbers = Mentions.stack([passage.number_mentions for passage in inputs], CPU)
    dates = Mentions.stack([passage.date_mentions for passage in inputs], CPU)
    timings = Mentions.stack([passage.timing_mentions for passage in inputs], CPU)
    return Encoding(
        cls=torch.stack([vectors.mean(0) for vectors in question_vectors]),
        question=pad_sequence(list(question_vectors), batch_first=True, padding_value=NOISE),
        question_mask=_mask(question_vectors),
        passage=pad_sequence(list(passage_vectors), batch_first=True, padding_value=NOISE),
        passage_mask=_mask(passage_vectors),
        numbers=replace(numbers, features=numbers.features.to(passage_vectors[0])),
        dates=replace(dates, features=dates.features.to(passage_vectors[0])),
        timings=replace(timings, features=timings.features.to(passage_vectors[0])),
        questions=questions,
        inputs=inputs,
    )


def _vectors(tokens: TokenizedText, width: int) -> Tensor:
    seed = sum(map(ord, tokens.text))
    return torch.randn(len(tokens), width, generator=torch.Generator().manual_seed(seed)).double()


def _mask(rows: Sequence[Tensor]) -> Tensor:
    return pad_sequence([torch.ones(len(row), dtype=torch.bool) for row in rows], True)


def uniform(mask: Tensor, dtype: torch.dtype = torch.float64) -> Tensor:
    """The uniform distribution over what is not padding."""
    return mask.to(dtype) / mask.sum(-1, keepdim=True)


def random_attention(encoding: Encoding, seed: int = 0) -> Attention:
    """A random attention over passage and question, each with a sum of one."""
    generator = torch.Generator().manual_seed(seed)
    weights = []
    for mask in (encoding.passage_mask, encoding.question_mask):
        positive = torch.rand(mask.shape, generator=generator).to(encoding.passage) * mask
        weights.append(positive / positive.sum(-1, keepdim=True))
    return Attention(*weights)


class FixedGroundings(Groundings):
    """Groundings that return the given results, one per call."""

    def __init__(self, *results: Numbers | Dates | Timings, width: int = 4) -> None:
        super().__init__(width, ModuleSettings())
        self.results = list(results)

    def numbers(self, *_: object) -> Numbers:
        return self.results.pop(0)  # type: ignore[return-value]

    def dates(self, *_: object) -> Dates:
        return self.results.pop(0)  # type: ignore[return-value]

    def timings(self, *_: object) -> Timings:
        return self.results.pop(0)  # type: ignore[return-value]


def context(
    encoding: Encoding,
    question_attention: Tensor | None = None,
    groundings: Groundings | None = None,
) -> Context:
    """The context of a step; by default it attends to all words of the question alike."""
    if question_attention is None:
        question_attention = uniform(encoding.question_mask, encoding.passage.dtype)
    if groundings is None:
        width = encoding.passage.shape[-1]
        groundings = Groundings(width, ModuleSettings()).to(question_attention)
    return Context(encoding, question_attention, groundings)


M = TypeVar("M", bound=torch.nn.Module)


def with_zero_weights(module: M) -> M:
    """The module in double precision with all its weights set to zero."""
    for parameter in module.double().parameters():
        torch.nn.init.zeros_(parameter)
    return module
