"""The parts derivations are made of: words found, sums searched, plans nested, stores read back."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data import derive_arithmetic as arithmetic
from workings.data.records import Passage, Question
from workings.supervision import derivation_cache
from workings.supervision.derivation import Derivation, StepTarget, Supervision, plan
from workings.supervision.text_search import Text
from workings.values import Date

_NUMBERS = st.lists(
    st.fractions(min_value=0, max_value=40, max_denominator=4), max_size=7, unique=True
)


def _found(text: str, phrase: str) -> list[str]:
    return [text[start:end] for start, end in Text(text).find(phrase)]


def test_find_ignores_case_articles_and_punctuation() -> None:
    text = "The keeper of the Old Mill sold it. An old mill's worth; the Keeper of Old Mill left."
    assert _found(text, "old mill") == ["Old Mill", "old mill", "Old Mill"]
    assert _found(text, "The keeper of an old mill") == [
        "keeper of the Old Mill",
        "Keeper of Old Mill",
    ]
    assert _found(text, "old mills") == []
    assert _found(text, "") == []
    assert _found("a 26-yard run for 1,250 yards", "26-yard") == ["26-yard"]
    assert _found("a 26-yard run for 1,250 yards", "250") == []


def test_find_loosely_wants_most_words_together() -> None:
    text = "Orlin then hit a 30-yard and a short field goal. Later Tamm ran home."
    place = Text(text).find_loosely("Tamm quickly ran home")
    assert place is not None
    assert text[slice(*place)] == "Tamm ran home"
    assert Text(text).find_loosely("a quiet dark night") is None
    assert Text("").find_loosely("anything") is None


def test_closeness_counts_distinct_words() -> None:
    text = Text("goat goat cow " + "x " * 40 + "goat")
    near = text.closeness({"goat", "cow"})
    assert near[0] == 2
    assert near[25] == 0
    assert near[-2] == 1


@given(st.text(max_size=80), st.text(max_size=10))
def test_found_spans_lie_in_the_text(text: str, phrase: str) -> None:
    for start, end in Text(text).find(phrase):
        assert 0 <= start < end <= len(text)


@given(_NUMBERS, st.fractions(min_value=0, max_value=60, max_denominator=4))
def test_searches_agree_with_brute_force(values: list[Fraction], target: Fraction) -> None:
    two = list(product(range(len(values)), repeat=2))
    three = list(product(range(len(values)), repeat=3))
    v = values
    assert _rows(arithmetic.pair_sums(v, target)) == [
        (i, j) for i, j in two if i <= j and v[i] + v[j] == target
    ]
    assert _rows(arithmetic.pair_differences(v, target)) == [
        (i, j) for i, j in two if v[i] - v[j] == target
    ]
    assert _rows(arithmetic.triple_sums(v, target)) == [
        (i, j, k) for i, j, k in three if i < j < k and v[i] + v[j] + v[k] == target
    ]
    assert _rows(arithmetic.sums_less_one(v, target)) == [
        (i, j, k) for i, j, k in three if i < j and k not in (i, j) and v[i] + v[j] - v[k] == target
    ]
    assert _rows(arithmetic.one_less_sums(v, target)) == [
        (i, j, k) for i, j, k in three if j < k and i not in (j, k) and v[i] - v[j] - v[k] == target
    ]


def test_searches_are_exact_beyond_64_bits() -> None:
    values = [Fraction(10**30), Fraction(10**30 + 1), Fraction(1, 3)]
    assert _rows(arithmetic.pair_differences(values, Fraction(1))) == [(1, 0)]


def _rows(ways: arithmetic.Ways) -> list[tuple[int, ...]]:
    return [tuple(row) for row in ways.tolist()]


def test_plans_number_their_steps_as_programs_are_walked() -> None:
    one, two = (plan("find-num", plan("find"), numbers=[Fraction(n)]) for n in (1, 2))
    whole = plan("sub", two, one)
    names = [step.name for step in whole.program.walk()]
    assert [(names[pick.step], pick.numbers) for pick in whole.targets] == [
        ("find-num", (Fraction(2),)),
        ("find-num", (Fraction(1),)),
    ]
    assert [pick.step for pick in whole.targets] == [1, 3]
    assert whole.size == len(names)


_SUPERVISION = Supervision(
    derivations=(
        Derivation(
            "time-diff(find)",
            (StepTarget(1, (Fraction(1, 3),), (Date(-44, 3, None),), ((2, 5),)),),
            from_evidence=True,
        ),
    ),
    count=70,
    spans=((0, 4),),
    question_spans=((1, 2), (5, 6)),
    numbers=(Fraction(5),),
    dates=(Date(1900, None, None),),
)


def test_store_gives_back_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "kept.json.gz"
    derivation_cache.save(path, {"q": _SUPERVISION, "empty": Supervision()})
    assert derivation_cache.load(path) == {"q": _SUPERVISION, "empty": Supervision()}


@pytest.mark.parametrize("raw", [b"", b"\x1f\x8bbroken", b"[]", b'{"q": [1]}', b'{"q": null}'])
def test_damaged_store_counts_as_absent(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "kept.json.gz"
    path.write_bytes(raw)
    assert derivation_cache.load(path) is None


def test_store_name_follows_the_content() -> None:
    one = Passage("p", "Three goats.", (Question("q", "How many goats?", ()),))
    other = Passage("p", "Four goats.", one.questions)
    assert derivation_cache.cache_name([one]) == derivation_cache.cache_name([one])
    assert derivation_cache.cache_name([one]) != derivation_cache.cache_name([other])
