"""Properties of reading any text: no errors, valid positions, linear time."""

import datetime
import sys
from calendar import isleap, monthrange
from fractions import Fraction
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.values import Date, read_values

PARTS = st.sampled_from(
    "1 12 345 1942 2100 1,000 3.2 .5 ½ two twenty hundred thousand million third second half "
    "quarter quarters thirds a and of to - – / , . $ % BC AD July May Sept. s st m bn per in In "
    "( ) \u00a0 dozen ٣ İ &# \u0661\u0669\u0664\u0662 "
    "e-3 ×10^23 10⁶ 10^400 1.234.567 0,5 12'345 minus \u2212 point k M twice both couple pair "
    "every out + ISBN call version v1.2 @ www. :: 10:30 2:03:59 :45 .45 pm p.m. h min hours "
    "minutes at left o'clock noon T '90s FY Q3 february 30 31. 05.06.2023 "
    "2023/06/05 2150 year "
    "'98 the nineties nineteen half past quarter an hour 2^10 negative double 6/5/23 05-06-2023 "
    "first evening €".split(" ")
)
SPACES = st.sampled_from(["", " ", "-", "\u00a0", ", "])
TEXTS = st.text() | st.lists(st.tuples(PARTS, SPACES), max_size=12).map(
    lambda pairs: "".join(part + space for part, space in pairs)
)


@settings(max_examples=500)
@given(TEXTS)
def test_positions_in_any_text(text: str) -> None:
    values = read_values(text)
    for mentions in (values.numbers, values.dates, values.times, values.durations):
        spans = [(mention.start, mention.end) for mention in mentions]
        assert spans == sorted(spans)
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(text[start:end].strip() == text[start:end] for start, end in spans)
    assert all(0 <= mention.time.seconds <= 86400 for mention in values.times)
    assert all(duration.seconds >= 0 for duration in values.durations)
    assert list(values.distinct_numbers) == sorted(set(values.distinct_numbers))
    assert len(set(values.distinct_dates)) == len(values.distinct_dates)


@given(TEXTS)
def test_dates_have_possible_parts(text: str) -> None:
    for date in read_values(text).distinct_dates:
        assert date.year is not None or date.month is not None
        assert date.month is None or 1 <= date.month <= 12
        assert date.day is None or (date.month is not None and 1 <= date.day <= 31)
        if date.day is not None and date.month is not None and date.month != 2:
            assert date.day <= monthrange(2024, date.month)[1]
        if date.month == 2 and date.day == 29 and date.year is not None and date.year > 1582:
            assert isleap(date.year)


@given(TEXTS, TEXTS)
def test_paragraphs_are_read_separately(first: str, second: str) -> None:
    gap = "\n\n\n\n.\n\n\n\n"
    joined = read_values(first + gap + second)
    values = [number.value for text in (first, second) for number in read_values(text).numbers]
    assert [number.value for number in joined.numbers] == values


@given(st.integers(0, 10**15))
def test_grouped_digits(value: int) -> None:
    assert read_values(f"There were {value:,} of them.").numbers[0].value == value


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_grouping_by_dots_spaces_and_apostrophes(value: int, cents: int) -> None:
    grouped = f"{value:,}"
    exact = value + Fraction(cents, 100)
    continental = f"{grouped.replace(',', '.')},{cents:02d} euros"
    for text in (
        continental,
        f"{grouped.replace(',', chr(39))}.{cents:02d} francs",
        f"{grouped.replace(',', chr(0x202F))}.{cents:02d} km",
        f"{grouped.replace(',', ' ')},{cents:02d} km",
    ):
        assert [number.value for number in read_values(f"It was {text}.").numbers] == [exact]


@given(st.integers(1, 10**6), st.integers(-30, 30))
def test_powers_of_ten(mantissa: int, exponent: int) -> None:
    exact = mantissa * Fraction(10) ** exponent
    for sign in ("e", "×10^", " x 10^"):
        text = f"{mantissa}{sign}{exponent}"
        assert [number.value for number in read_values(f"about {text} of it").numbers] == [exact]


@given(st.integers(1, 10**9))
def test_minus_signs(value: int) -> None:
    for text in (f"-{value:,} m", f"\u2212{value:,} m", f"minus {value:,} m", f"-${value:,}"):
        assert [number.value for number in read_values(f"It fell to {text}.").numbers] == [-value]
    assert all(n.value >= 0 for n in read_values(f"It ended {value:,}-{value:,}.").numbers)


