"""The base of modules that give a number which neither the passage nor the question states."""

from fractions import Fraction
from typing import ClassVar

from workings.arithmetic.support import Support
from workings.modules.module import Context, Module
from workings.ops.results import Numbers
from workings.settings import ModuleSettings


class Constant(Module):
    """A fixed number."""

    value: ClassVar[Fraction]
    error_category = "pick"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.support = Support((self.value,))

    def forward(self, context: Context) -> Numbers:
        rows = len(context.encoding)
        return Numbers(context.question_attention.new_ones(rows, 1), [self.support] * rows)
