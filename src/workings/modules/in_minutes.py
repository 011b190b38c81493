from workings.modules._clock_distance import DurationIn


class InMinutes(DurationIn, name="in-minutes"):
    """The duration of the attended event, in minutes."""

    example = "How long was the match of 2 h 26 min, in minutes?"
    cues = frozenset(("minutes",))
    unit = "minutes"
