from workings.modules._clock_distance import ClockDistance


class SecondsDiff(ClockDistance, name="seconds-diff"):
    """The seconds between two clock times, or by which two durations differ."""

    example = "By how many seconds did the winner beat the runner-up?"
    cues = frozenset(("seconds",))
    unit = "seconds"
