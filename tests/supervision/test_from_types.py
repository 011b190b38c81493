"""Derivations of hand-made questions by their type."""

from fractions import Fraction

import pytest

from workings.data.records import Ask, GoldAnswer, Passage, Question
from workings.program import Program
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.supervision.from_types import chosen_option
from workings.supervision.supervise import supervise
from workings.values import Date, read_values

SHOP = (
    "The shop sold 34 lamps, 21 chairs, 18 tables and 5 beds. A lamp cost 12 crowns and a chair "
    "350. Of its visitors 23.5 percent bought nothing, and 45 of 120 letters were answered."
)
RACE = (
    "Orlin ran the lap in 61 seconds, Tamm in 64, Vesk in 70 and Aldo in 75. Orlin also threw 52 "
    "metres, Tamm 47 metres and Vesk 39 metres."
)
YEARS = (
    "The mill was built on 10 December 1815 and burned down on 5 June 1833. It was rebuilt from "
    "12 May to 20 June 1834, and sold in 1850."
)


def ask(passage: str, question: str, answer: GoldAnswer | str, **fields: object) -> Supervision:
    gold = GoldAnswer(number=answer) if isinstance(answer, str) else answer
    record = Question("q", question, (gold,), **fields)  # type: ignore[arg-type]
    return supervise(Passage("p", passage, (record,)), record, read_values(passage))


def only(supervision: Supervision) -> Derivation:
    (derivation,) = supervision.derivations
    assert derivation.from_evidence
    return derivation


def target(derivation: Derivation, name: str, index: int = 0) -> StepTarget:
    """The target of the step with a module, of several the one with an index."""
    names = [step.name for step in Program.parse(derivation.program).walk()]
    found = [target for target in derivation.targets if names[target.step] == name]
    return found[index]


def numbers(*targets: StepTarget) -> list[object]:
    """The numbers of some targets, in order."""
    return [number for target in targets for number in target.numbers]


def span(*texts: str) -> GoldAnswer:
    return GoldAnswer(spans=texts)


NUM = "find-num(find)"


@pytest.mark.parametrize(
    ("kind", "question", "answer", "evidence", "program"),
    [
        ("sub", "How many more lamps than chairs?", "13", "34-21", f"sub({NUM}, {NUM})"),
        ("sub", "How far apart are chairs and lamps?", "13", "21-34", f"sub({NUM}, {NUM})"),
        ("add2", "How many lamps and chairs?", "55", "34+21", f"add({NUM}, {NUM})"),
        ("add3", "How many things to sit or sleep?", "44", "21+18+5", "sum(find)"),
        (
            "add3",
            "How many chairs, tables and beds?",
            "44",
            "21+18+5",
            f"add(add({NUM}, {NUM}), {NUM})",
        ),
        ("add4", "How many lamps, chairs, tables and beds?", "78", "34+21+18+5", "sum(find)"),
        (
            "addsub3",
            "How many more lamps than tables and beds?",
            "11",
            "34-(18+5)",
            f"sub({NUM}, add({NUM}, {NUM}))",
        ),
        ("addsub3", "And the rest?", "10", "18+21+5-34", f"sub(sum(find), {NUM})"),
        ("product", "What did all lamps cost?", "408", "34*12", f"mul({NUM}, {NUM})"),
        ("product", "What do 7 lamps cost?", "84", "7*12", f"mul(question-num, {NUM})"),
        (
            "product",
            "What do two lamps and a chair cost?",
            "374",
            "2*12+350",
            f"add(mul(question-num, {NUM}), {NUM})",
        ),
        ("ratio", "How many times dearer is a chair?", "29.17", "350/12", f"div({NUM}, {NUM})"),
        ("average", "How many on average?", "24.33", "(34+21+18)/3", "average(find)"),
        ("percent-of", "What percentage?", "37.5", "100*45/120", f"percent({NUM}, {NUM})"),
        ("percent-of", "What percentage?", "37.5", "45/120*100", f"percent({NUM}, {NUM})"),
        (
            "percent-change",
            "By what percentage do they differ?",
            "61.9",
            "100*(34-21)/21",
            f"percent-change({NUM}, {NUM})",
        ),
        ("percent-rest", "What share bought?", "76.5", "100-23.5", f"sub(hundred, {NUM})"),
        ("add2", "How many lamps with the broken lamp?", "35", "34+1", f"add({NUM}, one)"),
        ("number", "How many beds?", "5", "5 beds", NUM),
        (
            "count-diff",
            "How many more?",
            "2",
            "3-1",
            "sub(count(filter(find)), count(filter(find)))",
        ),
        ("count-diff", "How many other?", "31", "34-3", f"sub({NUM}, count(filter(find)))"),
    ],
)
def test_arithmetic(kind: str, question: str, answer: str, evidence: str, program: str) -> None:
    found = ask(SHOP, question, answer, type=kind, evidence=evidence)
    assert only(found).program == program


