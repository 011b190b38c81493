from dataclasses import replace

from workings.arithmetic.support import DIFFERENCES
from workings.modules.module import Context, Module
from workings.ops.grounding import years
from workings.ops.results import Attention, Numbers


class TimeDiff(Module, name="time-diff"):
    """The years between two events, or from the beginning to the end of one."""

    example = "How many years after the treaty did the war begin?"
    needs = "dates"

    def forward(
        self, context: Context, first: Attention, second: Attention | None = None
    ) -> Numbers:
        dates, encoding = context.groundings.dates, context.encoding
        if second is None:
            ends = dates(first, encoding, "end"), dates(first, encoding, "start")
        else:
            ends = dates(first, encoding), dates(second, encoding)
        context.note("first", ends[0])
        context.note("second", ends[1])
        later, earlier = (years(end, encoding) for end in ends)
        operation = DIFFERENCES[self.settings.difference]
        lapse = later.combine(earlier, operation, distinct=self.settings.distinct)
        # Its mentions are of dates: none of them is one that a further number could be.
        return replace(lapse, pair_joint=None)
