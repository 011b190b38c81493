"""Encodings made by hand: no transformer, known vectors, and noise wherever nothing may look."""

import re
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.encoding import Encoding, Mentions
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.modules import Context
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, Dates, Numbers
from workings.settings import ModuleSettings
from workings.values import read_values

# Stands in all padding: whatever reads it gives itself away.
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


def cut(text: str) -> TokenizedText:
    """One piece for each word or mark."""
    found = list(re.finditer(r"\w+|[^\w\s]", text))
    return TokenizedText(text, tuple(range(len(found))), tuple(match.span() for match in found))


def passage_input(text: str) -> PassageInput:
    return PassageInput(cut(text), read_values(text))


def encode(
    texts: Sequence[tuple[str, str]], width: int = 4, dtype: torch.dtype = torch.float64
) -> Encoding:
    """Question i over passage i; a row's vectors depend on that row alone."""
    questions = [cut(question) for question, _ in texts]
    inputs = [passage_input(passage) for _, passage in texts]
    asked = [_vectors(question, width).to(dtype) for question in questions]
    read = [_vectors(one.tokens, width).to(dtype) for one in inputs]
    return encoding_of(questions, inputs, asked, read)


def encoding_of(
    questions: Sequence[TokenizedText],
    inputs: Sequence[PassageInput],
    asked: Sequence[Tensor],
    read: Sequence[Tensor],
) -> Encoding:
    """An encoding with the given vectors."""
    numbers = Mentions.stack([one.number_mentions for one in inputs], CPU)
    dates = Mentions.stack([one.date_mentions for one in inputs], CPU)
    return Encoding(
        cls=torch.stack([vectors.mean(0) for vectors in asked]),
        question=pad_sequence(list(asked), batch_first=True, padding_value=NOISE),
        question_mask=_mask(asked),
        passage=pad_sequence(list(read), batch_first=True, padding_value=NOISE),
        passage_mask=_mask(read),
        numbers=replace(numbers, features=numbers.features.to(read[0])),
        dates=replace(dates, features=dates.features.to(read[0])),
        questions=questions,
        inputs=inputs,
    )


def _vectors(pieces: TokenizedText, width: int) -> Tensor:
    seed = sum(map(ord, pieces.text))
    return torch.randn(len(pieces), width, generator=torch.Generator().manual_seed(seed)).double()


def _mask(rows: Sequence[Tensor]) -> Tensor:
    return pad_sequence([torch.ones(len(row), dtype=torch.bool) for row in rows], True)


def uniform(mask: Tensor, dtype: torch.dtype = torch.float64) -> Tensor:
    """Evenly spread over what is not padding."""
    return mask.to(dtype) / mask.sum(-1, keepdim=True)


def spread(encoding: Encoding, seed: int = 0) -> Attention:
    """Some attention over passage and question, one each."""
    made = torch.Generator().manual_seed(seed)
    weights = []
    for mask in (encoding.passage_mask, encoding.question_mask):
        raw = torch.rand(mask.shape, generator=made).to(encoding.passage) * mask
        weights.append(raw / raw.sum(-1, keepdim=True))
    return Attention(*weights)


class Given(Groundings):
    """Groundings that give what they were given, in turn."""

    def __init__(self, *turns: Numbers | Dates, width: int = 4) -> None:
        super().__init__(width, ModuleSettings())
        self.turns = list(turns)

    def numbers(self, *_: object) -> Numbers:
        return self.turns.pop(0)  # type: ignore[return-value]

    def dates(self, *_: object) -> Dates:
        return self.turns.pop(0)  # type: ignore[return-value]


def context(
    encoding: Encoding, asked: Tensor | None = None, groundings: Groundings | None = None
) -> Context:
    """What a step sees; asked about the whole question unless told."""
    asked = uniform(encoding.question_mask, encoding.passage.dtype) if asked is None else asked
    return Context(
        encoding,
        asked,
        groundings or Groundings(encoding.passage.shape[-1], ModuleSettings()).to(asked),
    )


def zeroed(module: torch.nn.Module) -> torch.nn.Module:
    """The module in double precision with all its weights at nought."""
    for parameter in module.double().parameters():
        torch.nn.init.zeros_(parameter)
    return module
