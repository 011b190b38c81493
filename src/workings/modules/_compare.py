"""The bases of modules that choose one of two events by their numbers or dates."""

from abc import abstractmethod
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.encoding import Encoding
from workings.modules.module import Context, Module
from workings.ops.grounding import Groundings
from workings.ops.results import Attention, Dates, Numbers
from workings.ops.uncertain_sets import weight_above


class CompareEvents(Module):
    """Mixes two events by the probability that each has the preferred value."""

    error_category = "arithmetic"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        read = self.reader(context.groundings)
        operands = read(first, context.encoding), read(second, context.encoding)
        context.details.operands = operands  # type: ignore[assignment]  # both of one type
        weights = operands[0].weights, operands[1].weights
        order = self.order(context.encoding, weights[0])
        rank = order if self.prefers_smaller else -order
        first_wins = (weights[0] * weight_above(weights[1], rank)).sum(-1)
        second_wins = (weights[1] * weight_above(weights[0], rank)).sum(-1)
        if self.settings.ties == "share":  # equal or missing values count half for each event
            rest = (1 - first_wins - second_wins).clamp(min=0) / 2
            first_wins, second_wins = first_wins + rest, second_wins + rest
        return first.mix(second, first_wins, second_wins)

    @abstractmethod
    def reader(
        self, groundings: Groundings
    ) -> Callable[[Attention, Encoding], Numbers] | Callable[[Attention, Encoding], Dates]:
        """The grounding that reads the value of an event."""

    @abstractmethod
    def order(self, encoding: Encoding, weights: Float[Tensor, "b k"]) -> Int[Tensor, "b k"]:
        """The position of each value in ascending order."""


class CompareDates(CompareEvents):
    """Chooses the earlier or the later of two events."""

    needs = "dates"
    compares = "date"

    def reader(self, groundings: Groundings) -> Callable[[Attention, Encoding], Dates]:
        return groundings.dates

    def order(self, encoding: Encoding, weights: Float[Tensor, "b k"]) -> Int[Tensor, "b k"]:
        ranks = [passage.date_ranks for passage in encoding.inputs]
        return pad_sequence(ranks, batch_first=True).to(weights.device)


class CompareNumbers(CompareEvents):
    """Chooses the one of two events with the smaller or the larger number."""

    needs = "numbers"
    compares = "num"

    def reader(self, groundings: Groundings) -> Callable[[Attention, Encoding], Numbers]:
        return groundings.numbers

    def order(self, encoding: Encoding, weights: Float[Tensor, "b k"]) -> Int[Tensor, "b k"]:
        # Supports are sorted, so the order of positions is the order of numbers.
        return torch.arange(weights.shape[1], device=weights.device).expand_as(weights)
