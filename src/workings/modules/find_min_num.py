from workings.modules._extreme import Extreme
from workings.modules.module import Context
from workings.ops.results import Attention


class FindMinNum(Extreme, name="find-min-num"):
    """Of the events found, the one with the smallest number."""

    example = "How many yards was the shortest field goal?"

    def forward(self, context: Context, events: Attention) -> Attention:
        return self.pick(context, events, largest=False)
