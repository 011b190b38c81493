from workings.modules._date_distance import DateDistance
from workings.values import months_between


class MonthsDiff(DateDistance, name="months-diff"):
    """The months between two events, or from the beginning to the end of one."""

    example = "How many months after the purchase was the first repair?"
    cues = frozenset(("months",))
    unit = "months"
    distance = staticmethod(months_between)