def test_exact_result_of_a_rounded_answer() -> None:
    found = ask(SHOP, "How many times?", "29.17", type="ratio", evidence="350/12")
    assert found.numbers == (Fraction("29.17"), Fraction(350, 12))
    assert target(only(found), "div").numbers == (Fraction(350, 12),)


@pytest.mark.parametrize(("answer", "holds"), [("0.38", True), ("0.37", False), ("0.4", True)])
def test_rounding(answer: str, holds: bool) -> None:
    found = ask(SHOP, "What share?", answer, type="ratio", evidence="45/120")
    assert bool(found.derivations) == holds


def test_half_may_be_rounded_to_even() -> None:
    for answer in ("8.12", "8.13"):
        passage = "There were 65 apples for 8 children."
        assert ask(passage, "How many each?", answer, type="ratio", evidence="65/8").derivations


def test_change_downwards() -> None:
    found = ask(SHOP, "By what percent?", "38.24", type="percent-change", evidence="100*(34-21)/34")
    derivation = only(found)
    assert derivation.program == f"percent-change({NUM}, {NUM})"
    assert numbers(*(target(derivation, "find-num", i) for i in (0, 1))) == [21, 34]


def test_members_of_sets() -> None:
    total = only(ask(SHOP, "How many in all?", "78", type="add4", evidence="34+21+18+5"))
    assert target(total, "sum").members == tuple(map(Fraction, (34, 21, 18, 5)))
    mean = only(ask(SHOP, "What is the mean?", "24.33", type="average", evidence="(34+21+18)/3"))
    assert target(mean, "average").members == tuple(map(Fraction, (34, 21, 18)))
    assert target(mean, "average").numbers == (Fraction(73, 3),)


def test_asks_say_whether_numbers_are_named() -> None:
    each = tuple(Ask("value", "thing", (value,)) for value in ("21", "18", "5"))
    fields = {"type": "add3", "evidence": "21+18+5"}
    named = only(ask(SHOP, "How many such things?", "44", asks=each, **fields))
    assert named.program.startswith("add(add(")
    together = (Ask("value", "such things", ("21", "18", "5")),)
    question = "How many of a, b and c are such things?"
    assert only(ask(SHOP, question, "44", asks=together, **fields)).program == "sum(find)"


def test_number_that_nobody_states() -> None:
    found = ask(SHOP, "How many pairs of lamps?", "17", type="ratio", evidence="34/2")
    assert found.derivations == ()


def test_repeated_number_with_one_mention_is_no_set() -> None:
    passage = "Vesk kicked a 32-yard goal and, twice, one of 40 yards, then one of 25."
    found = ask(passage, "How many yards?", "137", type="add4", evidence="32+40+40+25")
    assert only(found).program.startswith("add(add(add(")


@pytest.mark.parametrize(
    ("question", "evidence", "program"),
    [
        ("How many things were sold?", "lamps;chairs;tables", "count(find)"),
        (
            "How many sorts sold more than 20 times?",
            "34 lamps;21 chairs",
            "count(filter-num-gt(find, question-num))",
        ),
        (
            "How many sorts sold at most 20 times?",
            "18 tables;5 beds",
            "count(filter-num-lt(find, question-num))",
        ),
        (
            "How many sorts sold between 10 and 30 times?",
            "21 chairs;18 tables",
            "count(filter-num-lt(filter-num-gt(find, question-num), question-num))",
        ),
        # A mention that equals the threshold meets "at least" but is not above it.
        ("How many sorts sold at least 21 times?", "34 lamps;21 chairs", "count(find)"),
        ("How many sorts sold more than 20 times?", "18 tables;5 beds", "count(find)"),
    ],
)
def test_counts(question: str, evidence: str, program: str) -> None:
    answer = str(evidence.count(";") + 1)
    found = only(ask(SHOP, question, answer, type="count", evidence=evidence))
    assert found.program == program
    assert len(target(found, "count").spans) == int(answer)


