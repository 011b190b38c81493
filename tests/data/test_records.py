"""Reading DROP's JSON and JSON lines, valid and damaged."""

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.records import KINDS, Ask, GoldAnswer, Passage, Question, read_passages
from workings.errors import DataError

TEXT = "The hikers climbed 820 meters on 3 May 1951 and 640 meters the day after."
PAIR: dict[str, Any] = {
    "query_id": "q1",
    "question": "How many meters did they climb on the first day?",
    "answer": {"number": "820", "date": {"day": "", "month": "", "year": ""}, "spans": []},
    "validated_answers": [{"number": "", "date": {}, "spans": ["820 meters"]}],
}
DROP = {"hike": {"passage": TEXT, "qa_pairs": [PAIR]}}


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_reads_drop(tmp_path: Path) -> None:
    loaded = read_passages(write(tmp_path / "hike.json", DROP))
    answers = (GoldAnswer(number="820"), GoldAnswer(spans=("820 meters",)))
    question = Question("q1", PAIR["question"], answers)
    assert loaded.passages == (Passage("hike", TEXT, (question,)),)
    assert loaded.malformed == ()


@pytest.mark.parametrize("name", ["hike.json.gz", "gzipped-under-a-plain-name.json"])
def test_reads_gzip_by_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(json.dumps(DROP).encode()))
    assert read_passages(path) == read_passages(write(tmp_path / "plain.json", DROP))


def test_reads_additional_fields(tmp_path: Path) -> None:
    ours = {"kind": "count", "evidence": "820", "source": "annotated", "augmented": True}
    path = write(tmp_path / "hike.json", {"hike": {"passage": TEXT, "qa_pairs": [PAIR | ours]}})
    question = read_passages(path).passages[0].questions[0]
    assert {name: getattr(question, name) for name in ours} == ours


def test_reads_type_asks_and_place(tmp_path: Path) -> None:
    ours = {
        "type": "sub",
        "asks": [{"role": "value", "phrase": "climb", "values": ["820", 3]}, {"phrase": "more"}],
        "start": 7,
    }
    pairs = [PAIR | ours, {"question": "Who?", "answer": None, "unanswerable": True}]
    record = {"passage": TEXT, "qa_pairs": pairs, "title": "Hikes"}
    (passage,) = read_passages(write(tmp_path / "hike.json", {"hike": record})).passages
    typed, unanswerable = passage.questions
    assert passage.title == "Hikes"
    assert (typed.type, typed.start, typed.unanswerable) == ("sub", 7, False)
    assert typed.asks == (Ask("value", "climb", ("820", "3")), Ask("", "more"))
    assert (unanswerable.unanswerable, unanswerable.answers) == (True, ())


def test_fields_that_are_absent(tmp_path: Path) -> None:
    record = {"passage": TEXT, "qa_pairs": [PAIR | {"start": -1, "asks": None}]}
    (passage,) = read_passages(write(tmp_path / "hike.json", {"hike": record})).passages
    (question,) = passage.questions
    assert (question.type, question.asks, question.start, passage.title) == (None, (), None, "")


def test_empty_answer_is_left_out(tmp_path: Path) -> None:
    empty = PAIR | {"answer": {"number": "", "date": {}, "spans": [" "]}, "validated_answers": []}
    path = write(tmp_path / "hike.json", {"hike": {"passage": TEXT, "qa_pairs": [empty]}})
    assert read_passages(path).passages[0].questions[0].answers == ()


@pytest.mark.parametrize(
    ("raw", "answers"),
    [
        (None, ()),
        ("1,460", (GoldAnswer(number="1,460"),)),
        ("-2.5", (GoldAnswer(number="-2.5"),)),
        ("820 meters", (GoldAnswer(spans=("820 meters",)),)),
        (820, (GoldAnswer(number="820"),)),
        (0.5, (GoldAnswer(number="0.5"),)),
        (["May", "June"], (GoldAnswer(spans=("May", "June")),)),
        (
            {"date": {"day": "3", "month": "May", "year": 1951}},
            (GoldAnswer(date=("3", "May", "1951")),),
        ),
    ],
)
def test_lines_accept_plain_answers(
    tmp_path: Path, raw: object, answers: tuple[GoldAnswer, ...]
) -> None:
    path = write(tmp_path / "one.jsonl", {"passage": TEXT, "question": "When?", "answer": raw})
    assert read_passages(path).passages[0].questions == (Question("line-1", "When?", answers),)


