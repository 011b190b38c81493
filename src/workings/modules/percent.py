from workings.arithmetic.operation import Operation
from workings.modules._arithmetic import Arithmetic


class Percent(Arithmetic, name="percent"):
    """The first number as a percentage of the second."""

    example = "What percentage of the seats was sold?"
    operation = Operation("100 * {0} / {1}")
    cues = frozenset(("percent", "percentage", "share", "proportion"))
