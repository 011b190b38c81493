from workings.modules._compare_numbers import CompareNumbers
from workings.modules.module import Context
from workings.ops.results import Attention


class CompareNumLt(CompareNumbers, name="compare-num-lt"):
    """The one of two things that has the smaller number."""

    example = "Were there fewer cats or dogs?"

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        return self.compare(context, first, second, smaller=True)
