"""NumGNN: the numbers of passage and question compare themselves with each other."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import one_hot
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.encoding import Encoding, Mentions
from workings.encoder.inputs import FEATURES, MentionTable, TokenizedText
from workings.values import Number, read_values

RELATIONS = 8  # (receiver asked?) x (sender asked?) x (sender greater?)


class Graph(NamedTuple):
    """Every number is a node; values enter by their order alone."""

    rank: Int[Tensor, "b n"]  # equal values share one
    asked: Bool[Tensor, "b n"]  # of the question, not of the passage
    mask: Bool[Tensor, "b n"]

    def edges(self) -> Float[Tensor, "b n n r"]:
        """[receiver, sender, relation]: the share of the sender in the receiver's mean."""
        greater = self.rank[:, None, :] > self.rank[:, :, None]
        pair = 2 * self.asked[:, :, None].long() + self.asked[:, None, :].long()
        others = ~torch.eye(self.mask.shape[1], dtype=torch.bool, device=self.mask.device)
        joined = self.mask[:, :, None] & self.mask[:, None, :] & others
        share = joined / joined.sum(-1, keepdim=True).clamp(min=1)
        return one_hot(2 * pair + greater, RELATIONS) * share[..., None]


class NumGNN(nn.Module):
    """Rounds of messages along typed edges; all rounds share their weights."""

    def __init__(self, width: int, steps: int) -> None:
        super().__init__()
        self.steps = steps
        self.gate = nn.Linear(width, 1)
        self.relate = nn.Linear(RELATIONS * width, width, bias=False)  # eight matrices in a row
        self.keep = nn.Linear(width, width)

    def forward(self, nodes: Float[Tensor, "b n d"], graph: Graph) -> Float[Tensor, "b n d"]:
        edges = graph.edges()
        for _ in range(self.steps):
            sent = torch.sigmoid(self.gate(nodes)) * nodes
            heard = torch.einsum("bijr,bjd->bird", edges, sent).flatten(2)
            nodes = torch.relu(self.keep(nodes) + self.relate(heard))
        return nodes


class QuestionNumbers(NamedTuple):
    """The numbers that the questions themselves name."""

    mentions: Mentions
    values: list[list[Fraction]]

    @staticmethod
    def read(questions: Sequence[TokenizedText], device: torch.device) -> "QuestionNumbers":
        found = [read_values(question.text).numbers for question in questions]
        tables = [_table(*one) for one in zip(questions, found, strict=True)]
        values = [[number.value for number in numbers] for numbers in found]
        return QuestionNumbers(Mentions.stack(tables, device), values)


def make_graph(encoding: Encoding, asked: QuestionNumbers) -> Graph:
    """The graph of a batch: the places of the passage's mentions, then the question's."""
    written = encoding.numbers.placed
    stated = [[n.value for n in one.values.numbers] for one in encoding.inputs]
    ranks = [_ranks(*both) for both in zip(stated, asked.values, strict=True)]
    rank = torch.cat(
        [_pad([r for r, _ in ranks], written.shape[1]), _pad([r for _, r in ranks])], 1
    )
    of_question = torch.arange(rank.shape[1]) >= written.shape[1]
    return Graph(
        rank.to(written.device),
        of_question.expand_as(rank).to(written.device),
        torch.cat([written, asked.mentions.mask], 1),
    )


def _ranks(stated: Sequence[Fraction], asked: Sequence[Fraction]) -> tuple[Tensor, Tensor]:
    places = {value: place for place, value in enumerate(sorted({*stated, *asked}))}
    first, second = ([places[value] for value in values] for values in (stated, asked))
    return torch.tensor(first, dtype=torch.long), torch.tensor(second, dtype=torch.long)


def _pad(rows: Sequence[Tensor], width: int = 0) -> Int[Tensor, "b k"]:
    padded = pad_sequence(list(rows), batch_first=True)
    return torch.nn.functional.pad(padded, (0, max(0, width - padded.shape[1])))


def _table(question: TokenizedText, numbers: Sequence[Number]) -> MentionTable:
    spans = [question.locate(number.start, number.end) for number in numbers]
    first, last = torch.tensor(spans, dtype=torch.long).reshape(-1, 2).T
    entry = torch.arange(len(spans))
    return MentionTable(first, last, entry, torch.zeros(len(spans), FEATURES))
