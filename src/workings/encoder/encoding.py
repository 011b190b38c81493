"""The encoding of a batch: token vectors, masks and the mentions of values."""

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
    """The mentions of numbers, dates or timings of a batch, padded.

    Attributes:
        first: First token of each mention; negative for a constant.
        last: Last token of each mention; a constant's number is -1 - last.
        entry: Position of each mention's value in the support or list of values.
        features: Numeric features of each mention.
        mask: Which mentions are real.
    """

    first: Int[Tensor, "b k"]
    last: Int[Tensor, "b k"]
    entry: Int[Tensor, "b k"]
    features: Float[Tensor, "b k f"]
    mask: Bool[Tensor, "b k"]

    @staticmethod
    def stack(tables: Sequence[MentionTable], device: torch.device) -> "Mentions":
        """Pad and stack the mentions of several passages."""

        def pad(name: str) -> Tensor:
            return pad_sequence([getattr(t, name) for t in tables], batch_first=True).to(device)

        mask = pad_sequence([torch.ones(len(t.entry), dtype=torch.bool) for t in tables], True)
        return Mentions(pad("first"), pad("last"), pad("entry"), pad("features"), mask.to(device))

    @property
    def placed(self) -> Bool[Tensor, "b k"]:
        """Mentions that occur in the text; constants do not."""
        return self.mask & (self.first >= 0)

    @property
    def place(self) -> Int[Tensor, "b k"]:
        """The place of each mention in the text, numbered; "3.2" and "3.2 million" share theirs."""
        is_new = (self.first[:, 1:] != self.first[:, :-1]) | ~self.placed[:, 1:]
        return functional.pad(is_new.long().cumsum(1), (1, 0))[:, : self.first.shape[1]]

    @property
    def constant(self) -> Int[Tensor, "b k"]:
        """The number of the constant, for mentions that are constants."""
        return (-1 - self.last).clamp(min=0)

    def select(self, rows: Int[Tensor, " r"]) -> "Mentions":
        """The mentions of some rows."""
        return Mentions(*(getattr(self, field.name)[rows] for field in fields(self)))

    def covers(self, length: int) -> Bool[Tensor, "b k m"]:
        """Which of the first ``length`` tokens each mention consists of; none for constants."""
        position = torch.arange(length, device=self.first.device)
        return (position >= self.first[..., None]) & (position <= self.last[..., None])

    def pool(self, tokens: Float[Tensor, "b m d"]) -> Float[Tensor, "b k d"]:
        """The mean token vector of each mention."""
        sizes = ((self.last - self.first + 1) * self.placed).flatten()
        mention = torch.repeat_interleave(sizes)  # the mention of each covered token
        offset = (
            torch.arange(len(mention), device=mention.device) - (sizes.cumsum(0) - sizes)[mention]
        )
        row = mention // max(self.first.shape[1], 1)
        covered = tokens[row, self.first.flatten()[mention] + offset]
        total = tokens.new_zeros(len(sizes), tokens.shape[-1]).index_add(0, mention, covered)
        mean = total / sizes.clamp(min=1)[:, None]
        return mean.reshape(*self.first.shape, tokens.shape[-1])

    def gather(self, weights: Float[Tensor, "b k"], size: int) -> Float[Tensor, "b size"]:
        """The weight of each value: the sum over its mentions."""
        total = weights.new_zeros(len(weights), max(size, 1))
        return total.scatter_add(1, self.entry, weights * self.mask)[:, :size]

    def spread(self, weights: Float[Tensor, "b k"], length: int) -> Float[Tensor, "b m"]:
        """Put the weight of each mention on its first token; constants are dropped."""
        tokens = weights.new_zeros(len(weights), length)
        return tokens.scatter_add(1, self.first.clamp(min=0), weights * self.placed)


class LayerStates(NamedTuple):
    """The token vectors of one layer."""

    question: Float[Tensor, "b n d"]
    passage: Float[Tensor, "b m d"]


@dataclass(frozen=True)
class Encoding:
    """A batch of questions, each encoded with its passage.

    Attributes:
        cls: Vector of the classification token.
        question: Token vectors of the questions.
        question_mask: Which question tokens are real.
        passage: Token vectors of the passages.
        passage_mask: Which passage tokens are real.
        numbers: Mentions of numbers.
        dates: Mentions of dates.
        timings: Mentions of clock times and durations.
        questions: The tokenized questions.
        inputs: The passages.
        lower_layers: States of the layers below the last, lowest first, if they were requested.
    """

    cls: Float[Tensor, "b d"]
    question: Float[Tensor, "b n d"]
    question_mask: Bool[Tensor, "b n"]
    passage: Float[Tensor, "b m d"]
    passage_mask: Bool[Tensor, "b m"]
    numbers: Mentions
    dates: Mentions
    timings: Mentions
    questions: Sequence[TokenizedText]
    inputs: Sequence[PassageInput]
    lower_layers: tuple[LayerStates, ...] = ()

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def layers(self) -> tuple[LayerStates, ...]:
        """The states of all requested layers, the last layer last."""
        return *self.lower_layers, LayerStates(self.question, self.passage)

    @cached_property
    def sentences(self) -> Int[Tensor, "b m"]:
        """The sentence number of each passage token."""
        return self._padded([passage.sentences for passage in self.inputs], 0)

    @cached_property
    def multiples(self) -> Int[Tensor, "b m"]:
        """How many things each passage token may mention; see ``PassageInput.multiples``."""
        return self._padded([passage.multiples for passage in self.inputs], 1)

    def _padded(self, rows: Sequence[Tensor], value: int) -> Tensor:
        stacked = pad_sequence(list(rows), batch_first=True, padding_value=value)
        # The batch may have been padded for a longer passage that is not selected.
        missing = self.passage.shape[1] - stacked.shape[1]
        return functional.pad(stacked, (0, missing), value=value).to(self.passage.device)

    def select(self, rows: Sequence[int]) -> "Encoding":
        """Some questions of the batch, in the given order."""
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
            timings=self.timings.select(index),
            questions=[self.questions[row] for row in rows],
            inputs=[self.inputs[row] for row in rows],
            lower_layers=tuple(
                LayerStates(layer.question[index], layer.passage[index])
                for layer in self.lower_layers
            ),
        )
