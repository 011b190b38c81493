from workings.modules._extreme import Extreme


class FindMaxNum(Extreme, name="find-max-num"):
    """The event with the largest number, among the events found."""

    example = "How many yards was the longest field goal?"
    cues = frozenset("longest".split())
