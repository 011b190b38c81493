"""NAQANet's heads: what type of answer is asked for, and the likeliest answer of each type."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.ops.grounding import masked_softmax
from workings.ops.results import Span
from workings.peers.gold import Gold
from workings.peers.signs import Operands, operands_of, signs_log_likelihood
from workings.settings import PeerSettings
from workings.values import CONSTANTS

TYPES = ("passage", "question", "signs", "count")
DEPTHS = 4  # the layers read: M0 to M3
_DROPOUT = 0.1

Passages = Sequence[Float[Tensor, "b m d"]]  # a passage's token vectors at each depth


@dataclass(frozen=True)
class HeadOutputs:
    """What the heads say of a batch: log-probabilities throughout."""

    types: Float[Tensor, "b 4"]
    passage: Span  # over question then passage, as is the next
    question: Span
    labels: Float[Tensor, "b k 3"]  # of each number: unused, plus, minus
    mask: Bool[Tensor, "b k"]  # the numbers that may be used
    counts: Float[Tensor, "b c"]
    operands: Sequence[Operands]
    offset: int  # where the passage begins in the spans

    def log_likelihood(self, golds: Sequence[Gold]) -> Float[Tensor, " r"]:
        """log of the total probability of all derivations, for the rows that have any."""
        device = self.types.device
        counts = torch.tensor([gold.count or 0 for gold in golds], device=device)
        inside = [[(a + self.offset, b + self.offset) for a, b in gold.passage] for gold in golds]
        given = [
            self.passage.log_likelihood(inside),
            self.question.log_likelihood([gold.question for gold in golds]),
            signs_log_likelihood(self.labels, self.mask, [gold.signs for gold in golds]),
            self.counts.gather(1, counts[:, None]).squeeze(1),
        ]
        known = torch.tensor([gold.known for gold in golds], device=device)
        joint = (self.types + torch.stack(given, -1)).masked_fill(~known, -torch.inf)
        return torch.logsumexp(joint[known.any(-1)], -1)


class Heads(nn.Module):
    """One small network for each type of answer, and one that chooses between them."""

    def __init__(self, width: int, settings: PeerSettings) -> None:
        super().__init__()
        self.settings = settings
        self.pool_passage, self.pool_question = nn.Linear(width, 1), nn.Linear(width, 1)
        self.choose = _layers(2 * width, width, len(TYPES), _DROPOUT)
        self.first, self.last = _layers(2 * width, width, 1), _layers(2 * width, width, 1)
        self.asked_first = _layers(2 * width, width, 1)
        self.asked_last = _layers(2 * width, width, 1)
        self.count = _layers(width, width, settings.largest_count + 1)
        self.sign = _layers(3 * width, width, 3)
        self.constants = nn.Parameter(torch.randn(len(CONSTANTS), 2 * width) * 0.02)

    def forward(self, encoding: Encoding, passages: Passages) -> HeadOutputs:
        low, near, far, high = passages
        passage = _pool(self.pool_passage, low, encoding.passage_mask)
        question = _pool(self.pool_question, encoding.question, encoding.question_mask)
        operands = [operands_of(one, self.settings.constants) for one in encoding.inputs]
        said = self.sign(_beside(self._numbers(encoding, low, high), passage))
        return HeadOutputs(
            types=self.choose(torch.cat([passage, question], -1)).log_softmax(-1),
            passage=self._passage_span(encoding, low, near, far),
            question=self._question_span(encoding, passage),
            labels=said.log_softmax(-1),
            mask=_mask(operands, said),
            counts=self.count(passage).log_softmax(-1),
            operands=operands,
            offset=encoding.question.shape[1],
        )

    def _passage_span(self, encoding: Encoding, low: Tensor, near: Tensor, far: Tensor) -> Span:
        ends = self.first(torch.cat([low, near], -1)), self.last(torch.cat([low, far], -1))
        nowhere = low.new_full(encoding.question_mask.shape, -torch.inf)
        start, end = (
            torch.cat([nowhere, _log_softmax(end, encoding.passage_mask)], 1) for end in ends
        )
        return Span(start, end)

    def _question_span(self, encoding: Encoding, passage: Float[Tensor, "b d"]) -> Span:
        seen = _beside(encoding.question, passage)
        ends = self.asked_first(seen), self.asked_last(seen)
        nowhere = passage.new_full(encoding.passage_mask.shape, -torch.inf)
        start, end = (
            torch.cat([_log_softmax(end, encoding.question_mask), nowhere], 1) for end in ends
        )
        return Span(start, end)

    def _numbers(self, encoding: Encoding, low: Tensor, high: Tensor) -> Float[Tensor, "b k dd"]:
        """One vector a number; constants, which stand nowhere, have learned ones."""
        mentions = encoding.numbers
        absent = (mentions.mask & ~mentions.placed).unsqueeze(-1)
        written = torch.cat([mentions.pool(low), mentions.pool(high)], -1)
        return written + self.constants[mentions.constant] * absent


def _layers(inside: int, width: int, outside: int, dropout: float = 0.0) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inside, width), nn.ReLU(), nn.Dropout(dropout), nn.Linear(width, outside)
    )


def _pool(
    scorer: nn.Linear, tokens: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]
) -> Float[Tensor, "b d"]:
    weights = masked_softmax(scorer(tokens).squeeze(-1), mask)
    return (weights[:, None, :] @ tokens).squeeze(1)


def _beside(each: Float[Tensor, "b t c"], one: Float[Tensor, "b d"]) -> Float[Tensor, "b t e"]:
    """Each vector of a row with the row's one vector after it."""
    return torch.cat([each, one[:, None, :].expand(-1, each.shape[1], -1)], -1)


def _log_softmax(scores: Float[Tensor, "b t 1"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t"]:
    return scores.squeeze(-1).masked_fill(~mask, -torch.inf).log_softmax(-1)


def _mask(operands: Sequence[Operands], like: Float[Tensor, "b k 3"]) -> Bool[Tensor, "b k"]:
    rows = [[place in row for place in range(like.shape[1])] for row in operands]
    return torch.tensor(rows, device=like.device)