@given(st.times().map(lambda time: time.replace(microsecond=0, tzinfo=None)))
def test_clock_times(time: datetime.time) -> None:
    seconds = 3600 * time.hour + 60 * time.minute + time.second
    for text in (f"{time:%H:%M:%S}", f"{time:%I:%M:%S} {time:%p}"):
        values = read_values(f"It began at {text}.")
        assert [mention.time.seconds for mention in values.times] == [seconds]
        assert not values.numbers
        assert not values.durations


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59))
def test_durations(hours: int, minutes: int, seconds: int) -> None:
    exact = 3600 * hours + 60 * minutes + seconds
    for text in (
        f"{hours}:{minutes:02d}:{seconds:02d}",
        f"{hours}h{minutes:02d}m{seconds:02d}s",
        f"{hours} h {minutes} min {seconds} s",
        f"{hours} hours, {minutes} minutes and {seconds} seconds",
    ):
        values = read_values(f"It was over in {text}.")
        assert [duration.seconds for duration in values.durations] == [exact]
        assert values.times == ()


@given(st.integers(0, 10**12 - 1))
def test_spelled_numbers(value: int) -> None:
    assert value in read_values(spelled(value)).distinct_numbers


def spelled(value: int) -> str:
    """An independent writer of number words."""
    units = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    units += "fifteen sixteen seventeen eighteen nineteen"
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if value < 20:
        return units.split()[value]
    if value < 100:
        unit = f"-{spelled(value % 10)}" if value % 10 else ""
        return tens[value // 10 - 2] + unit
    scales = {10**9: "billion", 10**6: "million", 1000: "thousand", 100: "hundred"}
    scale = next(scale for scale in scales if value >= scale)
    joint = " and " if value % scale < 100 else " "
    rest = joint + spelled(value % scale) if value % scale else ""
    return f"{spelled(value // scale)} {scales[scale]}{rest}"


@given(st.dates())
def test_full_dates(date: Any) -> None:
    if 1000 <= date.year <= 2100:
        expected = (Date(date.year, date.month, date.day),)
        day = f"{date.day}"
        for text in (f"{day} {date:%B} {date.year}", f"{date:%B} {day}, {date.year}", str(date)):
            assert read_values(f"It fell on {text}.").distinct_dates == expected


def calls(text: str) -> int:
    """The number of calls that reading the text takes; unlike time, it is reproducible."""
    count = 0

    def tick(_frame: FrameType, _event: str, _argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        read_values(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        *("1", "1,000", "one ", "a ", "one million ", "hundred and ", "May ", "5 and ", "1942-"),
        *("AD ", "5 May and ", "½", "twenty-", "in 1", "1/", ".", " ", "half a ", "In 1942, 3.2% "),
        *("1.", "1.234", "1 234 ", "1'234", "1,23", "12:", "10:30 ", "10:30:", "1h", "2h30 ", "a@"),
        *("a.", "+1 ", "1-", "0171 ", "call 5", "one point ", "one in ", "minus ", "- ", "-1 "),
        *("1 hour ", "a couple of ", "both ", "05.06.2023", "5.6.", "10^", "1e1", "7-9 pm ", "ab:"),
        *("97", "ISBN 1", "www.", "may 5 ", "'90s", "Q3 2021", "in 2150 "),
        *(
            "an hour ",
            "and a half ",
            "half past ",
            "in nineteen ",
            "in '98 ",
            "on 6/5/23 ",
            "2^10 ",
        ),
    ],
)
def test_work_is_linear_in_the_text(unit: str) -> None:
    once, twice = (calls(unit * count) for count in (500, 1000))
    assert twice <= 2.1 * once + 10


def test_reads_a_long_text() -> None:
    sentence = "In July 1942 some 3.2 million of the twenty-three towns fell, 45% of them in 1943. "
    values = read_values(sentence * (2**17 // len(sentence)))
    assert values.distinct_dates == (Date(1942, 7), Date(1943))
    assert list(values.distinct_numbers) == [Fraction("3.2"), 23, 45, 1942, 1943, 3_200_000]


def test_spans_of_times_durations_and_negative_numbers() -> None:
    text = "From 7 to 9 pm it was −5 °C; she ran 1 hour and 20 minutes, then 2h30, losing $-3k."
    values = read_values(text)
    assert [text[time.start : time.end] for time in values.times] == ["7", "9 pm"]
    assert [text[number.start : number.end] for number in values.numbers] == [
        *("5", "1", "20", "3", "3k"),
    ]
    assert [text[duration.start : duration.end] for duration in values.durations] == [
        *("1 hour and 20 minutes", "2h30"),
    ]


def test_spans_cover_the_words_of_a_value() -> None:
    text = "On 3 and 5 May 1645, half a million (the 21st of $2.5 billion) saw two thirds."
    values = read_values(text)
    assert [text[number.start : number.end] for number in values.numbers] == [
        *("3", "5", "1645", "half", "half a million"),
        *("21st", "2.5", "2.5 billion", "two thirds"),
    ]
    assert [text[date.start : date.end] for date in values.dates] == ["3", "5 May 1645"]
