from workings.modules._compare import CompareDates


class CompareDateLt(CompareDates, name="compare-date-lt"):
    """The earlier of two events."""

    example = "Which happened first, the siege or the treaty?"
    prefers_smaller = True
    cues = frozenset("first earlier earliest forst firts before sooner".split())
