"""An encoding: a batch of questions, each read over its passage."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.inputs import MentionTable, PassageInput, TokenizedText


@dataclass(frozen=True)
class Mentions:
    """The mentions of a batch's values, padded."""

    first: Int[Tensor, "b k"]
    last: Int[Tensor, "b k"]
    entry: Int[Tensor, "b k"]
    features: Float[Tensor, "b k f"]
    mask: Bool[Tensor, "b k"]

    @staticmethod
    def stack(tables: Sequence[MentionTable], device: torch.device) -> "Mentions":
        def pad(name: str) -> Tensor:
            return pad_sequence([getattr(t, name) for t in tables], batch_first=True).to(device)

        mask = pad_sequence([torch.ones(len(t.entry), dtype=torch.bool) for t in tables], True)
        return Mentions(pad("first"), pad("last"), pad("entry"), pad("features"), mask.to(device))

    @property
    def placed(self) -> Bool[Tensor, "b k"]:
        """Mentions that stand in the text (constants do not)."""
        return self.mask & (self.first >= 0)

    @property
    def constant(self) -> Int[Tensor, "b k"]:
        """Which constant a mention without a place is."""
        return (-1 - self.last).clamp(min=0)

    def select(self, rows: Int[Tensor, " r"]) -> "Mentions":
        return Mentions(*(getattr(self, field.name)[rows] for field in fields(self)))

    def covers(self, length: int) -> Bool[Tensor, "b k m"]:
        """Which of so many pieces each mention is made of; a constant is made of none."""
        place = torch.arange(length, device=self.first.device)
        return (place >= self.first[..., None]) & (place <= self.last[..., None])

    def pool(self, tokens: Float[Tensor, "b m d"]) -> Float[Tensor, "b k d"]:
        """The mean token vector of each mention."""
        sizes = ((self.last - self.first + 1) * self.placed).flatten()
        mention = torch.repeat_interleave(sizes)  # of each piece that mentions are made of
        behind = (
            torch.arange(len(mention), device=mention.device) - (sizes.cumsum(0) - sizes)[mention]
        )
        row = mention // max(self.first.shape[1], 1)
        pieces = tokens[row, self.first.flatten()[mention] + behind]
        total = tokens.new_zeros(len(sizes), tokens.shape[-1]).index_add(0, mention, pieces)
        mean = total / sizes.clamp(min=1)[:, None]
        return mean.reshape(*self.first.shape, tokens.shape[-1])

    def gather(self, weights: Float[Tensor, "b k"], size: int) -> Float[Tensor, "b size"]:
        """The weight of each value: the sum over its mentions."""
        total = weights.new_zeros(len(weights), max(size, 1))
        return total.scatter_add(1, self.entry, weights * self.mask)[:, :size]

    def spread(self, weights: Float[Tensor, "b k"], length: int) -> Float[Tensor, "b m"]:
        """Weights of mentions laid on their first pieces; constants have none."""
        onto = weights.new_zeros(len(weights), length)
        return onto.scatter_add(1, self.first.clamp(min=0), weights * self.placed)


class Depth(NamedTuple):
    """The token vectors of one layer."""

    question: Float[Tensor, "b n d"]
    passage: Float[Tensor, "b m d"]


@dataclass(frozen=True)
class Encoding:
    """Token vectors of questions and passages, with masks and the passages' values."""

    cls: Float[Tensor, "b d"]
    question: Float[Tensor, "b n d"]
    question_mask: Bool[Tensor, "b n"]
    passage: Float[Tensor, "b m d"]
    passage_mask: Bool[Tensor, "b m"]
    numbers: Mentions
    dates: Mentions
    questions: Sequence[TokenizedText]
    inputs: Sequence[PassageInput]
    below: tuple[Depth, ...] = ()  # the layers under the last that were asked for, lowest first

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def depths(self) -> tuple[Depth, ...]:
        """The kept layers, the last one last."""
        return *self.below, Depth(self.question, self.passage)

    @cached_property
    def sentences(self) -> Int[Tensor, "b m"]:
        stacked = pad_sequence([one.sentences for one in self.inputs], batch_first=True)
        # A passage may have been read beside a longer one that is not among the selected.
        wider = self.passage.shape[1] - stacked.shape[1]
        return functional.pad(stacked, (0, wider)).to(self.passage.device)

    def select(self, rows: Sequence[int]) -> "Encoding":
        """Some questions of the batch, in the order given."""
        if list(rows) == list(range(len(self))):
            return self
        index = torch.tensor(rows, device=self.passage.device)
        return replace(
            self,
            cls=self.cls[index],
            question=self.question[index],
            question_mask=self.question_mask[index],
            passage=self.passage[index],
            passage_mask=self.passage_mask[index],
            numbers=self.numbers.select(index),
            dates=self.dates.select(index),
            questions=[self.questions[row] for row in rows],
            inputs=[self.inputs[row] for row in rows],
            below=tuple(Depth(one.question[index], one.passage[index]) for one in self.below),
        )
