"""The error report: every question is counted, and the pages show its examples."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from steps_by_hand import SPAN_BEN, candidate

from workings.analysis.error_attribution import CATEGORIES, ErrorAttribution
from workings.analysis.error_pages import ExampleCollector, write_pages
from workings.analysis.error_report import ALL, ExaminedQuestion, count_errors, sample_questions
from workings.data.records import KINDS, GoldAnswer, Passage, Question
from workings.inference.ranking import AnswerPolicy

KINDS_AND_CATEGORIES = st.lists(
    st.tuples(st.sampled_from((*KINDS, None)), st.sampled_from((*CATEGORIES, None)))
)


def examined(kind: str | None, category: str | None) -> ExaminedQuestion:
    answers = (GoldAnswer(spans=("Ada", "Cleo")), GoldAnswer(number="7"))
    attribution = ErrorAttribution(category, 1, "find", "<b>", "Ada") if category else None
    question = Question("q", "Who ran?", answers, kind)
    return ExaminedQuestion(question, [candidate(SPAN_BEN)], attribution)


@given(KINDS_AND_CATEGORIES)
def test_counts_and_shares(cases: list[tuple[str | None, str | None]]) -> None:
    rows = count_errors(examined(*case) for case in cases)
    assert sum(row.questions for row in rows) == 2 * len(cases)
    for row in rows:
        assert row.wrong <= row.questions
        assert sum(row.shares.values()) == pytest.approx(1 if row.wrong else 0)
        of_kind = [category for kind, category in cases if row.kind in (ALL, kind or "other")]
        assert row.errors == {category: of_kind.count(category) for category in CATEGORIES}


def test_sampled_questions_are_evenly_spaced() -> None:
    questions = [Question(str(number), "Who?", ()) for number in range(6)]
    passages = [
        Passage("a", "Ada.", tuple(questions[:4])),
        Passage("b", "Ben.", tuple(questions[4:])),
    ]

    def sampled(limit: int | None) -> list[list[str]]:
        return [[q.id for q in p.questions] for p in sample_questions(passages, limit)]

    assert sampled(None) == sampled(6) == sampled(9) == [["0", "1", "2", "3"], ["4", "5"]]
    assert sampled(3) == [["0", "2"], ["4"]]
    assert sampled(1) == [["0"]]


def test_pages_show_examples_of_each_category(tmp_path: Path) -> None:
    collector = ExampleCollector(limit=2)
    results = [examined("count", name) for name in ("find", "find", "find", "span", None)]
    write_pages(tmp_path, count_errors(collector.collect(iter(results))), collector)
    assert {path.name for path in tmp_path.iterdir()} == {
        "index.html",
        "find.html",
        "span.html",
        "shares.png",
        "shares.json",
    }
    index, page = ((tmp_path / name).read_text("utf-8") for name in ("index.html", "find.html"))
    assert set(re.findall(r'href="(\w+\.html)"', index)) == {"find.html", "span.html"}
    assert "75 %" in index
    assert page.count('class="example"') == 2
    assert "Ada, Cleo or 7" in page
    assert "Step 1, find, is &lt;b&gt;; it should be Ada." in page
    assert "<dd>Ben</dd>" in page
    assert not re.search(r"https?:|src=\"(?!data:)", index + page)


def test_pages_use_the_fitted_temperature() -> None:
    result = examined("count", "find")
    best = result.candidates[0]
    unlikely = replace(best.scored, score=torch.tensor(0.25).log())  # program probability 1/4
    result = replace(result, candidates=[replace(best, scored=unlikely)])
    collector = ExampleCollector(AnswerPolicy(temperature=2.0))
    list(collector.collect(iter([result])))
    (example,) = collector.examples["find"]
    assert example.explanation.confidence == pytest.approx(0.5)  # the square root of 1/4
