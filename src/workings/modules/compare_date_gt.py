from workings.modules._compare import CompareDates


class CompareDateGt(CompareDates, name="compare-date-gt"):
    """The later of two events."""

    example = "Which happened last, the siege or the treaty?"
    cues = frozenset("later last second latest after".split())
