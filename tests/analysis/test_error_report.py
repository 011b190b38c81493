"""The table of faults: nothing is lost, and shares are shares."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_by_hand import BEN_IS_GIVEN, tried

from workings.analysis.error_attribution import FAULTS, ErrorAttribution
from workings.analysis.error_pages import ExampleCollector, write_pages
from workings.analysis.error_report import ALL, ExaminedQuestion, count_errors, sample_questions
from workings.data.records import KINDS, GoldAnswer, Passage, Question

LOTS = st.lists(st.tuples(st.sampled_from((*KINDS, None)), st.sampled_from((*FAULTS, None))))


def examined(kind: str | None, fault: str | None) -> ExaminedQuestion:
    question = Question(
        "q", "Who ran?", (GoldAnswer(spans=("Ada", "Cleo")), GoldAnswer(number="7")), kind
    )
    return ExaminedQuestion(
        question, [tried(BEN_IS_GIVEN)], fault and ErrorAttribution(fault, 1, "find", "<b>", "Ada")
    )


@given(LOTS)
def test_shares_sum_to_one(found: list[tuple[str | None, str | None]]) -> None:
    rows = count_errors(examined(*one) for one in found)
    assert sum(row.questions for row in rows) == 2 * len(found)
    for row in rows:
        assert row.wrong <= row.questions
        assert sum(row.shares.values()) == pytest.approx(1 if row.wrong else 0)
        same = [f for kind, f in found if row.kind in (ALL, kind or "other")]
        assert row.faults == {fault: same.count(fault) for fault in FAULTS}


def test_some_questions_from_all_over_the_file() -> None:
    asked = [Question(str(number), "Who?", ()) for number in range(6)]
    passages = [Passage("a", "Ada.", tuple(asked[:4])), Passage("b", "Ben.", tuple(asked[4:]))]

    def kept(limit: int | None) -> list[list[str]]:
        return [[q.id for q in p.questions] for p in sample_questions(passages, limit)]

    assert kept(None) == kept(6) == kept(9) == [["0", "1", "2", "3"], ["4", "5"]]
    assert kept(3) == [["0", "2"], ["4"]]
    assert kept(1) == [["0"]]


def test_pages_show_examples_of_each_fault(tmp_path: Path) -> None:
    gallery = ExampleCollector(most=2)
    found = [examined("count", fault) for fault in ("find", "find", "find", "span", None)]
    write_pages(tmp_path, count_errors(gallery.watch(iter(found))), gallery)
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
