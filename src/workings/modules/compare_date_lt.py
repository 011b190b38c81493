from workings.modules._compare_dates import CompareDates
from workings.modules.module import Context
from workings.ops.results import Attention


class CompareDateLt(CompareDates, name="compare-date-lt"):
    """The earlier of two events."""

    example = "Which happened first, the siege or the treaty?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, earlier=True)
