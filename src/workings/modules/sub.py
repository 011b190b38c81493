from workings.modules.base import Context, Module
from workings.results import Numbers
from workings.support import DIFFERENCES


class Sub(Module, name="sub"):
    """The difference of two numbers."""

    example = "How many more people than households are there?"

    def forward(self, context: Context, first: Numbers, second: Numbers) -> Numbers:
        operation = DIFFERENCES[self.settings.difference]
        return first.combine(second, operation, distinct=self.settings.distinct)
