"""The base of modules that compare two events by their dates."""

from torch.nn.utils.rnn import pad_sequence

from workings.modules._compare import choose
from workings.modules.module import Context, Module
from workings.ops.results import Attention


class CompareDates(Module):
    """Chooses the earlier or the later of two events."""

    needs = "dates"
    compares = "date"
    error_category = "arithmetic"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        operands = (
            context.groundings.dates(first, context.encoding),
            context.groundings.dates(second, context.encoding),
        )
        context.details.operands = operands
        weights = (operands[0].weights, operands[1].weights)
        ranks = [passage.date_ranks for passage in context.encoding.inputs]
        order = pad_sequence(ranks, batch_first=True).to(weights[0].device)
        rank = order if self.prefers_smaller else -order
        return choose((first, second), weights, rank, self.settings.ties)
