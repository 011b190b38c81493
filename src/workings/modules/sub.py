from workings.arithmetic.operation import DIFFERENCES, SUBTRACTION, Operation
from workings.modules._arithmetic import Arithmetic
from workings.settings import ModuleSettings


class Sub(Arithmetic, name="sub"):
    """The difference of two numbers."""

    example = "How many more people than households are there?"
    operation = SUBTRACTION
    cues = frozenset(("more", "fewer", "less", "difference", "than"))

    @classmethod
    def commutes(cls, settings: ModuleSettings) -> bool:
        return DIFFERENCES[settings.difference].commutative

    def operation_used(self) -> Operation:
        return DIFFERENCES[self.settings.difference]
