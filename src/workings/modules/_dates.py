"""Comparing events by their dates."""

import torch

from workings.modules._compare import choose
from workings.modules.base import Context, Module
from workings.results import Attention


class CompareDates(Module):
    """Two events, and which of them has the date that comes first in an order."""

    needs = "dates"

    def compare(
        self, context: Context, first: Attention, second: Attention, *, earlier: bool
    ) -> Attention:
        found = [context.groundings.dates(event, context.encoding) for event in (first, second)]
        context.note("first", found[0])
        context.note("second", found[1])
        weights = (found[0].weights, found[1].weights)
        size = weights[0].shape[1]
        before = torch.zeros(len(context.encoding), size, size, dtype=torch.bool)
        for row, one in zip(before, context.encoding.inputs, strict=True):
            known = len(one.dates)
            row[:known, :known] = one.earlier if earlier else one.earlier.T
        order = before.to(weights[0].device)
        return choose((first, second), weights, order, self.settings.ties)
