from workings.modules._compare_dates import CompareDates
from workings.modules.module import Context
from workings.ops.results import Attention


class CompareDateGt(CompareDates, name="compare-date-gt"):
    """The later of two events."""

    example = "Which happened last, the siege or the treaty?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, earlier=False)
