from fractions import Fraction

from workings.modules._constant import Constant


class Hundred(Constant, name="hundred"):
    """The whole of a percentage, 100."""

    example = "How many percent of the people were not from Ghana?"
    value = Fraction(100)
