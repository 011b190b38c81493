"""Kinds of hand-written questions, and of the released data if it is available."""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.build import write_drop
from workings.data.kinds import (
    kind_of,
    load_split,
    operand_counts,
    operation_of,
    read_split,
    with_kinds,
)
from workings.data.records import KINDS, GoldAnswer, Passage, Question, read_passages
from workings.errors import DataWarning

SPAN = GoldAnswer(spans=("the flood",))
KIND_BY_QUESTION = {
    "Which happened first, the flood or the fire?": "date-compare",
    "What happened earlier: the flood or the fire?": "date-compare",
    "What event came later, the flood or the fire?": "date-compare",
    "How many years after the flood did the bridge open?": "date-difference",
    "How many years passed between the flood and the fire?": "date-difference",
    "How many years was the ferry in service?": "date-difference",
    "Were there more farms or mills?": "number-compare",
    "Which age group is smaller: under 18 or over 65?": "number-compare",
    "How many yards was the longest field goal?": "extract-number",
    "How many field goals did the visitors kick?": "count",
    "How many touchdowns were scored in the game?": "count",
    "Who threw the longest pass?": "extract-argument",
    "Which player scored the last try?": "extract-argument",
}
NO_KIND = (
    "Which happened first, the flood, the fire or the quake or the war?",
    "Which event happened?",
    "Were there more touchdowns or field goals?",
    "Which group was larger, the farms, the mills, or the mines?",
    "How many yards was the second longest run?",
    "Who won?",
    "",
)


@pytest.mark.parametrize("question", KIND_BY_QUESTION)
def test_kind_by_ngrams(question: str) -> None:
    assert kind_of(question, SPAN, None) == KIND_BY_QUESTION[question]
    assert kind_of(question.upper(), None, None) == KIND_BY_QUESTION[question]


@pytest.mark.parametrize("question", NO_KIND)
def test_other_questions_have_no_kind(question: str) -> None:
    assert kind_of(question, SPAN, None) is None


def test_comparisons_need_a_span_answer() -> None:
    number = GoldAnswer(number="3")
    assert kind_of("Which happened first, the flood or the fire?", number, None) is None
    assert kind_of("Were there more farms or mills?", number, None) is None


def test_priority_of_kinds() -> None:
    both = "Who scored the try, and how many yards was it?"
    assert kind_of(both, None, None) == "extract-argument"
    assert kind_of("How many more yards, and how many passes?", None, None) == "count"


def test_date_compare_needs_dates_near_both_events() -> None:
    question = "Which happened first, the flood or the fire?"
    near = "The flood of 1881 came before the fire of 1902."
    far = "The flood spared the mill. " + "Nothing else is known of it. " * 9 + "The fire: 1902."
    assert kind_of(question, SPAN, near) == "date-compare"
    assert kind_of(question, SPAN, far) is None
    assert kind_of(question, SPAN, "The flood came before the fire.") is None
    assert kind_of(question, SPAN, "In 1881 the flood came.") is None


HARVEST = "The farm sold 40 sheep, 25 goats, 7 cows and 1,300 hens for $2.5 million."


@pytest.mark.parametrize(
    ("question", "number", "counts"),
    [
        ("How many more sheep than goats were sold?", "15", (2,)),
        ("How many more sheep than goats were sold?", "16", ()),
        ("How many more sheep than goats were sold?", "0", (2,)),
        ("How many yards difference was there?", "1,293", (2,)),
        ("How many more sheep than goats and cows were sold?", "8", (3,)),
        ("How many more goats and cows than sheep were sold?", "58", (3,)),
        ("How many more sheep compared to goats and cows?", "18", (2,)),
        ("How many total sheep and goats were sold?", "65", (2,)),
        ("How many goats and cows combined were sold?", "32", (2,)),
        ("How many goats and cows combined were sold?", "72", ()),
        ("How many total sheep, goats and cows were sold?", "72", (3,)),
        ("How many total cows, twice two, and three times?", "21", (3,)),
        ("How many sheep were sold?", "40", ()),
        ("How many more dollars than millions?", "2499960", (2,)),
        ("How many more sheep than goats were sold?", "many", ()),
        ("How many more sheep than goats were sold?", "1/0", ()),
    ],
)
def test_add_sub_needs_numbers_that_give_the_answer(
    question: str, number: str, counts: tuple[int, ...]
) -> None:
    answer = GoldAnswer(number=number)
    assert operand_counts(question, answer, HARVEST) == counts
    assert kind_of(question, answer, HARVEST) == ("add-sub" if counts else None)


