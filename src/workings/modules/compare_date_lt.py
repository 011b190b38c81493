from workings.modules._dates import CompareDates
from workings.modules.base import Context
from workings.results import Attention


class CompareDateLt(CompareDates, name="compare-date-lt"):
    """The earlier of two events."""

    example = "Which happened first, the siege or the treaty?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, earlier=True)
