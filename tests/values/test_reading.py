"""Properties of reading any text: no errors, valid positions, linear time."""

import sys
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
    "( ) \u00a0 dozen ٣ İ &# \u0661\u0669\u0664\u0662".split(" ")
)
SPACES = st.sampled_from(["", " ", "-", "\u00a0", ", "])
TEXTS = st.text() | st.lists(st.tuples(PARTS, SPACES), max_size=12).map(
    lambda pairs: "".join(part + space for part, space in pairs)
)


@settings(max_examples=500)
@given(TEXTS)
def test_positions_in_any_text(text: str) -> None:
    values = read_values(text)
    for mentions in (values.numbers, values.dates):
        spans = [(mention.start, mention.end) for mention in mentions]
        assert spans == sorted(spans)
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(text[start:end].strip() == text[start:end] for start, end in spans)
    assert all(number.value >= 0 for number in values.numbers)
    assert list(values.distinct_numbers) == sorted(set(values.distinct_numbers))
    assert len(set(values.distinct_dates)) == len(values.distinct_dates)


@given(TEXTS)
def test_dates_have_possible_parts(text: str) -> None:
    for date in read_values(text).distinct_dates:
        assert date.year is not None or date.month is not None
        assert date.month is None or 1 <= date.month <= 12
        assert date.day is None or (date.month is not None and 1 <= date.day <= 31)


@given(TEXTS, TEXTS)
def test_paragraphs_are_read_separately(first: str, second: str) -> None:
    gap = "\n\n\n\n.\n\n\n\n"
    joined = read_values(first + gap + second)
    values = [number.value for text in (first, second) for number in read_values(text).numbers]
    assert [number.value for number in joined.numbers] == values


@given(st.integers(0, 10**15))
def test_grouped_digits(value: int) -> None:
    assert read_values(f"There were {value:,} of them.").numbers[0].value == value


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
    ],
)
def test_work_is_linear_in_the_text(unit: str) -> None:
    once, twice = (calls(unit * count) for count in (500, 1000))
    assert twice <= 2.1 * once + 10


def test_reads_a_megabyte() -> None:
    sentence = "In July 1942 some 3.2 million of the twenty-three towns fell, 45% of them in 1943. "
    values = read_values(sentence * (2**20 // len(sentence)))
    assert values.distinct_dates == (Date(1942, 7), Date(1943))
    assert list(values.distinct_numbers) == [Fraction("3.2"), 23, 45, 1942, 1943, 3_200_000]


def test_spans_cover_the_words_of_a_value() -> None:
    text = "On 3 and 5 May 1645, half a million (the 21st of $2.5 billion) saw two thirds."
    values = read_values(text)
    assert [text[number.start : number.end] for number in values.numbers] == [
        *("3", "5", "1645", "half", "half a million"),
        *("21st", "2.5", "2.5 billion", "two thirds"),
    ]
    assert [text[date.start : date.end] for date in values.dates] == ["3", "5 May 1645"]
