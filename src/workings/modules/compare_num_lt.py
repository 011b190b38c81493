from workings.modules._numbers import CompareNumbers
from workings.modules.base import Context
from workings.results import Attention


class CompareNumLt(CompareNumbers, name="compare-num-lt"):
    """The one of two things that has the smaller number."""

    example = "Were there fewer cats or dogs?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, smaller=True)
