"""The bases of modules that count hours, minutes or seconds."""

from typing import ClassVar

from workings.arithmetic.operation import DISTANCE
from workings.modules.module import Context, Module
from workings.ops.date_distances import timing_amounts, timing_distance
from workings.ops.results import Attention, Numbers, TimingCount
from workings.settings import ModuleSettings
from workings.values import ClockUnit


class ClockDistance(Module):
    """The time between two clock times, or the difference of two durations."""

    needs = "times"
    error_category = "arithmetic"
    unit: ClassVar[ClockUnit]

    @classmethod
    def commutes(cls, settings: ModuleSettings) -> bool:  # noqa: ARG003 (the base class has it)
        return DISTANCE.commutative

    def forward(
        self, context: Context, first: Attention, second: Attention | None = None
    ) -> Numbers:
        operands = context.groundings.timing_pair(first, second, context.encoding)
        # The end of one event may lie after midnight; of two events, either may be the later.
        context.details.operands = operands
        context.details.timing = count = TimingCount(self.unit, wraps=second is None)
        distinct = self.settings.distinct
        return timing_distance(*operands, context.encoding, count, distinct=distinct)


class DurationIn(Module):
    """A duration in one unit."""

    needs = "times"
    error_category = "pick"
    unit: ClassVar[ClockUnit]

    def forward(self, context: Context, event: Attention) -> Numbers:
        duration = context.groundings.timings(event, context.encoding)
        context.details.operands = (duration,)
        context.details.timing = TimingCount(self.unit)
        return timing_amounts(duration, context.encoding, self.unit)
