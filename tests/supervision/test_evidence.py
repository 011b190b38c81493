"""Reading evidence as items, sums and dates."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.supervision.evidence import read_evidence
from workings.values import Date


@pytest.mark.parametrize(
    ("text", "added", "subtracted"),
    [
        ("34-21", ["34"], ["21"]),
        ("10+5-3", ["10", "5"], ["3"]),
        ("100-23.5", ["100"], ["23.5"]),
        ("14-0", ["14"], ["0"]),
        ("18–10", ["18"], ["10"]),
        ("7,000 - 5,000", ["7000"], ["5000"]),
        ("100-(20+5)", ["100"], ["20", "5"]),
        ("(9+8)-(4-1)", ["9", "8", "1"], ["4"]),
        ("$40-$15", ["40"], ["15"]),
        ("26-yard+15 yards", ["26", "15"], []),
        ("34-21=13", ["34"], ["21"]),
        ("51", ["51"], []),
        ("21-(-3)", ["21", "3"], []),
        ("-5+12", ["12"], ["5"]),
        ("-5", [], []),
        ("(3*7)+1", [], []),
        ("2 million-1.5 million", ["2000000"], ["1500000"]),
        ("53-yard field goal", [], []),
        ("3*7", [], []),
        ("trailed 14-3 at the break", [], []),
        ("", [], []),
    ],
)
def test_sum(text: str, added: list[str], subtracted: list[str]) -> None:
    evidence = read_evidence(text)
    assert evidence.added == tuple(map(Fraction, added))
    assert evidence.subtracted == tuple(map(Fraction, subtracted))


def test_total() -> None:
    assert read_evidence("0.3-0.1-0.1").total == Fraction(1, 10)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("53;24;40", [[53], [24], [40]]),
        ("33-yard; 30-yard;", [[33], [30]]),
        ("two field goals", [[2]]),
        ("a late goal", [[]]),
        (" ; ", []),
    ],
)
def test_items(text: str, numbers: list[list[int]]) -> None:
    assert [list(item.numbers) for item in read_evidence(text).items] == numbers


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("1689-1683", [(1689, None, None), (1683, None, None)]),
        ("27 July 1689;21 August 1689", [(1689, 7, 27), (1689, 8, 21)]),
        ("January 1564-November 1563", [(1564, 1, None), (1563, 11, None)]),
        ("May 1401 to June 1402", [(1401, 5, None), (1402, 6, None)]),
        ("1500;1510;1520", []),
        ("34-21", []),
    ],
)
def test_date_pair(text: str, dates: list[tuple[int, int | None, int | None]]) -> None:
    assert read_evidence(text).date_pair == tuple(Date(*date) for date in dates)


@pytest.mark.parametrize("text", ["none", " None ", "0", "zero"])
def test_none(text: str) -> None:
    assert read_evidence(text).is_none


@given(st.text(max_size=60) | st.text(alphabet="0123456789.,;+-–*/() $%=yard", max_size=30))
def test_never_raises(text: str) -> None:
    evidence = read_evidence(text)
    assert all(item.text for item in evidence.items)


@given(st.lists(st.tuples(st.sampled_from("+-"), st.integers(0, 9999)), min_size=1, max_size=5))
def test_total_of_any_sum(terms: list[tuple[str, int]]) -> None:
    text = "0" + "".join(f"{sign}{value}" for sign, value in terms)
    expected = sum(value if sign == "+" else -value for sign, value in terms)
    assert read_evidence(text).total == expected
