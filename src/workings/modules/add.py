from workings.arithmetic.operation import ADDITION
from workings.modules._arithmetic import Arithmetic


class Add(Arithmetic, name="add"):
    """The sum of two numbers."""

    example = "How many yards did the two field goals have combined?"
    operation = ADDITION
    cues = frozenset(("total", "combined", "altogether", "both", "sum", "together"))