def test_threshold_is_a_number_of_the_question() -> None:
    question = "How many sorts sold between 10 and 30 times?"
    found = only(ask(SHOP, question, "2", type="count", evidence="21 chairs;18 tables"))
    thresholds = [target(found, "question-num", index) for index in (0, 1)]
    assert numbers(*thresholds) == [10, 30]
    assert len(target(found, "filter-num-lt").spans) == 2


def test_count_of_none() -> None:
    found = only(ask(SHOP, "How many sofas?", "0", type="count", evidence="none"))
    assert (found.program, numbers(target(found, "count"))) == ("count(find)", [0])


def test_mentions_that_stand_for_several() -> None:
    passage = "Vesk kicked two field goals of 30 yards, and Tamm a long field goal."
    evidence = "field goals of 30 yards;long field goal"
    found = only(ask(passage, "How many goals?", "3", type="count", evidence=evidence))
    assert found.program.startswith("count(")
    assert len(target(found, "count").spans) == 2


@pytest.mark.parametrize(
    ("kind", "question", "answer", "evidence", "program"),
    [
        ("max", "What was the best throw?", "52", "52;47;39", "find-num(find-max-num(find))"),
        ("min", "What was the worst throw?", "39", "39;52;47", "find-num(find-min-num(find))"),
        (
            "max",
            "What was the second largest throw?",
            "47",
            "47;52;39",
            "find-num(find-max-num(find, question-num))",
        ),
        (
            "max",
            "What was the longest throw under 50 metres?",
            "47",
            "47;39",
            "find-num(find-max-num(filter-num-lt(find, question-num)))",
        ),
        ("max", "What was it then?", "47", "47;52;39", NUM),
    ],
)
def test_extremes(kind: str, question: str, answer: str, evidence: str, program: str) -> None:
    found = only(ask(RACE, question, answer, type=kind, evidence=evidence))
    assert found.program == program
    if "num(find" in program and program != NUM:
        module = "find-max-num" if kind == "max" else "find-min-num"
        assert set(target(found, module).numbers) == set(map(Fraction, evidence.split(";")))


def test_untyped_rank() -> None:
    question = "How many yards was the second longest field goal?"
    passage = "He kicked a 40-yard field goal, a 25-yard field goal and a 33-yard field goal."
    found = only(ask(passage, question, "33", evidence="33;40;25"))
    assert found.program == "find-num(find-max-num(find, question-num))"
    assert numbers(target(found, "question-num")) == [2]


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "program"),
    [
        ("Who threw farthest?", "Orlin", "52;47;39", "span(relocate(find-max-num(find)))"),
        ("Who threw the least?", "Vesk", "39;52;47", "span(relocate(find-min-num(find)))"),
        (
            "Who came second in the throw?",
            "Tamm",
            "47;52",
            "span(relocate(find-max-num(find, question-num)))",
        ),
        (
            "Who came third in the lap?",
            "Vesk",
            "70;61;64;75",
            "span(relocate(find-min-num(find, question-num)))",
        ),
        ("Who is named last?", "Aldo", "Aldo;Vesk", "span(find)"),
    ],
)
def test_order(question: str, answer: str, evidence: str, program: str) -> None:
    found = only(ask(RACE, question, span(answer), type="order", evidence=evidence))
    assert found.program == program


@pytest.mark.parametrize(
    ("question", "answer", "program"),
    [
        ("Who threw farther, Orlin or Vesk?", "Orlin", "span(compare-num-gt(find, find))"),
        ("Who threw farther, Orlin or Vesk?", "Vesk", "span(compare-num-lt(find, find))"),
        ("Of Orlin and Vesk, whose throw was nearer?", "Vesk", "span(compare-num-lt(find, find))"),
    ],
)
def test_comparison_of_numbers(question: str, answer: str, program: str) -> None:
    found = only(ask(RACE, question, span(answer), type="compare-num", evidence="52;39"))
    assert found.program == program
    assert numbers(*(target(found, "find", index) for index in (0, 1))) == [52, 39]