def test_operand_counts_without_answer_or_passage() -> None:
    assert operand_counts("How many more sheep than goats?", None, None) == (2,)
    assert operand_counts("How many more sheep than goats and cows combined?", None, None) == (3,)
    assert operand_counts("How many total sheep?", GoldAnswer(number="3"), None) == (2,)


def test_given_kinds_are_kept() -> None:
    plain = Question("a", "Who threw the longest pass?", (GoldAnswer(spans=("Ada",)),))
    given_kind = Question("b", "How often?", (GoldAnswer(number="3"),), kind="count")
    sum_question = Question("c", "How many total sheep and goats?", (GoldAnswer(number="65"),))
    (labelled,) = with_kinds([Passage("p", HARVEST, (plain, sum_question))])
    (given_file,) = with_kinds([Passage("p", HARVEST, (plain, given_kind, sum_question))])
    assert [question.kind for question in labelled.questions] == ["extract-argument", "add-sub"]
    assert [question.kind for question in given_file.questions] == [None, "count", "add-sub"]


def test_load_split_labels_kinds(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(
        '{"passage": "Ada threw.", "question": "Who threw the ball?"}', encoding="utf-8"
    )
    assert load_split(path)[0].questions[0].kind == "extract-argument"


def test_load_split_warns_of_malformed_records(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    good = '{"passage": "Ada threw.", "question": "Who threw the ball?"}'
    path.write_text(f"{good}\n{{}}\n", encoding="utf-8")
    with pytest.warns(DataWarning, match=r"1 malformed records were skipped\. First: .*line 2"):
        assert len(load_split(path)) == 1
    assert len(read_split(path).malformed) == 1


@given(question=st.text(), number=st.text(), passage=st.text())
def test_never_raises(question: str, number: str, passage: str) -> None:
    for answer in (None, GoldAnswer(number=number), GoldAnswer(spans=(number,))):
        assert kind_of(question, answer, passage) in (*KINDS, None)


@pytest.mark.skipif("WORKINGS_DATA" not in os.environ, reason="WORKINGS_DATA names no data folder")
def test_agrees_with_the_released_kinds() -> None:
    passages = read_passages(Path(os.environ["WORKINGS_DATA"]) / "dev.json.gz").passages
    pairs = Counter(
        (question.kind, kind_of(question.text, question.answers[0], passage.text))
        for passage in passages
        for question in passage.questions
        if question.kind
    )
    agreed = sum(count for (released, labelled), count in pairs.items() if released == labelled)
    assert agreed >= 0.98 * pairs.total()


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("How many more sheep than goats were sold?", "sub"),
        ("How many yards difference was there?", "sub"),
        ("How many more sheep and goats combined than cows?", "sub"),
        ("How many total sheep were sold?", "add"),
        ("How many sheep and goats were sold combined?", "add"),
        ("How many sheep were sold?", None),
    ],
)
def test_operation_of(question: str, operation: str | None) -> None:
    assert operation_of(question) == operation


def test_limit_spreads_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ten.json.gz"
    questions = (Question("q", "How many sheep?", (GoldAnswer(number="3"),)),)
    write_drop(path, [Passage(str(index), f"{index} sheep.", questions) for index in range(10)])
    loaded = {limit: [p.id for p in load_split(path, limit=limit)] for limit in (0, 3, 99)}
    every = [str(index) for index in range(10)]
    assert loaded == {0: every, 3: ["0", "3", "6"], 99: every}
