import numpy as np

from workings.arithmetic.support import Operation
from workings.modules.module import Context, Module
from workings.ops.results import Numbers

ADD = Operation("add", np.add)


class Add(Module, name="add"):
    """The sum of two numbers."""

    example = "How many yards did the two field goals have combined?"

    def forward(self, context: Context, first: Numbers, second: Numbers) -> Numbers:
        return first.combine(second, ADD, distinct=self.settings.distinct)
