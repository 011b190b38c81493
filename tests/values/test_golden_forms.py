"""The table of written forms: every text gives exactly the values that a reader expects."""

from fractions import Fraction

import golden_forms as golden
import pytest
from test_golden import cases

from workings.values import format_exact, read_values

TABLES = {
    "numbers": golden.NUMBERS,
    "dates": golden.DATES,
    "times": golden.TIMES,
    "durations": golden.DURATIONS,
}


def written(text: str, sort: str) -> str:
    """All values of one sort as the table writes them."""
    values = read_values(text)
    match sort:
        case "numbers":
            return " ".join(str(number.value) for number in values.numbers)
        case "dates":
            return "; ".join(str(mention.date) for mention in values.dates)
        case "times":
            return "; ".join(str(mention.time) for mention in values.times)
    return " ".join(format_exact(duration.seconds) for duration in values.durations)


def expected_form(expected: str, sort: str) -> str:
    """The table's values; numbers as fractions in lowest terms."""
    return " ".join(str(Fraction(v)) for v in expected.split()) if sort == "numbers" else expected


@pytest.mark.parametrize(
    ("text", "expected", "sort"),
    [(*case, sort) for sort, table in TABLES.items() for case in cases(table)],
)
def test_forms(text: str, expected: str, sort: str) -> None:
    assert written(text, sort) == expected_form(expected, sort)


@pytest.mark.xfail(reason="not read yet; listed in docs/values.md", strict=True)
@pytest.mark.parametrize(
    ("text", "expected", "sort"),
    [(*case, sort) for sort, table in golden.GAPS.items() for case in table],
)
def test_gaps(text: str, expected: str, sort: str) -> None:
    assert written(text, sort) == expected_form(expected, sort)


@pytest.mark.parametrize(("text", "expected"), golden.UNITS)
def test_units(text: str, expected: str) -> None:
    assert [number.unit for number in read_values(text).numbers] == expected.split()


def test_table_of_forms_is_large() -> None:
    assert sum(len(cases(table)) for table in TABLES.values()) >= 400
