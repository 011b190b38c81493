"""Derivations of hand-made questions, from evidence and by search."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.records import GoldAnswer, Passage, Question
from workings.errors import DataError
from workings.program import Program
from workings.supervision import supervise as supervise_module
from workings.supervision.coverage import coverage, find_split
from workings.supervision.supervise import Derivation, Supervision, supervise, supervise_all
from workings.values import Date, read_values

GAME = (
    "The Herons opened with a 24-yard field goal by Orlin, and Tamm answered with a 12-yard "
    "touchdown run. Orlin then hit a 41-yard field goal before Vesk caught a 33-yard touchdown "
    "pass from Aldo. Tamm threw two interceptions. The Herons won 34-21."
)
WAR = (
    "The siege of Corl began in May 1640 and the truce was signed in 1652. "
    "The second war lasted seven years, from 1660 to 1667."
)
CENSUS = "Of the people, 23.5 percent were farmers, 30 percent weavers and 8.2 percent priests."


def ask(
    passage: str, question: str, answer: GoldAnswer, kind: str | None = None, evidence: str = ""
) -> Supervision:
    record = Question("q", question, (answer,), kind=kind, evidence=evidence)
    return supervise(Passage("p", passage, (record,)), record, read_values(passage))


def only(supervision: Supervision) -> Derivation:
    (derivation,) = supervision.derivations
    return derivation


def targets(derivation: Derivation) -> list[tuple[str, list[object]]]:
    """The numbers and dates of each target, with the module of its step."""
    names = [step.name for step in Program.parse(derivation.program).walk()]
    return [
        (names[target.step], [*target.numbers, *target.dates])
        for target in derivation.targets
        if target.numbers or target.dates
    ]


def words(derivation: Derivation, step: int, passage: str = GAME) -> list[str]:
    (target,) = [target for target in derivation.targets if target.step == step]
    return [passage[start:end] for start, end in target.spans]


def number(value: str) -> GoldAnswer:
    return GoldAnswer(number=value)


def span(*texts: str) -> GoldAnswer:
    return GoldAnswer(spans=texts)


def test_difference_in_the_order_of_the_evidence() -> None:
    found = only(ask(GAME, "How many more points?", number("13"), "add-sub", "34-21"))
    assert found.from_evidence
    assert found.program == "sub(find-num(find), find-num(find))"
    assert targets(found) == [("sub", [13]), ("find-num", [34]), ("find-num", [21])]


def test_reversed_evidence() -> None:
    found = only(ask(GAME, "How many more points?", number("13"), "add-sub", "21-34"))
    assert targets(found)[1:] == [("find-num", [34]), ("find-num", [21])]


def test_three_numbers() -> None:
    found = only(ask(GAME, "How many more yards than both?", number("5"), "add-sub", "41-24-12"))
    assert found.program == "sub(find-num(find), add(find-num(find), find-num(find)))"
    assert targets(found)[::2] == [("sub", [5]), ("add", [36]), ("find-num", [12])]


def test_longest_over_shortest() -> None:
    question = "How many more yards was the longest field goal than the shortest?"
    found = only(ask(GAME, question, number("17"), "add-sub", "41-24"))
    assert found.program == "sub(find-num(find-max-num(find)), find-num(find-min-num(find)))"


def test_counts_as_operands() -> None:
    question = "How many more field goals were there than touchdown runs?"
    found = ask(GAME, question, number("1"), "add-sub", "2-1")
    assert found.derivations[0].program == "sub(count(filter(find)), count(filter(find)))"
    assert targets(found.derivations[0]) == [("sub", [1]), ("count", [2]), ("count", [1])]


def test_percentage_of_the_rest() -> None:
    question = "How many percent were not farmers?"
    by_evidence = only(ask(CENSUS, question, number("76.5"), None, "100-23.5"))
    by_search = only(ask(CENSUS, question, number("76.5")))
    assert by_evidence.program == "sub(hundred, find-num(find))"
    assert targets(by_evidence) == targets(by_search)
    assert (by_evidence.from_evidence, by_search.from_evidence) == (True, False)


def test_search_finds_every_pair() -> None:
    found = ask(GAME, "How many yards difference?", number("9"), "add-sub")
    pairs = {tuple(v[0] for _, v in targets(d)[1:]) for d in found.derivations}
    assert pairs == {(33, 24), (21, 12)}
    assert found.count == 2


def run(program: Program, steps: Iterator[int], numbers: dict[int, Fraction]) -> Fraction:
    """Run a program of additions and subtractions on the targets of its find-num steps."""
    step = next(steps)
    below = [run(child, steps, numbers) for child in program.children if child.name != "find"]
    if program.name == "find-num":
        next(steps)
        return numbers[step]
    return below[0] + below[1] if program.name == "add" else below[0] - below[1]


@given(
    st.lists(st.integers(2, 60), min_size=1, max_size=6),
    st.integers(2, 150),
    st.sampled_from(["How many more?", "How many in total?"]),
)
def test_every_derived_sum_gives_the_answer(values: list[int], answer: int, question: str) -> None:
    passage = "; ".join(f"{value} goats" for value in values)
    for derivation in ask(passage, question, number(str(answer)), "add-sub").derivations:
        program = Program.parse(derivation.program)
        if program.name == "count":
            continue
        numbers = {target.step: target.numbers[0] for target in derivation.targets}
        assert run(program, count(), numbers) == answer == numbers[0]
        assert set(numbers.values()) <= {*values, answer, *_partial(values)}


def _partial(values: list[int]) -> set[int]:
    """The sums and differences of two operands, as parts of sums of three."""
    two = list(product(values, repeat=2))
    return {a + b for a, b in two} | {a - b for a, b in two}


def test_sum_of_four_numbers() -> None:
    found = only(ask(GAME, "How many yards in total?", number("110"), "add-sub", "24+12+41+33"))
    assert found.program == "sum(find)"
    assert found.targets[0].members == tuple(map(Fraction, (24, 12, 41, 33)))


def test_no_derivation_of_a_sum_of_other_numbers() -> None:
    found = ask(GAME, "How many yards in total?", number("83"), "add-sub", "50+33")
    assert found == Supervision(numbers=(Fraction(83),))


def test_stored_derivations_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise_module, "MAX_DERIVATIONS", 1)
    found = ask(GAME, "How many yards difference?", number("9"), "add-sub")
    assert (len(found.derivations), found.count) == (1, 2)


def test_extreme_with_candidates() -> None:
    question = "How many yards was the longest field goal?"
    found = only(ask(GAME, question, number("41"), "extract-number", "41;24"))
    assert found.program == "find-num(find-max-num(find))"
    assert targets(found) == [("find-num", [41]), ("find-max-num", [41, 24])]


def test_span_answer_that_is_a_number() -> None:
    found = ask(GAME, "How many yards was the pass?", span("33-yard"), "extract-number")
    assert found.numbers == (Fraction(33),)
    assert only(found).program == "find-num(find)"


def test_count_of_mentions() -> None:
    question = "How many field goals did Orlin kick?"
    evidence = "24-yard field goal;41-yard field goal"
    found = only(ask(GAME, question, number("2"), "count", evidence))
    assert found.program == "count(filter(find))"
    assert words(found, 0) == words(found, 1) == ["24-yard field goal", "41-yard field goal"]


def test_count_of_none() -> None:
    found = only(ask(GAME, "How many field goals were blocked?", number("0"), "count", "none"))
    assert found.from_evidence
    assert targets(found) == [("count", [0])]


def test_stated_count() -> None:
    question = "How many interceptions did Tamm throw?"
    found = only(ask(GAME, question, number("2"), "count", "two interceptions"))
    assert found.program == "find-num(filter(find))"


@pytest.mark.parametrize(
    ("passage", "evidence", "program"),
    [
        ("Tamm threw one interception.", "one interception", "find-num(filter(find))"),
        ("Tamm had a 1-yard run.", "1-yard run", "count(filter(find))"),
    ],
)
def test_single_mention(passage: str, evidence: str, program: str) -> None:
    question = "How many interceptions or runs did Tamm have?"
    assert only(ask(passage, question, number("1"), "count", evidence)).program == program


def test_search_gives_count_and_stated_number() -> None:
    found = ask(GAME, "How many interceptions did Tamm throw?", number("2"), "count")
    programs = [derivation.program for derivation in found.derivations]
    assert programs == ["count(filter(find))", "find-num(filter(find))"]


def test_argument_of_an_extreme() -> None:
    question = "Who kicked the longest field goal?"
    found = only(ask(GAME, question, span("Orlin"), "extract-argument", "41-yard field goal"))
    assert found.program == "span(relocate(find-max-num(find)))"
    assert targets(found) == [("find-max-num", [41])]
    assert words(found, 2) == ["41-yard field goal"]
    (relocated,) = [target for target in found.targets if target.step == 1]
    assert relocated.spans == ((GAME.rindex("Orlin"), GAME.rindex("Orlin") + len("Orlin")),)


def test_date_comparison_in_the_order_of_the_question() -> None:
    question = "Which happened later, the truce or the siege of Corl?"
    found = only(ask(WAR, question, span("the truce"), "date-compare", "1652;May 1640"))
    assert found.program == "span(compare-date-gt(find, find))"
    assert targets(found) == [
        ("find", [Date(1652, None, None)]),
        ("find", [Date(1640, 5, None)]),
    ]


def test_evidence_that_contradicts_the_answer_is_ignored() -> None:
    question = "Which happened first, the truce or the siege of Corl?"
    found = ask(WAR, question, span("the siege of Corl"), "date-compare", "1640;1652")
    assert not any(derivation.from_evidence for derivation in found.derivations)
    assert {derivation.program for derivation in found.derivations} == {
        "span(compare-date-lt(find, find))"
    }


def test_number_comparison() -> None:
    question = "Which group is smaller: farmers or weavers?"
    found = only(ask(CENSUS, question, span("farmers"), "number-compare", "23.5;30"))
    assert found.program == "span(compare-num-lt(find, find))"
    assert targets(found) == [("find", [Fraction("23.5")]), ("find", [30])]


def test_number_comparison_by_search() -> None:
    question = "Which group is smaller: priests or weavers?"
    found = ask(CENSUS, question, span("priests"), "number-compare")
    assert found.count == 3
    assert all(d.program == "span(compare-num-lt(find, find))" for d in found.derivations)


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "program", "dates"),
    [
        (
            "How many years after the siege began was the truce signed?",
            "12",
            "1652-1640",
            "time-diff(find, find)",
            [(1640, 5, None), (1652, None, None)],
        ),
        (
            "How many years did the second war last?",
            "7",
            "1667-1660",
            "time-diff(find)",
            [(1667, None, None), (1660, None, None)],
        ),
    ],
)
def test_years(
    question: str, answer: str, evidence: str, program: str, dates: list[tuple[int, int, int]]
) -> None:
    found = only(ask(WAR, question, number(answer), "date-difference", evidence))
    assert found.program == program
    assert [value for _, values in targets(found)[1:] for value in values] == [
        Date(*date) for date in dates
    ]


def test_stated_duration() -> None:
    question = "How many years did the second war last?"
    found = only(ask(WAR, question, number("7"), "date-difference", "lasted seven years"))
    assert found.program == "find-num(find)"


def test_plain_spans() -> None:
    found = ask(GAME, "Who threw the interceptions?", span("Tamm"), None, "two interceptions")
    assert len(found.spans) == 2
    assert only(found).program in (
        "span(find)",
        "span(relocate(find))",
        "span(relocate(filter(find)))",
    )
    several = only(ask(GAME, "Which players scored?", span("Orlin", "Vesk")))
    assert several.program == "spans(find)"


def test_answer_in_the_question() -> None:
    found = ask(GAME, "Did Orlin or Quill miss?", span("Quill"))
    assert found.question_spans == ((13, 18),)
    assert found.spans == ()


def test_date_answer() -> None:
    found = ask(WAR, "When did the siege begin?", GoldAnswer(date=("", "May", "1640")))
    assert found.dates == (Date(1640, 5, None),)
    assert only(found).program == "find-date(find)"


def test_partial_date_answer() -> None:
    found = ask(WAR, "When did the siege begin?", GoldAnswer(date=("", "", "1640")))
    assert found.dates == (Date(1640, 5, None),)


def test_question_without_answer() -> None:
    question = Question("q", "How many?", ())
    passage = Passage("p", GAME, (question,))
    assert supervise(passage, question, read_values(GAME)) == Supervision()


def _passages(count: int) -> list[Passage]:
    question = Question("", "How many more points?", (number("13"),), "add-sub", "34-21")
    return [
        Passage(f"p{i}", GAME, (Question(f"q{i}", question.text, question.answers, "add-sub"),))
        for i in range(count)
    ]


def test_parallel_results_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    passages = _passages(5)
    alone = supervise_all(passages)
    monkeypatch.setattr(supervise_module, "_MIN_PASSAGES_TO_SHARE", 1)
    calls: list[tuple[int, int]] = []
    assert supervise_all(passages, progress=lambda *done: calls.append(done)) == alone
    assert calls == [(i, 5) for i in range(1, 6)]


def test_cached_supervision_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passages = _passages(3)
    found = supervise_all(passages, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(supervise_module, "_supervise_passage", None)
    assert supervise_all(passages, cache=tmp_path) == found


def test_coverage_counts_by_kind() -> None:
    passages = _passages(2)
    rows = {row.kind: row for row in coverage(passages, supervise_all(passages))}
    assert set(rows) == {"add-sub", "all kinds"}
    assert (rows["add-sub"].questions, rows["add-sub"].derived) == (2, 2)
    assert rows["add-sub"].narrowed == rows["add-sub"].with_evidence == 0


def test_coverage_counts_by_type_and_source() -> None:
    points = Question("a", "How many more points?", (number("13"),), evidence="34-21", type="sub")
    rows_by = Question("b", "How many points?", (number("34"),), source="written", type="number")
    passages = [Passage("p", GAME, (points, rows_by))]
    rows = {(row.by, row.kind): row for row in coverage(passages, supervise_all(passages))}
    assert [name for by, name in rows if by == "type"] == ["sub", "number", "all"]
    assert [name for by, name in rows if by == "source"] == ["gold", "written"]
    every = rows["type", "all"]
    assert (every.questions, every.derived, every.with_evidence) == (2, 2, 1)
    assert (every.narrowed, every.one_program) == (1, 1)


def test_find_split(tmp_path: Path) -> None:
    file = tmp_path / "drop_dataset_train.json"
    file.write_text("{}")
    assert find_split(tmp_path, "train") == file
    assert find_split(file, "train") == file
    with pytest.raises(DataError, match="--split"):
        find_split(tmp_path, "dev")
