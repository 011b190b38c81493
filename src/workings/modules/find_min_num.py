from workings.modules._extreme import Extreme


class FindMinNum(Extreme, name="find-min-num"):
    """The event with the smallest number, among the events found."""

    example = "How many yards was the shortest field goal?"
    prefers_smaller = True
    cues = frozenset("shortest".split())
