"""Clock times and durations as operands, also where only the context shows what they are."""

from fractions import Fraction

import pytest

from workings.values import Timing, read_values

MINUTE, HOUR = 60, 3600


def timings(text: str) -> list[Timing]:
    return [mention.timing for mention in read_values(text).timings]


def clock(hour: int, minute: int = 0, *, half: bool = False, bare: bool = False) -> Timing:
    return Timing(Fraction(hour * HOUR + minute * MINUTE), is_half_day=half, is_bare=bare)


def lasting(seconds: float | Fraction, *, bare: bool = False) -> Timing:
    return Timing(Fraction(seconds), is_duration=True, is_bare=bare)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It left at 9:20 and came at 16:05.", [clock(9, 20, bare=True), clock(16, 5, bare=True)]),
        ("It left at 9:20.", [clock(9, 20, half=True, bare=True)]),
        ("From 9 pm to 5 am.", [clock(21), clock(5)]),
        ("From 4:15 to 6 pm.", [clock(16, 15), clock(18)]),
        ("From 9 to 5.", [clock(9, half=True), clock(5, half=True)]),
        ("Open Wednesdays 4–7 and Saturdays 9–1.", [clock(h, half=True) for h in (4, 7, 9, 1)]),
        ("From 22.45 to 6.15.", [clock(22, 45), clock(6, 15, half=True)]),
        ("From ten at night until two.", [clock(22), clock(2, half=True)]),
        ("From eight in the evening to one at night.", [clock(20), clock(1)]),
        ("It began at half past eleven.", [clock(11, 30, half=True)]),
        ("It began at twenty to three.", [clock(2, 40, half=True)]),
        ("It lasted till half eleven.", [clock(11, 30, half=True)]),
        ("It opens at noon.", [clock(12)]),
        ("It took 35 minutes.", [lasting(35 * MINUTE)]),
        ("It took six hours and 20 minutes.", [lasting(6 * HOUR + 20 * MINUTE)]),
        ("It took three hours fifty.", [lasting(3 * HOUR + 50 * MINUTE)]),
        ("A 15-minute walk.", [lasting(15 * MINUTE)]),
        ("It took an hour and a quarter.", [lasting(75 * MINUTE)]),
        ("It took an hour and 20 minutes.", [lasting(80 * MINUTE)]),
        ("It took a quarter of an hour.", [lasting(15 * MINUTE)]),
        ("Ada ran 3:33.6 and Ben 4:02.", [lasting(Fraction("213.6")),
                                          clock(4, 2, half=True, bare=True)]),
        ("The winner took 2:04:30.", [lasting(2 * HOUR + 4 * MINUTE + 30)]),
        ("With 3:06 left.", [lasting(3 * HOUR + 6 * MINUTE, bare=True)]),
        ("The Giants won 21-14 and improved to 6-2.", []),
        ("After 3 games, 9 men left.", []),
        ("From 1990 to 2005.", []),
        ("Nobody came.", []),
    ],
)  # fmt: skip
def test_readings(text: str, expected: list[Timing]) -> None:
    assert timings(text) == expected


def test_mentions_are_in_order_without_overlaps() -> None:
    text = "From 9 to 5.30, 2 h 35 min, noon, at 7:10, an hour, from 23:50 till 4 am; 12 minutes."
    mentions = read_values(text).timings
    assert len(mentions) == 9
    ends = [0, *(mention.end for mention in mentions)]
    assert all(end <= mention.start for end, mention in zip(ends, mentions, strict=False))


def test_equal_times_share_one_entry() -> None:
    values = read_values("At 9:20 it rained, from 9:20 to 9:40.")
    assert len(values.timings) == 3
    assert len(values.distinct_timings) == 2


@pytest.mark.parametrize(
    ("timing", "text"),
    [
        (clock(16, 5), "16:05"),
        (lasting(2 * HOUR + 26 * MINUTE), "2 h 26 min"),
        (lasting(Fraction("213.6")), "3 min 33.6 s"),
        (lasting(0), "0 s"),
    ],
)
def test_as_text(timing: Timing, text: str) -> None:
    assert str(timing) == text
