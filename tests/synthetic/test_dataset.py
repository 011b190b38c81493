"""Properties of synthetic data: targets are in the text, and programs give the answers."""

import hashlib
import os
import re
import subprocess
import sys
from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from workings.data.records import KINDS, Question
from workings.modules import REGISTRY
from workings.network.grammar import Grammar
from workings.program import Program
from workings.supervision.supervise import Derivation, StepTarget
from workings.synthetic import SyntheticPassage, make_synthetic, sampler
from workings.synthetic.sampler import WordPool
from workings.values import Date, Timing, read_values

PASSAGES = 120
LEAVES = ("find", "find-num", "find-max-num", "find-min-num")
SHORT_SCENES = ("note", "list")


@cache
def passages(names: str) -> tuple[SyntheticPassage, ...]:
    return tuple(make_synthetic(3, PASSAGES, names="unseen" if names == "unseen" else "seen"))


def every_question() -> Iterator[tuple[SyntheticPassage, Question, Derivation]]:
    for synthetic in (*passages("seen"), *passages("unseen")):
        for question in synthetic.passage.questions:
            (gold,) = synthetic.supervision[question.id].derivations
            yield synthetic, question, gold


def targets_of(gold: Derivation) -> Iterator[tuple[str, StepTarget]]:
    modules = [step.name for step in Program.parse(gold.program).walk()]
    return ((modules[target.step], target) for target in gold.targets)


class ReferenceInterpreter:
    """Runs a program on the targets of its finds, without the generator's own arithmetic."""

    def __init__(self, gold: Derivation) -> None:
        self.targets = {target.step: target for target in gold.targets}
        self.step = -1

    def run(self, program: Program) -> StepTarget:
        """The result of a step: its number, or its spans with their values."""
        self.step += 1
        target = self.targets.get(self.step, StepTarget(self.step))
        inputs = [self.run(child) for child in program.children]
        numbers = [number for step in inputs for number in step.numbers]
        match program.name:
            case "find" | "relocate" | "question-num" | "hundred":
                return target
            case "filter" | "filter-num-gt" | "filter-num-lt":
                assert set(target.spans) <= set(inputs[0].spans)
                return target
            case "find-max-num" | "find-min-num":
                order = sorted(target.numbers, reverse=program.name == "find-max-num")
                place = int(inputs[1].numbers[0]) if len(inputs) > 1 else 1
                return replace(target, numbers=(order[place - 1],))
            case "find-num":
                assert not numbers or target.numbers == tuple(numbers)
                return target
            case "count":
                return number(len(inputs[0].spans))
            case "sum" | "average":
                assert len(target.members) == len(inputs[0].spans)
                size = 1 if program.name == "sum" else len(target.members)
                return number(sum(target.members, Fraction(0)) / size)
            case "time-diff" | "months-diff" | "days-diff":
                return number(between(program.name, *(d for step in inputs for d in step.dates)))
            case "span" | "spans":
                assert target.spans == inputs[0].spans
                return target
        return combined(program.name, inputs, numbers)


def combined(module: str, inputs: list[StepTarget], numbers: list[Fraction]) -> StepTarget:
    """The result of an operation, of times, or of a comparison."""
    if module in SECONDS:
        return number(elapsed(module, *(step.timings for step in inputs)))
    if len(numbers) == 2 and module in TWO_NUMBERS:
        return number(TWO_NUMBERS[module](*numbers))
    larger = max if module.endswith("-gt") else min
    return larger(inputs, key=lambda step: (step.numbers, *map(order_of, step.dates)))


SECONDS = {"seconds-diff": 1, "minutes-diff": 60, "hours-diff": 3600, "in-minutes": 60}
TWO_NUMBERS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "percent": lambda a, b: a * 100 / b,
    "percent-change": lambda a, b: abs(a - b) * 100 / b,
}


def between(module: str, first: Date, second: Date) -> int:
    """The time between two dates, counted one day or one month at a time."""
    if module == "time-diff":
        return abs((first.year or 0) - (second.year or 0))
    early, late = sorted((order_of(first), order_of(second)))
    if module == "months-diff":
        return 12 * (late[0] - early[0]) + late[1] - early[1]
    days = 0
    while early != late:
        days += 1
        year, month, day = early
        length = monthrange(year or 2001, month)[1]
        early = (year, month, day + 1) if day < length else (year, month + 1, 1)
    return days


def elapsed(module: str, *events: tuple[Timing, ...]) -> Fraction:
    """The time between the times of two events, or of one, which may end after midnight."""
    seconds = [timing.seconds for event in events for timing in event]
    difference = seconds[0] - sum(seconds[1:])
    if len(events) == 1 and difference < 0:
        difference += 24 * 3600
    return abs(difference) / SECONDS[module]


def number(value: Fraction | int) -> StepTarget:
    return StepTarget(0, numbers=(Fraction(value),))


def order_of(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)


