from workings.modules._compare import CompareNumbers


class CompareNumGt(CompareNumbers, name="compare-num-gt"):
    """The one of two things that has the larger number."""

    example = "Which group is larger, farmers or smiths?"
    cues = frozenset(
        """larger largest more most bigger biggest higher highest greater greatest longer
        older""".split()
    )
