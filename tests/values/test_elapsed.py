"""Distances between clock times and between durations, in hours, minutes and seconds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.values import ClockUnit, Timing, amount_of, read_values, time_apart, time_from


def pair(text: str) -> tuple[Timing, Timing]:
    first, second = (mention.timing for mention in read_values(text).timings)
    return first, second


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("From 9:20 to 16:05.", "minutes", "405"),
        ("From 9:20 to 16:05.", "hours", "27/4"),
        ("From 9 pm to 5 am.", "hours", "8"),  # past midnight
        ("From 23:10 to 0:05.", "minutes", "55"),
        ("From 22.45 to 6.15.", "hours", "7.5"),
        ("From 11:15 to 1:10.", "minutes", "115"),  # past noon: neither time has its half
        ("From 9 to 5.", "hours", "8"),
        ("From 9 am to 5.", "hours", "8"),
        ("It began at 7:12 and ended at 9:05 pm.", "minutes", "113"),
        ("From 5:30 to 18:00.", "hours", "12.5"),
        ("He took 4 min 5 s, then 3 min 52 s.", "seconds", "13"),
        ("He ran 3:33.6, she 3:31.2.", "seconds", "2.4"),
        ("He took 3:12 and she 2:48.", "seconds", "24"),
        ("He took 3:12 and she 2:48.", "minutes", "24"),
        ("He took 6:26 and she 6:19.8.", "seconds", "6.2"),
        ("At 9 pm, after 40 minutes.", "minutes", None),
        ("At 21:50, after 40 minutes.", "minutes", None),
    ],
)
def test_from_start_to_end(text: str, unit: ClockUnit, expected: str | None) -> None:
    found = time_from(*pair(text), unit)
    assert found == (None if expected is None else Fraction(expected))


def test_two_events_are_apart_in_either_order() -> None:
    late, early = pair("At 21:30 and at 8:15.")
    assert time_apart(late, early, "minutes") == time_apart(early, late, "minutes") == 795
    assert time_from(late, early, "minutes") == 24 * 60 - 795


@given(st.integers(0, 1439), st.integers(0, 1439))
def test_there_and_back_is_a_day(first: int, second: int) -> None:
    start, end = (Timing(Fraction(60 * minute)) for minute in (first, second))
    there, back = time_from(start, end, "minutes"), time_from(end, start, "minutes")
    assert there is not None and back is not None
    assert there + back == (1440 if first != second else 0)


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("Nine minutes and 20 seconds.", "seconds", 560),
        ("It lasts 2 h 35 min.", "minutes", 155),
        ("It lasts 90 minutes.", "hours", Fraction(3, 2)),
        ("At 9 pm.", "minutes", None),
        ("At 9:15.", "minutes", None),
        ("Ada Smith 2:03, aged 12.", "seconds", 123),
    ],
)
def test_amount(text: str, unit: ClockUnit, expected: Fraction | None) -> None:
    (mention,) = read_values(text).timings
    assert amount_of(mention.timing, unit) == expected
