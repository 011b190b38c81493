"""Comparing events by their numbers."""

import torch

from workings.modules._compare import choose
from workings.modules.module import Context, Module
from workings.ops.results import Attention


class CompareNumbers(Module):
    """Two events, and which of them has the number that comes first in an order."""

    needs = "numbers"

    def compare(
        self, context: Context, first: Attention, second: Attention, *, smaller: bool
    ) -> Attention:
        found = [context.groundings.numbers(event, context.encoding) for event in (first, second)]
        context.note("first", found[0])
        context.note("second", found[1])
        weights = (found[0].weights, found[1].weights)
        # Supports rise, so the order of places is the order of numbers.
        place = torch.arange(weights[0].shape[1], device=weights[0].device).expand_as(weights[0])
        rank = place if smaller else -place
        return choose((first, second), weights, rank, self.settings.ties)
