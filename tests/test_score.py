"""Tests of the official DROP score: known edge cases, properties and whole files."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.records import GoldAnswer, Passage, Question
from workings.errors import DataError, InputError
from workings.score import (
    PredictedAnswer,
    Unanswerable,
    best_score,
    gold_strings,
    grade,
    normalise,
    read_predictions,
    score_answer,
    score_predictions,
)

FAT_CAT = ["the", "fat", "cat", "the fat", "fat cat", "the fat cat"]

# Prediction, gold answer, exact match and F1, as the official script computes them.
PAIRS: list[tuple[PredictedAnswer, PredictedAnswer, float, float]] = [
    ("78", "78.0", 1, 1),
    ("1,000", "1000", 1, 1),
    ("100", "1e2", 1, 1),
    ("3.5%", "3.5", 0, 0),
    ("3.5%", "35", 1, 1),
    ("-5", "5", 1, 1),
    ("five", "5", 0, 0),
    ("22", "twenty-two", 0, 0),
    ("1st", "1", 0, 0),
    ("78-yard", "78 yard", 1, 1),
    ("78", "78-yard", 0, 0.67),
    ("26", "26 yard td", 0, 0.5),
    ("yard", "36 yard td", 0, 0),
    ("36 yard td", "yard", 0, 0.5),
    ("36 37 yard", "36 yard", 0, 0.8),
    ("23 yards", "43 yards", 0, 0),
    ("10\nyards", "10 yards", 0, 0),
    ("10\n", "10", 1, 1),
    ("1963-1974", "1963–1974", 0, 0),
    ("the a NOT an ARTICLE the an a", "NOT ARTICLE", 1, 1),
    ("the", "a", 1, 1),
    ("", "army", 0, 0),
    ("", "", 1, 1),
    ([], ["x"], 0, 0),
    (["x"], [], 0, 0),
    ([], [], 1, 1),  # the official script divides by zero here
    ("John Elton", "Elton John", 0, 1),
    ("John John Smith", "John Smith", 0, 1),
    ("August 17", "17 August ", 0, 1),
    ("17 August", "17 August ", 1, 1),
    ("17", "17 August 1990", 0, 0.5),
    (["td"], ["td", "td"], 0, 0.5),
    (["td", "td"], ["td"], 0, 0.5),
    (["a1", "a1", "b1"], ["a1", "b1", "b1"], 1, 0.67),
    (["b"], ["a", "b"], 0, 0.5),
    (FAT_CAT, ["cat"], 0, 0.17),
    (FAT_CAT, ["cat", "cat dog"], 0, 0.25),
    (
        ["78-yard", "56", "28", "40", "44", "touchdown"],
        ["78-yard", "56 yard", "1 yard touchdown"],
        0,
        0.28,
    ),
    (["23", "23 yard"], ["23-yard", "56 yards"], 0, 0.5),
    (["John Karman", "Joe Hardy"], ["Joe Karman", "John Hardy"], 0, 0.5),
    (["ottoman", "Kantakouzenous"], ["ottoman", "army of Kantakouzenous"], 0, 0.75),
    (["Green bay packers"], ["Green bay", "packers"], 0, 0.4),
    ("U.S.", "us", 1, 1),
    ("S.K. Singh", "sk singh", 1, 1),
]


@pytest.mark.parametrize(("prediction", "gold", "em", "f1"), PAIRS)
def test_score_of_one_answer(
    prediction: PredictedAnswer, gold: PredictedAnswer, em: float, f1: float
) -> None:
    assert score_answer(prediction, gold) == (em, f1)


@pytest.mark.parametrize(
    ("matches", "f1"), [(4, 0.22), (6, 0.32), (9, 0.48), (10, 0.52), (16, 0.82)]
)
def test_f1_is_rounded_as_numpy_does(matches: int, f1: float) -> None:
    gold = [f"w{i}" for i in range(20)]
    half = f"{gold[matches]} y z"  # one word of three: precision 1/3, recall 1, F1 0.5
    assert score_answer([*gold[:matches], half], gold)[1] == f1


def test_normalise_numbers() -> None:
    assert normalise("1_000 .5 5. ٣") == "1000.0 0.5 5.0 3.0"
    assert normalise("nan Infinity") == "nan inf"
    assert normalise("tab\tand the-end") == "tab and end"


WORDS = st.lists(st.sampled_from(["red", "blue", "the", "7", "7.0", "12"]), max_size=3)
SPANS = st.lists(WORDS.map(" ".join), max_size=4)
PLAIN = st.lists(st.text("xyz ", max_size=6), max_size=4)


def reference_f1(predicted: list[str], gold: list[str]) -> float:
    """Mean F1 of the best alignment, found by trying all alignments."""
    longer, shorter = sorted((predicted, gold), key=len, reverse=True)
    best = 0.0
    for order in itertools.permutations(longer, len(shorter)):
        pairs = (
            zip(order, shorter, strict=True)
            if longer is predicted
            else zip(shorter, order, strict=True)
        )
        best = max(best, sum(score_answer(p, g)[1] for p, g in pairs))
    return best / max(len(longer), 1)


@given(SPANS.filter(bool), SPANS.filter(bool))
def test_alignment_is_optimal(predicted: list[str], gold: list[str]) -> None:
    # The reference rounds each pair before it takes the mean, hence the tolerance.
    assert score_answer(predicted, gold)[1] == pytest.approx(
        reference_f1(predicted, gold), abs=0.0101
    )


@given(st.lists(st.text()), st.lists(st.text()))
def test_scores_are_between_0_and_1(predicted: list[str], gold: list[str]) -> None:
    em, f1 = score_answer(predicted, gold)
    assert em in (0, 1)
    assert 0 <= f1 <= 1


@given(st.lists(st.text(), min_size=1))
def test_answer_matches_itself(spans: list[str]) -> None:
    assert score_answer(spans, spans) == (1, 1)
    assert score_answer(spans[::-1], spans) == (1, 1)


@given(SPANS, SPANS)
def test_exact_match_is_symmetric(left: list[str], right: list[str]) -> None:
    assert score_answer(left, right)[0] == score_answer(right, left)[0]


@given(PLAIN, PLAIN)
def test_f1_is_symmetric_without_numbers(left: list[str], right: list[str]) -> None:
    assert score_answer(left, right)[1] == score_answer(right, left)[1]


def question(id: str, *answers: GoldAnswer, kind: str | None = None) -> Question:
    return Question(id=id, text="How many?", answers=answers, kind=kind)


def passage(*questions: Question) -> Passage:
    return Passage(id="p", text="A text.", questions=questions)


SEVENTEENTH = GoldAnswer(date=("17", "August", ""))


@pytest.mark.parametrize(
    ("answer", "strings", "answer_type"),
    [
        (GoldAnswer(number="3", spans=("x",)), ("3",), "number"),
        (GoldAnswer(spans=("x",)), ("x",), "span"),
        (GoldAnswer(spans=("x", "y")), ("x", "y"), "spans"),
        (SEVENTEENTH, ("17 August ",), "date"),
        (GoldAnswer(), ("  ",), "date"),
    ],
)
def test_gold_strings(answer: GoldAnswer, strings: tuple[str, ...], answer_type: str) -> None:
    assert gold_strings(answer) == (strings, answer_type)


def test_best_of_several_gold_answers() -> None:
    answers = (SEVENTEENTH, GoldAnswer(spans=("August",)), GoldAnswer(number="17"))
    assert best_score("17 August", answers) == (1, 1)


def test_one_span_of_a_multi_span_answer() -> None:
    answers = (GoldAnswer(spans=("span1", "span2")), GoldAnswer(spans=("span2",)))
    assert best_score("span1", answers) == (0, 0.5)


def test_exact_match_and_f1_may_come_from_different_answers() -> None:
    crossed = GoldAnswer(spans=("a1", "b1", "b1"))  # exact match 1, F1 0.67
    assert best_score(["a1", "a1", "b1"], (crossed, GoldAnswer(spans=("a1", "a1", "b1 c1")))) == (
        1,
        0.89,
    )


def test_blank_gold_answer_is_skipped() -> None:
    assert best_score("", (GoldAnswer(),)) == (0, 0)
    assert grade(question("q", GoldAnswer()), "").type is None


def test_missing_prediction_scores_0() -> None:
    report = score_predictions({"other": "5"}, [passage(question("q", GoldAnswer(number="5")))])
    assert (report.overall.em.mean, report.overall.f1.mean, report.missing) == (0, 0, 1)
    assert set(report.types) == {"number"}


def test_mean_over_questions() -> None:
    five, six = question("q1", GoldAnswer(number="5")), question("q2", GoldAnswer(number="6"))
    report = score_predictions({"q1": "5", "q2": "5"}, [passage(five, six)])
    assert (report.overall.em.mean, report.overall.f1.mean) == (0.5, 0.5)


@pytest.mark.parametrize("step", [1, -1])
def test_type_of_the_best_matching_answer(step: int) -> None:
    answers = (GoldAnswer(number="5"), GoldAnswer(spans=("7-meters",)))[::step]
    assert grade(question("q", *answers), "5-yard").type == "number"


def test_scores_by_kind() -> None:
    questions = [
        question("q1", GoldAnswer(number="5"), kind="count"),
        question("q2", GoldAnswer(number="6"), kind="add-sub"),
        question("q3", GoldAnswer(number="7")),
        question("q4"),
    ]
    report = score_predictions({"q1": "5", "q2": "5", "q3": "7"}, [passage(*questions)])
    assert list(report.kinds) == ["count", "add-sub"]
    assert report.kinds["count"].em.mean == 1
    assert report.with_kind is not None
    assert (report.with_kind.questions, report.with_kind.f1.mean) == (2, 0.5)
    assert (report.overall.questions, report.missing, report.ungraded) == (3, 0, 1)


def test_scores_by_number_of_operands() -> None:
    def numeric(id: str, text: str, number: str, kind: str = "add-sub") -> Question:
        return Question(id, text, (GoldAnswer(number=number),), kind=kind)

    farm = Passage(
        "p",
        "The farm sold 40 sheep, 25 goats and 7 cows.",
        (
            numeric("two", "How many more sheep than goats were sold?", "15"),
            numeric("three", "How many more sheep than goats and cows were sold?", "8"),
            # The wording allows three numbers, but 18 is a result of two numbers only.
            numeric("words", "How many more sheep compared to goats and cows?", "18"),
            numeric("other", "How many more sheep than goats were sold?", "15", kind="count"),
        ),
    )
    report = score_predictions({"two": "15", "words": "18", "other": "15"}, [farm])
    groups = {name: (group.questions, group.em.mean) for name, group in report.operands.items()}
    assert groups == {"2 numbers": (2, 1.0), "3 numbers": (1, 0.0)}


def test_intervals_are_binomial_and_seeded() -> None:
    questions = [question(f"q{i}", GoldAnswer(number="5")) for i in range(400)]
    predictions: dict[str, PredictedAnswer] = {q.id: "5" for q in questions[:100]}
    report = score_predictions(predictions, [passage(*questions)], seed=1)
    assert report == score_predictions(predictions, [passage(*questions)], seed=1)
    # A share of 1/4 of 400 has a standard error of 0.02165; 1.96 times that is 0.0424.
    em = report.overall.em
    assert (em.low, em.mean, em.high) == pytest.approx((0.2076, 0.25, 0.2924), abs=0.005)


def test_rejects_questions_without_gold_answers() -> None:
    with pytest.raises(DataError, match="No question has an answer"):
        score_predictions({}, [passage(question("q"))])


def test_report_as_json() -> None:
    report = score_predictions(
        {"q": "5"}, [passage(question("q", GoldAnswer(number="5"), kind="count"))]
    )
    plain = json.loads(json.dumps(report.to_json()))
    assert plain["kinds"]["count"] == {
        "questions": 1,
        "em": {"mean": 1.0, "low": 1.0, "high": 1.0},
        "f1": {"mean": 1.0, "low": 1.0, "high": 1.0},
    }


def test_read_predictions(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text('{"q1": "5", "q2": ["a", "b"]}')
    assert read_predictions(file) == {"q1": "5", "q2": ["a", "b"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not an object"),
        (b'{"q": 5}', "'q' is not text"),
        (b'{"q": ["a", null]}', "'q' is not text"),
        (b'{"q": {"answer": "5"}}', "'q' is not text"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_rejects_bad_predictions(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "predictions.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_predictions(file)


def test_rejects_missing_predictions(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(InputError, match=str(path)):
            read_predictions(path)


SAID = Question("a", "How many goats?", (GoldAnswer(number="3"),), type="number")
UNSAID = Question("b", "How many cows?", (), type="none", unanswerable=True, source="written")
MIXED = [Passage("p", "There were 3 goats.", (SAID, UNSAID))]


@pytest.mark.parametrize(
    ("prediction", "score"), [([], 1.0), ("", 1.0), ([" "], 1.0), ("4", 0.0), (None, 0.0)]
)
def test_no_answer_is_right_for_an_unanswerable_question(
    prediction: list[str] | str | None, score: float
) -> None:
    graded = grade(UNSAID, prediction)
    assert (graded.em, graded.f1, graded.type) == (score, score, "none")


def test_no_answer_is_wrong_for_an_answerable_question() -> None:
    assert grade(SAID, []).f1 == 0.0


def test_scores_by_type_and_source() -> None:
    report = score_predictions({"a": "3", "b": ["4"]}, MIXED)
    assert {name: score.f1.mean for name, score in report.question_types.items()} == {
        "number": 1.0,
        "none": 0.0,
    }
    assert {name: score.f1.mean for name, score in report.sources.items()} == {
        "gold": 1.0,
        "written": 0.0,
    }
    assert report.unanswerable == Unanswerable(questions=1, recognised=0)
    assert score_predictions({"a": "3", "b": []}, MIXED).unanswerable == Unanswerable(1, 1)


def test_answerable_files_report_nothing_unanswerable() -> None:
    report = score_predictions({"a": "3"}, [Passage("p", "There were 3 goats.", (SAID,))])
    assert report.unanswerable is None
    assert report.overall.f1.mean == 1.0
