from workings.modules._compare import CompareNumbers


class CompareNumLt(CompareNumbers, name="compare-num-lt"):
    """The one of two things that has the smaller number."""

    example = "Were there fewer cats or dogs?"
    prefers_smaller = True
    cues = frozenset(
        "smaller smallest fewer fewest less least lower lowest shorter younger".split()
    )
