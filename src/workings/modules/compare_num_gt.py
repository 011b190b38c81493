from workings.modules._compare_numbers import CompareNumbers
from workings.modules.module import Context
from workings.ops.results import Attention


class CompareNumGt(CompareNumbers, name="compare-num-gt"):
    """The one of two things that has the larger number."""

    example = "Which group is larger, farmers or smiths?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, smaller=False)
