"""NAQANet's heads: a classifier of the answer type, and one head for each type of answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.ops.grounding import masked_softmax
from workings.ops.results import Span
from workings.peers.answer_targets import AnswerTargets
from workings.peers.signs import Operands, operands_of, signs_log_likelihood
from workings.settings import PeerSettings
from workings.values import CONSTANTS

TYPES = ("passage", "question", "signs", "count")
DEPTHS = 4  # encoder layers that the heads read: M0 to M3
_DROPOUT = 0.1

PassageLayers = Sequence[Float[Tensor, "b m d"]]  # token vectors of the passage, M0 to M3


@dataclass(frozen=True)
class HeadOutputs:
    """Log-probabilities of all heads for a batch.

    Attributes:
        types: Types of answer, in the order of ``TYPES``.
        passage: Spans of the passage, over the tokens of question and passage.
        question: Spans of the question, over the same tokens.
        labels: Labels of each number: unused, plus, minus.
        mask: Numbers that may be used.
        counts: Counts from 0.
        operands: Values of the numbers in each row.
        offset: Index of the first passage token in the spans.
    """

    types: Float[Tensor, "b 4"]
    passage: Span
    question: Span
    labels: Float[Tensor, "b k 3"]
    mask: Bool[Tensor, "b k"]
    counts: Float[Tensor, "b c"]
    operands: Sequence[Operands]
    offset: int

    def log_likelihood(self, targets: Sequence[AnswerTargets]) -> Float[Tensor, " r"]:
        """Sum the probability of all derivations, for the rows that have any.

        Args:
            targets: The derivations of each row's answer.

        Returns:
            The logarithm of the total probability of each row that has a derivation.
        """
        device = self.types.device
        counts = torch.tensor([target.count or 0 for target in targets], device=device)
        in_passage = [
            [(first + self.offset, last + self.offset) for first, last in target.passage]
            for target in targets
        ]
        by_type = [
            self.passage.log_likelihood(in_passage),
            self.question.log_likelihood([target.question for target in targets]),
            signs_log_likelihood(self.labels, self.mask, [target.signs for target in targets]),
            self.counts.gather(1, counts[:, None]).squeeze(1),
        ]
        available = torch.tensor([target.available for target in targets], device=device)
        joint = (self.types + torch.stack(by_type, -1)).masked_fill(~available, -torch.inf)
        return torch.logsumexp(joint[available.any(-1)], -1)


class Heads(nn.Module):
    """One small network for each type of answer, and a classifier of the type."""

    def __init__(self, width: int, settings: PeerSettings) -> None:
        super().__init__()
        self.settings = settings
        self.pool_passage, self.pool_question = nn.Linear(width, 1), nn.Linear(width, 1)
        self.answer_type = _mlp(2 * width, width, len(TYPES), _DROPOUT)
        self.passage_start = _mlp(2 * width, width, 1)
        self.passage_end = _mlp(2 * width, width, 1)
        self.question_start = _mlp(2 * width, width, 1)
        self.question_end = _mlp(2 * width, width, 1)
        self.count = _mlp(width, width, settings.largest_count + 1)
        self.sign = _mlp(3 * width, width, 3)
        self.constants = nn.Parameter(torch.randn(len(CONSTANTS), 2 * width) * 0.02)

    def forward(self, encoding: Encoding, layers: PassageLayers) -> HeadOutputs:
        """Apply all heads to a batch.

        Args:
            encoding: The batch.
            layers: Token vectors of the passage, M0 to M3.
        """
        m0, m1, m2, m3 = layers
        passage = _pool(self.pool_passage, m0, encoding.passage_mask)
        question = _pool(self.pool_question, encoding.question, encoding.question_mask)
        operands = [operands_of(row, self.settings.constants) for row in encoding.inputs]
        labels = self.sign(_append(self._number_vectors(encoding, m0, m3), passage))
        return HeadOutputs(
            types=self.answer_type(torch.cat([passage, question], -1)).log_softmax(-1),
            passage=self._passage_span(encoding, m0, m1, m2),
            question=self._question_span(encoding, passage),
            labels=labels.log_softmax(-1),
            mask=_operand_mask(operands, labels),
            counts=self.count(passage).log_softmax(-1),
            operands=operands,
            offset=encoding.question.shape[1],
        )

    def _passage_span(
        self,
        encoding: Encoding,
        m0: Float[Tensor, "b m d"],
        m1: Float[Tensor, "b m d"],
        m2: Float[Tensor, "b m d"],
    ) -> Span:
        scores = (
            self.passage_start(torch.cat([m0, m1], -1)),
            self.passage_end(torch.cat([m0, m2], -1)),
        )
        excluded = m0.new_full(encoding.question_mask.shape, -torch.inf)
        start, end = (
            torch.cat([excluded, _log_softmax(score, encoding.passage_mask)], 1) for score in scores
        )
        return Span(start, end)

    def _question_span(self, encoding: Encoding, passage: Float[Tensor, "b d"]) -> Span:
        tokens = _append(encoding.question, passage)
        scores = self.question_start(tokens), self.question_end(tokens)
        excluded = passage.new_full(encoding.passage_mask.shape, -torch.inf)
        start, end = (
            torch.cat([_log_softmax(score, encoding.question_mask), excluded], 1)
            for score in scores
        )
        return Span(start, end)

    def _number_vectors(
        self, encoding: Encoding, m0: Float[Tensor, "b m d"], m3: Float[Tensor, "b m d"]
    ) -> Float[Tensor, "b k dd"]:
        """One vector a number. Constants are not in the text, so theirs are learned."""
        mentions = encoding.numbers
        is_constant = (mentions.mask & ~mentions.placed).unsqueeze(-1)
        pooled = torch.cat([mentions.pool(m0), mentions.pool(m3)], -1)
        return pooled + self.constants[mentions.constant] * is_constant


def _mlp(inputs: int, hidden: int, outputs: int, dropout: float = 0.0) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, outputs)
    )


def _pool(
    scorer: nn.Linear, tokens: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]
) -> Float[Tensor, "b d"]:
    """Attention pooling."""
    weights = masked_softmax(scorer(tokens).squeeze(-1), mask)
    return (weights[:, None, :] @ tokens).squeeze(1)


def _append(
    vectors: Float[Tensor, "b t c"], row_vector: Float[Tensor, "b d"]
) -> Float[Tensor, "b t e"]:
    """Append the row's vector to every vector of the row."""
    return torch.cat([vectors, row_vector[:, None, :].expand(-1, vectors.shape[1], -1)], -1)


def _log_softmax(scores: Float[Tensor, "b t 1"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t"]:
    return scores.squeeze(-1).masked_fill(~mask, -torch.inf).log_softmax(-1)


def _operand_mask(
    operands: Sequence[Operands], labels: Float[Tensor, "b k 3"]
) -> Bool[Tensor, "b k"]:
    rows = [[mention in row for mention in range(labels.shape[1])] for row in operands]
    return torch.tensor(rows, device=labels.device)
