from workings.arithmetic.operation import Operation
from workings.modules._arithmetic import Arithmetic


class Mul(Arithmetic, name="mul"):
    """The product of two numbers."""

    example = "What do the three tickets cost together?"
    operation = Operation("{0} * {1}", commutative=True)
    cues = frozenset(("cost", "earn", "worth", "revenue", "bring", "pay"))
