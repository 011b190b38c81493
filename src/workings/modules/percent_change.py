from workings.arithmetic.operation import Operation
from workings.modules._arithmetic import Arithmetic


class PercentChange(Arithmetic, name="percent-change"):
    """By how many percent the second number rises or falls to become the first."""

    example = "By what percentage did the rent rise?"
    operation = Operation("100 * ({0} - {1}) / {1}", absolute=True)
    cues = frozenset(
        """percent percentage rise risen rose fall fell fallen grow grew grown increase increased
        decrease decreased drop dropped shrink shrank change changed""".split()
    )
