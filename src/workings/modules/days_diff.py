from workings.modules._date_distance import DateDistance
from workings.values import days_between


class DaysDiff(DateDistance, name="days-diff"):
    """The days between two events, or from the beginning to the end of one."""

    example = "How many days after the opening did the first guests arrive?"
    cues = frozenset(("days",))
    unit = "days"
    distance = staticmethod(days_between)
