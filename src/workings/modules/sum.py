from collections.abc import Sequence
from fractions import Fraction

from jaxtyping import Float
from torch import Tensor

from workings.modules._set_arithmetic import SetArithmetic
from workings.ops.results import Numbers
from workings.ops.subset_totals import sum_of_members


class Sum(SetArithmetic, name="sum"):
    """The total of all numbers that belong to the attended words."""

    example = "What do the five items on the bill add up to?"
    cues = frozenset(("total", "altogether", "sum", "all", "together", "combined"))
    aggregate = "sum"

    def combine(
        self, members: Float[Tensor, "b k"], numbers: Sequence[Sequence[Fraction]]
    ) -> Numbers:
        return sum_of_members(members, numbers)