def test_lines_with_one_text_become_one_passage(tmp_path: Path) -> None:
    texts = [TEXT, "Another text.", TEXT]
    lines = [json.dumps({"passage": text, "question": f"{n}?"}) for n, text in enumerate(texts)]
    path = tmp_path / "three.jsonl"
    path.write_text("\n".join([lines[0], "", *lines[1:], ""]), encoding="utf-8")
    first, second = read_passages(path).passages
    assert [question.id for question in first.questions] == ["line-1", "line-4"]
    assert [question.text for question in second.questions] == ["1?"]


def test_unicode_line_separator_does_not_end_a_line(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    line = json.dumps({"passage": "One\u2028two.", "question": "When?"}, ensure_ascii=False)
    path.write_text(line, encoding="utf-8")
    assert read_passages(path).malformed == ()


BAD_PAIRS = {
    "a string": "the question record is not an object",
    "no question": "'question' is missing, empty or not text",
    "an odd answer": "the answer is not an object",
    "odd spans": "the answer's spans are not a list of strings",
    "an unknown kind": "unknown kind 'add-sup': Did you mean 'add-sub'?",
    "an unknown type": "unknown type 'raito': Did you mean 'ratio'?",
    "odd asks": "an entry of 'asks' is not an object",
    "asks without words": "'phrase' is missing, empty or not text",
    "odd values": "the values of an entry of 'asks' are not a list",
    "an odd place": "'start' is not a whole number",
}


def bad_pair(what: str) -> object:
    return {
        "a string": "How many?",
        "no question": {"question": " "},
        "an odd answer": PAIR | {"answer": True},
        "odd spans": PAIR | {"answer": {"spans": [3]}},
        "an unknown kind": PAIR | {"kind": "add-sup"},
        "an unknown type": PAIR | {"type": "raito"},
        "odd asks": PAIR | {"asks": ["more"]},
        "asks without words": PAIR | {"asks": [{"role": "op"}]},
        "odd values": PAIR | {"asks": [{"phrase": "more", "values": "3"}]},
        "an odd place": PAIR | {"start": "7"},
    }[what]


@pytest.mark.parametrize("what", BAD_PAIRS)
def test_malformed_question_is_reported_and_skipped(tmp_path: Path, what: str) -> None:
    record = {"passage": TEXT, "qa_pairs": [bad_pair(what), PAIR]}
    path = write(tmp_path / "hike.json", {"hike": record})
    loaded = read_passages(path)
    assert [question.id for question in loaded.passages[0].questions] == ["q1"]
    (fault,) = loaded.malformed
    assert str(fault) == f"{path}: passage hike, question 1: {BAD_PAIRS[what]}"
    with pytest.raises(DataError, match="question 1") as raised:
        read_passages(path, strict=True)
    assert "--strict" in raised.value.hint


@pytest.mark.parametrize("record", [[], {"passage": TEXT}, {"passage": "", "qa_pairs": []}])
def test_malformed_passage_is_reported_and_skipped(tmp_path: Path, record: object) -> None:
    loaded = read_passages(write(tmp_path / "two.json", DROP | {"bad": record}))
    assert [passage.id for passage in loaded.passages] == ["hike"]
    assert [fault.location for fault in loaded.malformed] == ["passage bad"]


def test_malformed_line_is_reported_and_skipped(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text('{"passage": "A day.", "question": "When?"}\n{"passage": \n', encoding="utf-8")
    loaded = read_passages(path)
    assert len(loaded.passages) == 1
    assert [fault.location for fault in loaded.malformed] == ["line 2"]


UNREADABLE = {
    "empty": b"",
    "blank": b" \n\n",
    "latin-1": '{"café": {}}'.encode("latin-1"),
    "binary": bytes(range(256)),
    "cut gzip": gzip.compress(json.dumps(DROP).encode())[:-12],
    "damaged gzip": gzip.compress(json.dumps(DROP).encode())[:15] + b"\xff" * 40,
    "not json": b"How many meters?",
    "a list": b"[]",
    "two values": b"{}\n{}",
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_unreadable_file(tmp_path: Path, what: str) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(UNREADABLE[what])
    with pytest.raises(DataError) as raised:
        read_passages(path)
    assert raised.value.message.startswith(f"{path}: ")
    assert "\n" not in raised.value.message
    assert raised.value.hint


def test_missing_file_and_directory(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(DataError, match=r"No such file|Is a directory"):
            read_passages(path)


FIELDS = (
    *("passage", "qa_pairs", "question", "query_id", "answer", "validated_answers"),
    *("number", "spans", "date", "kind", "evidence"),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(record=json_values)
def test_any_record_is_read_or_reported(
    tmp_path_factory: pytest.TempPathFactory, record: object
) -> None:
    folder = tmp_path_factory.mktemp("any")
    good = {"passage": TEXT, "question": "When?"}
    drop = {"only": record, "good": {"passage": TEXT, "qa_pairs": [PAIR]}}
    loaded = read_passages(write(folder / "any.json", drop))
    assert len(loaded.passages) + len(loaded.malformed) >= 2
    (folder / "any.jsonl").write_text(f"{json.dumps(record)}\n{json.dumps(good)}")
    loaded = read_passages(folder / "any.jsonl")
    assert sum(len(passage.questions) for passage in loaded.passages) + len(loaded.malformed) == 2


def test_there_are_seven_kinds() -> None:
    assert len(set(KINDS)) == 7


def test_lone_surrogate_only_affects_its_record(tmp_path: Path) -> None:
    line = json.dumps({"passage": TEXT, "question": "When?"})
    for name in ("passage", "question", "id", "evidence", "answer"):
        broken = json.dumps({"passage": TEXT, "question": "When?", name: "A \ud83d"})
        path = tmp_path / "broken.jsonl"
        path.write_text(f"{broken}\n{line}\n", encoding="utf-8")
        loaded = read_passages(path)
        assert [question.id for question in loaded.passages[0].questions] == ["line-2"]
        assert "half of a character" in loaded.malformed[0].reason


def test_rejects_file_without_valid_records(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.json", {"a": {"passage": TEXT, "qa_pairs": [{}, {}]}, "b": 1})
    with pytest.raises(DataError, match=r"None of 3 records .*passage a, question 1"):
        read_passages(path)


@pytest.mark.parametrize("name", ["long.json", "long.jsonl"])
def test_rejects_too_long_numbers(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"a": ' + "9" * 5_000 + "}", encoding="utf-8")
    with pytest.raises(DataError, match="not JSON"):
        read_passages(path)


@pytest.mark.parametrize("text", ["\x01\x02", "\u200b\u202e", "?!"])
def test_question_without_words_is_skipped(tmp_path: Path, text: str) -> None:
    path = write(
        tmp_path / "hike.json",
        {"hike": {"passage": TEXT, "qa_pairs": [PAIR, PAIR | {"question": text}]}},
    )
    loaded = read_passages(path)
    assert len(loaded.passages[0].questions) == len(loaded.malformed) == 1


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("820", Fraction(820)),
        ("1,460", Fraction(1460)),
        (" 2.5 ", Fraction(5, 2)),
        ("1e3", Fraction(1000)),
        ("", None),
        ("many", None),
        ("1/0", None),
        ("1e99999999", None),
    ],
)
def test_exact_number(number: str, value: Fraction | None) -> None:
    assert GoldAnswer(number=number).exact_number == value
