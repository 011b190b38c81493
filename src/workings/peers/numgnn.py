"""NumGNN: a graph network that compares the numbers of passage and question."""

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

RELATIONS = 8  # receiver in the question? x sender in the question? x sender greater?


class Graph(NamedTuple):
    """A graph with one node for each mention of a number.

    Attributes:
        rank: Rank of the node's value; equal values have equal ranks.
        in_question: Whether the node is a number of the question.
        mask: Nodes that exist.
    """

    rank: Int[Tensor, "b n"]
    in_question: Bool[Tensor, "b n"]
    mask: Bool[Tensor, "b n"]

    def edges(self) -> Float[Tensor, "b n n r"]:
        """The weight of each edge by [receiver, sender, relation].

        The weights of all edges to one receiver sum to one, so that messages are averaged.
        """
        greater = self.rank[:, None, :] > self.rank[:, :, None]
        pair = 2 * self.in_question[:, :, None].long() + self.in_question[:, None, :].long()
        others = ~torch.eye(self.mask.shape[1], dtype=torch.bool, device=self.mask.device)
        connected = self.mask[:, :, None] & self.mask[:, None, :] & others
        weight = connected / connected.sum(-1, keepdim=True).clamp(min=1)
        return one_hot(2 * pair + greater, RELATIONS) * weight[..., None]


class NumGNN(nn.Module):
    """Message passing along typed edges; all rounds share their weights."""

    def __init__(self, width: int, steps: int) -> None:
        super().__init__()
        self.steps = steps
        self.gate = nn.Linear(width, 1)
        self.relations = nn.Linear(RELATIONS * width, width, bias=False)  # one matrix a relation
        self.own = nn.Linear(width, width)

    def forward(self, nodes: Float[Tensor, "b n d"], graph: Graph) -> Float[Tensor, "b n d"]:
        """Update the node vectors.

        Args:
            nodes: The initial vectors.
            graph: The graph.
        """
        edges = graph.edges()
        for _ in range(self.steps):
            messages = torch.sigmoid(self.gate(nodes)) * nodes
            received = torch.einsum("bijr,bjd->bird", edges, messages).flatten(2)
            nodes = torch.relu(self.own(nodes) + self.relations(received))
        return nodes


class QuestionNumbers(NamedTuple):
    """The numbers in the questions of a batch.

    Attributes:
        mentions: Where they are.
        values: Their values, by question.
    """

    mentions: Mentions
    values: list[list[Fraction]]

    @staticmethod
    def read(questions: Sequence[TokenizedText], device: torch.device) -> "QuestionNumbers":
        """Read the numbers from the text of each question."""
        numbers = [read_values(question.text).numbers for question in questions]
        tables = [_mention_table(*row) for row in zip(questions, numbers, strict=True)]
        values = [[number.value for number in row] for row in numbers]
        return QuestionNumbers(Mentions.stack(tables, device), values)


def make_graph(encoding: Encoding, question_numbers: QuestionNumbers) -> Graph:
    """Build the graph of a batch: the numbers of the passage, then those of the question."""
    placed = encoding.numbers.placed
    passage_values = [[n.value for n in row.values.numbers] for row in encoding.inputs]
    ranks = [_ranks(*row) for row in zip(passage_values, question_numbers.values, strict=True)]
    in_passage = _pad([passage for passage, _ in ranks], placed.shape[1])
    rank = torch.cat([in_passage, _pad([question for _, question in ranks])], 1)
    in_question = torch.arange(rank.shape[1]) >= placed.shape[1]
    return Graph(
        rank.to(placed.device),
        in_question.expand_as(rank).to(placed.device),
        torch.cat([placed, question_numbers.mentions.mask], 1),
    )


def _ranks(passage: Sequence[Fraction], question: Sequence[Fraction]) -> tuple[Tensor, Tensor]:
    """The ranks of the values among all distinct values of both texts."""
    rank = {value: index for index, value in enumerate(sorted({*passage, *question}))}
    first, second = ([rank[value] for value in values] for values in (passage, question))
    return torch.tensor(first, dtype=torch.long), torch.tensor(second, dtype=torch.long)


def _pad(rows: Sequence[Tensor], width: int = 0) -> Int[Tensor, "b k"]:
    padded = pad_sequence(list(rows), batch_first=True)
    return torch.nn.functional.pad(padded, (0, max(0, width - padded.shape[1])))


def _mention_table(question: TokenizedText, numbers: Sequence[Number]) -> MentionTable:
    spans = [question.locate(number.start, number.end) for number in numbers]
    first, last = torch.tensor(spans, dtype=torch.long).reshape(-1, 2).T
    entry = torch.arange(len(spans))
    return MentionTable(first, last, entry, torch.zeros(len(spans), FEATURES))