def test_comparison_of_dates() -> None:
    question = "Which came later, the fire or the sale?"
    found = ask(YEARS, question, span("the sale"), type="compare-date", evidence="1833-06;1850")
    assert only(found).program == "span(compare-date-gt(find, find))"
    assert target(only(found), "find").dates == (Date(1833, 6, 5),)


@pytest.mark.parametrize(
    ("question", "answer", "chosen"),
    [
        ("Which is older, the smallest bell or the middle one?", "the smallest bell", 0),
        ("Of Nedn and Biron, who was better?", "Nedn", 0),
        ("Of Nedn and Biron, who was better?", "Biron", 1),
        ("Was it dearer than the Biron?", "Biron", 1),
        ("Which is older?", "the bell", None),
    ],
)
def test_chosen_option(question: str, answer: str, chosen: int | None) -> None:
    assert chosen_option(question, answer) == chosen


@pytest.mark.parametrize(
    ("kind", "question", "answer", "evidence", "program"),
    [
        (
            "years",
            "How many years after the fire was the sale?",
            "17",
            "1833;1850",
            "time-diff(find, find)",
        ),
        (
            "years",
            "How old was the mill when it burned?",
            "17",
            "1815-12-10;1833-06-05",
            "sub(time-diff(find), one)",
        ),
        ("years", "For how many years by 1860?", "10", "1850;1860", f"sub(question-num, {NUM})"),
        (
            "months",
            "How many months did the work take?",
            "1",
            "1834-05;1834-06",
            "months-diff(find)",
        ),
        (
            "days",
            "How many days did the work take?",
            "39",
            "0000-05-12;0000-06-20",
            "days-diff(find)",
        ),
        (
            "days",
            "How many days passed between the fire and the sale?",
            "1",
            "1833-06-05;1833-06-06",
            None,
        ),
    ],
)
def test_time(kind: str, question: str, answer: str, evidence: str, program: str | None) -> None:
    found = ask(YEARS, question, answer, type=kind, evidence=evidence)
    assert [derivation.program for derivation in found.derivations] == (
        [program] if program else []
    )


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "program"),
    [
        (
            "How many months passed between the fire and the work?",
            "11",
            "May 1834-June 1833",
            "months-diff(find, find)",
        ),
        (
            "How many days did the work take?",
            "39",
            "20 June 1834 - 12 May 1834",
            "days-diff(find)",
        ),
    ],
)
def test_time_without_a_type(question: str, answer: str, evidence: str, program: str) -> None:
    assert only(ask(YEARS, question, answer, evidence=evidence)).program == program


def test_duration() -> None:
    passage = (
        "The shift begins at hour 10 and ends at hour 15. The walk took 21 minutes, the ride 23.5."
    )
    plain = only(ask(passage, "How many hours?", "5", type="duration", evidence="10 to 15"))
    assert plain.program == f"sub({NUM}, {NUM})"
    words = "21 min plus 23.5 min = 44.5 min"
    assert only(ask(passage, "How long?", "44.5", type="duration", evidence=words)).program == (
        f"add({NUM}, {NUM})"
    )
    clock = ask("From 7:15 to 8:50.", "How long?", "95", type="duration", evidence="7:15 to 8:50")
    assert clock.derivations == ()


def test_dates_and_phrases() -> None:
    answer = GoldAnswer(date=("5", "June", "1833"))
    found = only(ask(YEARS, "When?", answer, type="date", evidence="burned down on 5 June 1833"))
    assert found.program == "find-date(find)"
    several = ask(RACE, "Which two?", span("Vesk", "Aldo"), type="spans", evidence="the last two")
    assert only(several).program == "spans(find)"
    assert [RACE[slice(*each)] for each in target(only(several), "find").spans] == ["Vesk", "Aldo"]


def test_unanswerable() -> None:
    record = Question("q", "How many sofas?", (), unanswerable=True)
    found = supervise(Passage("p", SHOP, (record,)), record, read_values(SHOP))
    assert only(found).program == "unknown"


def test_given_place_of_the_answer() -> None:
    start = RACE.rindex("Tamm")
    found = ask(RACE, "Who threw 47 metres?", span("Tamm"), source="squad", start=start)
    assert found.spans == ((start, start + 4),)
    assert only(found).program == "span(find)"
    assert target(only(found), "find").spans == found.spans