def test_gold_programs_give_the_answers() -> None:
    for synthetic, question, gold in every_question():
        if question.unanswerable:
            assert gold == Derivation("unknown", (), from_evidence=True)
            assert question.answers == ()
            continue
        result = ReferenceInterpreter(gold).run(Program.parse(gold.program))
        (answer,) = question.answers
        supervision = synthetic.supervision[question.id]
        if answer.number:
            assert result.numbers == (Fraction(answer.number),), question
            assert result.numbers[0] >= 0
            assert result.numbers == supervision.numbers == gold.targets[0].numbers
        else:
            assert tuple(synthetic.passage.text[s:e] for s, e in result.spans) == answer.spans, (
                question
            )
            assert supervision.numbers == ()


def test_every_target_value_is_in_the_text() -> None:
    for synthetic in (*passages("seen"), *passages("unseen")):
        values = read_values(synthetic.passage.text)
        stated = set(values.distinct_numbers)
        for supervision in synthetic.supervision.values():
            for module, target in targets_of(supervision.derivations[0]):
                if module in LEAVES:
                    assert set(target.numbers) <= stated, synthetic.passage.text
                    assert set(target.dates) <= set(values.distinct_dates), synthetic.passage.text


def test_extremes_have_one_candidate_for_each_mention() -> None:
    for synthetic, _, gold in every_question():
        for (module, target), (_, events) in pairwise(targets_of(gold)):
            if module in ("find-max-num", "find-min-num"):
                assert len(target.numbers) == len(events.spans) >= 2, synthetic.passage.id
                assert set(target.spans) <= set(events.spans)


def test_every_step_has_a_target() -> None:
    for _, question, gold in every_question():
        steps = list(Program.parse(gold.program).walk())
        if not question.unanswerable:
            assert {target.step for target in gold.targets} == set(range(len(steps)))
        assert gold.from_evidence


def test_numbers_of_the_question_are_stated_there() -> None:
    seen = 0
    for _, question, gold in every_question():
        for module, target in targets_of(gold):
            if module == "question-num":
                seen += 1
                assert set(target.numbers) <= set(read_values(question.text).distinct_numbers)
    assert seen > 50


def test_thresholds_keep_what_passes_them() -> None:
    """In lists the mentions are the numbers themselves, so the kept ones can be read off."""
    seen = 0
    for synthetic, _, gold in every_question():
        if not (synthetic.passage.id.startswith("list") and "filter-num" in gold.program):
            continue
        text, found = synthetic.passage.text, list(targets_of(gold))
        names = [step.name for step in Program.parse(gold.program).walk()]
        find = next(target for target in gold.targets if names[target.step] == "find")
        every = {Fraction(text[start:end]) for start, end in find.spans}
        limits = [target.numbers[0] for name, target in found if name == "question-num"]
        match gold.program:
            case "count(filter-num-gt(find, question-num))":
                expected = {n for n in every if n > limits[0]}
            case "count(filter-num-lt(find, question-num))":
                expected = {n for n in every if n < limits[0]}
            case _:
                expected = {n for n in every if limits[0] < n < limits[1]}
        kept = {Fraction(text[start:end]) for start, end in gold.targets[1].spans}
        assert kept == expected and 0 < len(kept) < len(every)
        seen += 1
    assert seen > 10


ABSENT = re.compile(
    r"many (\w+) were there(?: in all)?\?|there in (\w+)\?|crowns were paid for the (\w+)\?"
)


def test_names_of_unanswerable_questions_are_absent() -> None:
    """Questions that other facts answer too are unanswerable because their name is absent."""
    seen = 0
    for synthetic, question, _ in every_question():
        match = ABSENT.search(question.text)
        if match and question.unanswerable:
            (name,) = filter(None, match.groups())
            assert not re.search(rf"\b{name}\b", synthetic.passage.text)
            seen += 1
    assert seen > 10


def test_spans_are_whole_words_and_contain_the_answer() -> None:
    for synthetic, question, gold in every_question():
        text = synthetic.passage.text
        for _, target in targets_of(gold):
            for start, end in target.spans:
                assert text[start:end] == text[start:end].strip() != ""
                assert not text[start - 1 : start].isalnum()
                assert not text[end : end + 1].isalnum()
        supervision = synthetic.supervision[question.id]
        phrases = question.answers[0].spans if question.answers else ()
        for start, end in supervision.spans:
            assert text[start:end] in phrases
        if phrases:
            assert set(gold.targets[0].spans) <= set(supervision.spans)
        for start, end in supervision.question_spans:
            assert question.text[start:end] in phrases


