"""The base of modules that measure the time between two dates in days or months."""

from abc import abstractmethod
from typing import ClassVar, Literal

from workings.arithmetic.operation import DISTANCE
from workings.modules.module import Context, Module
from workings.ops.date_distances import date_distance
from workings.ops.results import Attention, Numbers
from workings.settings import ModuleSettings
from workings.values import Date


class DateDistance(Module):
    """The time between two events, or from the beginning to the end of one."""

    needs = "dates"
    error_category = "arithmetic"
    unit: ClassVar[Literal["months", "days"]]

    @classmethod
    def commutes(cls, settings: ModuleSettings) -> bool:  # noqa: ARG003 (the base class has it)
        return DISTANCE.commutative

    @staticmethod
    @abstractmethod
    def distance(first: Date, second: Date) -> int | None:
        """The time between two dates; None if a part of them is missing."""

    def forward(
        self, context: Context, first: Attention, second: Attention | None = None
    ) -> Numbers:
        operands = context.groundings.date_pair(first, second, context.encoding)
        context.details.operands, context.details.date_unit = operands, self.unit
        return date_distance(
            *operands, context.encoding, self.distance, distinct=self.settings.distinct
        )
