"""Properties of synthetic data: targets are in the text, and programs give the answers."""

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
from workings.synthetic import SyntheticPassage, make_synthetic, sampler
from workings.synthetic.sampler import WordPool
from workings.values import Date, read_values

PASSAGES = 120
LEAVES = ("find", "find-num", "find-max-num", "find-min-num")


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
            case "find" | "relocate":
                return target
            case "filter":
                assert set(target.spans) <= set(inputs[0].spans)
                return target
            case "find-max-num" | "find-min-num":
                best = max if program.name == "find-max-num" else min
                return replace(target, numbers=(best(target.numbers),))
            case "find-num":
                assert not numbers or target.numbers == tuple(numbers)
                return target
            case "count":
                return number(len(inputs[0].spans))
            case "add":
                return number(numbers[0] + numbers[1])
            case "sub":
                return number(numbers[0] - numbers[1])
            case "time-diff":
                first, second = (date.year or 0 for step in inputs for date in step.dates)
                return number(abs(first - second))
            case "span" | "spans":
                assert target.spans == inputs[0].spans
                return target
        larger = max if program.name.endswith("-gt") else min
        return larger(inputs, key=lambda step: (step.numbers, *map(order, step.dates)))


def number(value: Fraction | int) -> StepTarget:
    return StepTarget(0, numbers=(Fraction(value),))


def order(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)


def test_gold_programs_give_the_answers() -> None:
    for synthetic, question, gold in every_question():
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
        stated = {*values.distinct_numbers, Fraction(100)}
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


def test_every_step_but_the_find_of_a_constant_has_a_target() -> None:
    for _, _, gold in every_question():
        steps = list(Program.parse(gold.program).walk())
        without = set(range(len(steps))) - {target.step for target in gold.targets}
        hundreds = {t.step + 1 for t in gold.targets if t.numbers == (Fraction(100),)}
        assert without <= hundreds
        assert gold.from_evidence


def test_spans_are_whole_words_and_contain_the_answer() -> None:
    for synthetic, question, gold in every_question():
        text = synthetic.passage.text
        for _, target in targets_of(gold):
            for start, end in target.spans:
                assert text[start:end] == text[start:end].strip() != ""
                assert not text[start - 1 : start].isalnum()
                assert not text[end : end + 1].isalnum()
        supervision = synthetic.supervision[question.id]
        for start, end in supervision.spans:
            assert text[start:end] in question.answers[0].spans
        if question.answers[0].spans:
            assert set(gold.targets[0].spans) <= set(supervision.spans)
        for start, end in supervision.question_spans:
            assert question.text[start:end] in question.answers[0].spans


def test_every_kind_and_program_occurs() -> None:
    kinds = Counter(question.kind for _, question, _ in every_question())
    assert set(kinds) == {*KINDS, None}
    assert min(kinds.values()) > sum(kinds.values()) / 20
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
    } <= programs
    assert any(
        StepTarget(1, numbers=(Fraction(100),)) in gold.targets for _, _, gold in every_question()
    )


def test_seen_and_unseen_share_no_number() -> None:
    numbers: dict[str, set[Fraction | int | None]] = {"seen": set(), "unseen": set()}
    for names, found in numbers.items():
        supervisions = (s for made in passages(names) for s in made.supervision.values())
        golds = (supervision.derivations[0] for supervision in supervisions)
        for module, target in (step for gold in golds for step in targets_of(gold)):
            if module in LEAVES:
                found |= {*target.numbers, *(date.year for date in target.dates)}
    assert numbers["seen"] & numbers["unseen"] <= {None, 100}


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
        assert 60 <= len(synthetic.passage.text.split()) <= 250
        assert len(synthetic.passage.questions) == 8
        assert len({question.text for question in synthetic.passage.questions}) == 8
        assert set(synthetic.supervision) == {
            question.id for question in synthetic.passage.questions
        }


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
