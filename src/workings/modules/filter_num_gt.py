from workings.modules._filter_numbers import FilterNumbers


class FilterNumGt(FilterNumbers, name="filter-num-gt"):
    """Keeps the words found whose own number is above a threshold."""

    example = "How many field goals were longer than 40 yards?"
    cues = frozenset("over above more longer larger higher older exceeding least".split())
