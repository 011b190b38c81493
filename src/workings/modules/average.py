from collections.abc import Sequence
from fractions import Fraction

from jaxtyping import Float
from torch import Tensor

from workings.modules._set_arithmetic import SetArithmetic
from workings.ops.results import Numbers
from workings.ops.subset_totals import mean_of_members


class Average(SetArithmetic, name="average"):
    """The mean of all numbers that belong to the attended words."""

    example = "What was the average attendance of the three evenings?"
    cues = frozenset(("average", "mean"))
    aggregate = "average"

    def combine(
        self, members: Float[Tensor, "b k"], numbers: Sequence[Sequence[Fraction]]
    ) -> Numbers:
        return mean_of_members(members, numbers)
