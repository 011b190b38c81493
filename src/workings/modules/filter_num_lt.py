from workings.modules._filter_numbers import FilterNumbers


class FilterNumLt(FilterNumbers, name="filter-num-lt"):
    """Keeps the words found whose own number is below a threshold."""

    example = "How many households have fewer than three members?"
    prefers_smaller = True
    cues = frozenset("under below fewer less shorter smaller lower younger most".split())
