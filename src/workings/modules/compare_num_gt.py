from workings.modules._numbers import CompareNumbers
from workings.modules.base import Context
from workings.results import Attention


class CompareNumGt(CompareNumbers, name="compare-num-gt"):
    """The one of two things that has the larger number."""

    example = "Which group is larger, farmers or smiths?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, smaller=False)
