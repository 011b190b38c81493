from workings.modules._extreme import Extreme
from workings.modules.module import Context
from workings.ops.results import Attention


class FindMaxNum(Extreme, name="find-max-num"):
    """Of the events found, the one with the largest number."""

    example = "How many yards was the longest field goal?"

    def forward(self, context: Context, events: Attention) -> Attention:
        return self.pick(context, events, largest=True)
