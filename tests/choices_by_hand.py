"""Steps with known weights, for tests of what explanations choose from them."""

from collections.abc import Sequence
from fractions import Fraction

import torch

from handmade import encode
from workings.arithmetic.support import Support
from workings.encoder.encoding import Encoding
from workings.network.interpreter import Step
from workings.ops.distinct import MentionWeights
from workings.ops.results import (
    Attention,
    Dates,
    Numbers,
    Result,
    StepDetails,
    TokenProbabilities,
)
from workings.program import Program


def batch(passage: str, question: str = "How many?") -> Encoding:
    """A batch of one question."""
    return encode([(question, passage)])


def step(program: str, output: Result, *inputs: Step, details: StepDetails | None = None) -> Step:
    """A step of one row; its question attention is not used."""
    return Step(Program.parse(program), torch.ones(1, 1), inputs, output, details or StepDetails())


def attention(encoding: Encoding) -> Attention:
    return Attention(torch.zeros(encoding.passage.shape[:2]), torch.zeros(1, 1))


def number_mentions(encoding: Encoding, weights: Sequence[float]) -> Numbers:
    """Numbers with a weight for each mention of the passage; constants have none."""
    passage = encoding.inputs[0]
    entry = passage.number_mentions.entry
    by_mention = torch.tensor([*weights, *[0.0] * (len(entry) - len(weights))])
    by_value = torch.zeros(len(passage.operands)).scatter_add(0, entry, by_mention)
    mentions = MentionWeights(by_mention[None], entry[None], torch.arange(len(entry))[None])
    return Numbers(by_value[None], [passage.operands], mentions)


def date_mentions(encoding: Encoding, weights: Sequence[float]) -> Dates:
    """Dates with a weight for each mention of the passage."""
    passage = encoding.inputs[0]
    entry, by_mention = passage.date_mentions.entry, torch.tensor(list(weights))
    by_date = torch.zeros(len(passage.dates)).scatter_add(0, entry, by_mention)
    return Dates(
        by_date[None], MentionWeights(by_mention[None], entry[None], torch.arange(len(entry))[None])
    )


def find_num(encoding: Encoding, weights: Sequence[float]) -> Step:
    """A find-num with a weight for each mention of the passage."""
    found = step("find", attention(encoding))
    return step("find-num(find)", number_mentions(encoding, weights), found)


def certain(value: int | str) -> Numbers:
    """A number that is known."""
    return Numbers(torch.ones(1, 1), [Support((Fraction(value),))])


def candidates(encoding: Encoding, weights: Sequence[float]) -> TokenProbabilities:
    """Probabilities of the number mentions, on their first tokens."""
    passage = encoding.inputs[0]
    row = torch.zeros(1, len(passage))
    for number, weight in zip(passage.values.numbers, weights, strict=True):
        row[0, passage.tokens.locate(number.start, number.end)[0]] = weight
    return TokenProbabilities(row)
