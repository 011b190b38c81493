"""The base of modules that combine two numbers by an exact operation."""

from workings.arithmetic.operation import Operation
from workings.modules.module import Context, Module
from workings.ops.results import Numbers


class Arithmetic(Module):
    """An exact operation on two number distributions."""

    error_category = "arithmetic"

    def __init_subclass__(cls, *, name: str = "", **options: object) -> None:
        if name and cls.operation is None:
            raise TypeError(f"module {name!r} declares no operation")
        super().__init_subclass__(name=name, **options)

    def operation_used(self) -> Operation:
        """The operation; a subclass may choose it by its settings."""
        assert self.operation is not None
        return self.operation

    def forward(self, context: Context, first: Numbers, second: Numbers) -> Numbers:
        context.details.operation = self.operation_used()
        return first.combine(second, context.details.operation, distinct=self.settings.distinct)
