"""The made world holds what it promises: every pick is in the text and gives the answer."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from workings.data.records import KINDS, Question
from workings.program import Program
from workings.supervision.supervise import Derivation, StepTarget
from workings.synthetic import SyntheticPassage, make_synthetic, words
from workings.synthetic.sampler import Pool
from workings.values import Date, read_values

PASSAGES = 120
LEAVES = ("find", "find-num", "find-max-num", "find-min-num")


@cache
def world(names: str) -> tuple[SyntheticPassage, ...]:
    return tuple(make_synthetic(3, PASSAGES, names="unseen" if names == "unseen" else "seen"))


def everything() -> Iterator[tuple[SyntheticPassage, Question, Derivation]]:
    for made in (*world("seen"), *world("unseen")):
        for question in made.passage.questions:
            (gold,) = made.supervision[question.id].derivations
            yield made, question, gold


def picked(gold: Derivation) -> Iterator[tuple[str, StepTarget]]:
    modules = [step.name for step in Program.parse(gold.program).walk()]
    return ((modules[pick.step], pick) for pick in gold.targets)


class Execution:
    """A program run on its picks alone, with none of the generator's own arithmetic."""

    def __init__(self, gold: Derivation) -> None:
        self.targets = {pick.step: pick for pick in gold.targets}
        self.place = -1

    def run(self, program: Program) -> StepTarget:
        """What a step comes to: its number, or where it looks and what stands there."""
        self.place += 1
        pick = self.targets.get(self.place, StepTarget(self.place))
        below = [self.run(child) for child in program.children]
        numbers = [number for step in below for number in step.numbers]
        match program.name:
            case "find" | "relocate":
                return pick
            case "filter":
                assert set(pick.spans) <= set(below[0].spans)
                return pick
            case "find-max-num" | "find-min-num":
                best = max if program.name == "find-max-num" else min
                return replace(pick, numbers=(best(pick.numbers),))
            case "find-num":
                assert not numbers or pick.numbers == tuple(numbers)
                return pick
            case "count":
                return number(len(below[0].spans))
            case "add":
                return number(numbers[0] + numbers[1])
            case "sub":
                return number(numbers[0] - numbers[1])
            case "time-diff":
                first, second = (date.year or 0 for step in below for date in step.dates)
                return number(abs(first - second))
            case "span" | "spans":
                assert pick.spans == below[0].spans
                return pick
        larger = max if program.name.endswith("-gt") else min
        return larger(below, key=lambda step: (step.numbers, *map(order, step.dates)))


def number(value: Fraction | int) -> StepTarget:
    return StepTarget(0, numbers=(Fraction(value),))


def order(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)


def test_running_the_picks_gives_the_answer() -> None:
    for made, question, gold in everything():
        result = Execution(gold).run(Program.parse(gold.program))
        (answer,) = question.answers
        supervision = made.supervision[question.id]
        if answer.number:
            assert result.numbers == (Fraction(answer.number),), question
            assert result.numbers[0] >= 0
            assert result.numbers == supervision.numbers == gold.targets[0].numbers
        else:
            assert tuple(made.passage.text[s:e] for s, e in result.spans) == answer.spans, question
            assert supervision.numbers == ()


def test_every_picked_value_stands_in_the_text() -> None:
    for made in (*world("seen"), *world("unseen")):
        values = read_values(made.passage.text)
        known = {*values.distinct_numbers, Fraction(100)}
        for supervision in made.supervision.values():
            for module, pick in picked(supervision.derivations[0]):
                if module in LEAVES:
                    assert set(pick.numbers) <= known, made.passage.text
                    assert set(pick.dates) <= set(values.distinct_dates), made.passage.text


def test_extremes_choose_among_the_numbers_beside_what_they_see() -> None:
    for made, _, gold in everything():
        gold_steps = list(picked(gold))
        for (module, pick), (_, seen) in pairwise(gold_steps):
            if module in ("find-max-num", "find-min-num"):
                assert len(pick.numbers) == len(seen.spans) >= 2, made.passage.id
                assert set(pick.spans) <= set(seen.spans)


def test_every_step_is_known_but_the_place_of_a_constant() -> None:
    for _, _, gold in everything():
        gold_steps = list(Program.parse(gold.program).walk())
        unknown = set(range(len(gold_steps))) - {pick.step for pick in gold.targets}
        constants = {pick.step + 1 for pick in gold.targets if pick.numbers == (Fraction(100),)}
        assert unknown <= constants
        assert gold.narrowed


def test_spans_are_whole_words_and_name_the_answer() -> None:
    for made, question, gold in everything():
        text = made.passage.text
        for _, pick in picked(gold):
            for start, end in pick.spans:
                assert text[start:end] == text[start:end].strip() != ""
                assert not text[start - 1 : start].isalnum()
                assert not text[end : end + 1].isalnum()
        supervision = made.supervision[question.id]
        for start, end in supervision.spans:
            assert text[start:end] in question.answers[0].spans
        if question.answers[0].spans:
            assert set(gold.targets[0].spans) <= set(supervision.spans)
        for start, end in supervision.question_spans:
            assert question.text[start:end] in question.answers[0].spans


def test_every_kind_and_program_is_there() -> None:
    kinds = Counter(question.kind for _, question, _ in everything())
    assert set(kinds) == {*KINDS, None}
    assert min(kinds.values()) > sum(kinds.values()) / 20
    programs = {gold.program for _, _, gold in everything()}
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
    } <= programs
    assert any(StepTarget(1, numbers=(Fraction(100),)) in gold.targets for _, _, gold in everything())


def test_the_halves_share_no_number() -> None:
    numbers: dict[str, set[Fraction | int | None]] = {"seen": set(), "unseen": set()}
    for half, found in numbers.items():
        golds = (gold.derivations[0] for made in world(half) for gold in made.supervision.values())
        for module, pick in (step for gold in golds for step in picked(gold)):
            if module in LEAVES:
                found |= {*pick.numbers, *(date.year for date in pick.dates)}
    assert numbers["seen"] & numbers["unseen"] <= {None, 100}


@pytest.mark.parametrize(("half", "other"), [("seen", "unseen"), ("unseen", "seen")])
def test_the_halves_share_no_name(half: str, other: str) -> None:
    text = "\n".join(made.passage.text for made in world(half))
    pools = [pool for pool in vars(words).values() if isinstance(pool, Pool)]
    assert pools
    for word in (word for pool in pools for word in getattr(pool, other)):
        assert not re.search(rf"\b{word}\b", text), word


@pytest.mark.parametrize("names", ["seen", "unseen"])
def test_length_and_number_of_questions(names: str) -> None:
    for made in world(names):
        assert 60 <= len(made.passage.text.split()) <= 250
        assert len(made.passage.questions) == 8
        assert len({question.text for question in made.passage.questions}) == 8
        assert set(made.supervision) == {question.id for question in made.passage.questions}


def test_fewer_questions_are_the_first_of_more() -> None:
    few, many = (next(make_synthetic(5, 1, questions=size)) for size in (2, 6))
    assert few.passage.text == many.passage.text
    assert few.passage.questions == many.passage.questions[:2]


def test_a_longer_world_begins_like_a_shorter_one() -> None:
    assert list(make_synthetic(9, 3)) == list(make_synthetic(9, 6))[:3]
    assert next(make_synthetic(9, 1)) != next(make_synthetic(10, 1))


def test_the_world_is_the_same_in_every_process() -> None:
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
