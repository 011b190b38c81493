from workings.modules._clock_distance import ClockDistance


class MinutesDiff(ClockDistance, name="minutes-diff"):
    """The minutes between two clock times, or by which two durations differ."""

    example = "How many minutes does the morning express take?"
    cues = frozenset(("minutes",))
    unit = "minutes"
