from workings.arithmetic.support import DIFFERENCES
from workings.modules.module import Context, Module
from workings.ops.results import Numbers


class Sub(Module, name="sub"):
    """The difference of two numbers."""

    example = "How many more people than households are there?"

    def forward(self, context: Context, first: Numbers, second: Numbers) -> Numbers:
        operation = DIFFERENCES[self.settings.difference]
        return first.combine(second, operation, distinct=self.settings.distinct)
