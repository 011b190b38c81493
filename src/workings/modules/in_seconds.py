from workings.modules._clock_distance import DurationIn


class InSeconds(DurationIn, name="in-seconds"):
    """The duration of the attended event, in seconds."""

    example = "After how many seconds did the child give in?"
    cues = frozenset(("seconds",))
    unit = "seconds"
