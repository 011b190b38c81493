from workings.modules._clock_distance import DurationIn


class InHours(DurationIn, name="in-hours"):
    """The duration of the attended event, in hours."""

    example = "How many hours did the three days of sailing come to?"
    cues = frozenset(("hours",))
    unit = "hours"