def test_every_kind_and_program_occurs() -> None:
    kinds = Counter(question.kind for _, question, _ in every_question())
    assert set(kinds) == {*KINDS, None}
    assert min(kinds.values()) > sum(kinds.values()) / 40
    types = Counter(question.type for _, question, _ in every_question())
    assert set(types) == {
        *("add4", "average", "days", "months", "none", "order"),
        *("duration", "percent-change", "percent-of", "product", "ratio"),
        None,
    }
    assert min(types.values()) > sum(types.values()) / 175
    programs = {gold.program for _, _, gold in every_question()}
    assert {
        "sub(count(filter(find)), count(filter(find)))",
        "sub(find-num(find-max-num(find)), find-num(find-min-num(find)))",
        "add(add(find-num(find), find-num(find)), find-num(find))",
        "sub(add(find-num(find), find-num(find)), find-num(find))",
        "sub(sub(find-num(find), find-num(find)), find-num(find))",
        "time-diff(find, find)",
        "time-diff(find)",
        "span(find)",
        "spans(find)",
        "sub(hundred, find-num(find))",
        "mul(find-num(find), find-num(find))",
        "div(find-num(find), find-num(find))",
        "percent(find-num(find), find-num(find))",
        "percent-change(find-num(find), find-num(find))",
        "sum(find)",
        "average(find)",
        "days-diff(find)",
        "days-diff(find, find)",
        "months-diff(find, find)",
        "hours-diff(find)",
        "minutes-diff(find)",
        "minutes-diff(find, find)",
        "seconds-diff(find, find)",
        "in-minutes(find)",
        "find-num(find-max-num(find, question-num))",
        "span(relocate(find-min-num(find, question-num)))",
        "count(filter-num-gt(find, question-num))",
        "count(filter-num-lt(filter-num-gt(find, question-num), question-num))",
        "unknown",
    } <= programs


def test_times_are_those_of_the_passage() -> None:
    for synthetic, _, gold in every_question():
        known = read_values(synthetic.passage.text).distinct_timings
        assert all(set(target.timings) <= set(known) for _, target in targets_of(gold))


def test_every_gold_program_is_well_typed() -> None:
    grammar = Grammar.of(REGISTRY)
    for program in {gold.program for _, _, gold in every_question()}:
        grammar.derive(Program.parse(program))


def test_seen_and_unseen_share_no_number() -> None:
    numbers: dict[str, set[Fraction | int | None]] = {"seen": set(), "unseen": set()}
    for names, found in numbers.items():
        supervisions = (s for made in passages(names) for s in made.supervision.values())
        golds = (supervision.derivations[0] for supervision in supervisions)
        for module, target in (step for gold in golds for step in targets_of(gold)):
            if module in LEAVES:
                found |= {*target.numbers, *(date.year for date in target.dates)}
    assert numbers["seen"] & numbers["unseen"] <= {None}


@pytest.mark.parametrize(("names", "other"), [("seen", "unseen"), ("unseen", "seen")])
def test_seen_and_unseen_share_no_name(names: str, other: str) -> None:
    text = "\n".join(synthetic.passage.text for synthetic in passages(names))
    pools = [pool for pool in vars(sampler).values() if isinstance(pool, WordPool)]
    assert pools
    for word in (word for pool in pools for word in getattr(pool, other)):
        assert not re.search(rf"\b{word}\b", text), word


@pytest.mark.parametrize("names", ["seen", "unseen"])
def test_length_and_number_of_questions(names: str) -> None:
    for synthetic in passages(names):
        questions, text = synthetic.passage.questions, synthetic.passage.text
        if synthetic.passage.id.startswith(SHORT_SCENES):
            assert (
                1
                <= len(re.findall(r"[.] |[.]$", text))
                <= (3 if "note" in synthetic.passage.id else 5)
            )
            assert 2 <= len(questions) <= 8
        else:
            assert 60 <= len(text.split()) <= 250
            assert len(questions) == 8
        assert len({question.text for question in questions}) == len(questions)
        assert set(synthetic.supervision) == {question.id for question in questions}


def test_notes_state_a_number_and_ask_for_it() -> None:
    """As in "There were 3 men. How many men were there?"."""
    programs = set()
    for synthetic, question, gold in every_question():
        stated = re.search(r"There were \S+ (\w+)( in all)?[.]", synthetic.passage.text)
        asked = re.fullmatch(r"How many (\w+) were there( in all)?\?", question.text)
        if stated and asked:
            programs.add((stated[1] == asked[1], gold.program))
    assert {(True, "find-num(find)"), (False, "unknown")} <= programs
    assert (True, "unknown") not in programs


def test_fewer_questions_are_the_first_of_more() -> None:
    few, many = (next(make_synthetic(5, 1, questions=size)) for size in (2, 6))
    assert few.passage.text == many.passage.text
    assert few.passage.questions == many.passage.questions[:2]


def test_more_passages_begin_with_the_same_passages() -> None:
    assert list(make_synthetic(9, 3)) == list(make_synthetic(9, 6))[:3]
    assert next(make_synthetic(9, 1)) != next(make_synthetic(10, 1))


def test_every_process_makes_the_same_passages() -> None:
    code = (
        "import hashlib; from workings.synthetic import make_synthetic;"
        "print(hashlib.sha256(repr(list(make_synthetic(4, 8))).encode()).hexdigest())"
    )
    here = hashlib.sha256(repr(list(make_synthetic(4, 8))).encode()).hexdigest()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        assert done.stdout.strip() == here
