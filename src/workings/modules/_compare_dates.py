"""Comparing events by their dates."""

from torch.nn.utils.rnn import pad_sequence

from workings.modules._compare import choose
from workings.modules.module import Context, Module
from workings.ops.results import Attention


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
        ranks = [one.date_ranks for one in context.encoding.inputs]
        place = pad_sequence(ranks, batch_first=True).to(weights[0].device)
        rank = place if earlier else -place
        return choose((first, second), weights, rank, self.settings.ties)
