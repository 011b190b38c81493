from dataclasses import replace

from workings.arithmetic.operation import DIFFERENCES
from workings.modules.module import Context, Module
from workings.ops.grounding import years
from workings.ops.results import Attention, Numbers
from workings.settings import ModuleSettings


class TimeDiff(Module, name="time-diff"):
    """The years between two events, or from the beginning to the end of one."""

    example = "How many years after the treaty did the war begin?"
    needs = "dates"
    error_category = "arithmetic"

    @classmethod
    def commutes(cls, settings: ModuleSettings) -> bool:
        return DIFFERENCES[settings.difference].commutative

    def forward(
        self, context: Context, first: Attention, second: Attention | None = None
    ) -> Numbers:
        encoding = context.encoding
        operands = context.groundings.date_pair(first, second, encoding)
        context.details.operands = operands
        later, earlier = (years(operand, encoding) for operand in operands)
        context.details.operation = operation = DIFFERENCES[self.settings.difference]
        difference = later.combine(earlier, operation, distinct=self.settings.distinct)
        # The pair consists of date mentions, which are never mentions of a further number.
        return replace(difference, pair_joint=None)
