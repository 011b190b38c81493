"""The base of modules that compare two events by their numbers."""

import torch

from workings.modules._compare import choose
from workings.modules.module import Context, Module
from workings.ops.results import Attention


class CompareNumbers(Module):
    """Chooses the one of two events with the smaller or the larger number."""

    needs = "numbers"
    compares = "num"
    error_category = "arithmetic"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        operands = (
            context.groundings.numbers(first, context.encoding),
            context.groundings.numbers(second, context.encoding),
        )
        context.details.operands = operands
        weights = (operands[0].weights, operands[1].weights)
        # Supports are sorted, so the order of positions is the order of numbers.
        order = torch.arange(weights[0].shape[1], device=weights[0].device).expand_as(weights[0])
        rank = order if self.prefers_smaller else -order
        return choose((first, second), weights, rank, self.settings.ties)
