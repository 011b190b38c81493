from workings.arithmetic.operation import Operation
from workings.modules._arithmetic import Arithmetic


class Div(Arithmetic, name="div"):
    """The first number divided by the second."""

    example = "How many times as many adults as children came?"
    operation = Operation("{0} / {1}")
    cues = frozenset(("times", "per", "each", "every", "ratio", "apiece"))
