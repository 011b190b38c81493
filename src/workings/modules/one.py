from fractions import Fraction

from workings.modules._constant import Constant


class One(Constant, name="one"):
    """The number 1, for one more or one less."""

    example = "How many years did the fair run, counting the first?"
    value = Fraction(1)
