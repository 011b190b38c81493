"""Comparing events by their numbers."""

import torch
from jaxtyping import Bool
from torch import Tensor

from workings.modules._compare import choose
from workings.modules.base import Context, Module
from workings.results import Attention


class CompareNumbers(Module):
    """Two events, and which of them has the number that comes first in an order."""

    needs = "numbers"

    def compare(
        self, context: Context, first: Attention, second: Attention, *, smaller: bool
    ) -> Attention:
        found = [context.groundings.numbers(event, context.encoding) for event in (first, second)]
        context.note("first", found[0])
        context.note("second", found[1])
        size = found[0].weights.shape[1]
        # Supports rise, so the order of places is the order of numbers.
        below: Bool[Tensor, "k k"] = torch.ones(
            size, size, dtype=torch.bool, device=found[0].weights.device
        ).triu(1)
        before = below if smaller else below.T
        weights = (found[0].weights, found[1].weights)
        order = before.expand(len(context.encoding), size, size)
        return choose((first, second), weights, order, self.settings.ties)
