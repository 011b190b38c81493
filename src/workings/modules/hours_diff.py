from workings.modules._clock_distance import ClockDistance


class HoursDiff(ClockDistance, name="hours-diff"):
    """The hours between two clock times, or by which two durations differ."""

    example = "For how many hours is the tunnel shut?"
    cues = frozenset(("hours",))
    unit = "hours"
