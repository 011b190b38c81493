"""Examples: the questions that can be learned from, and what of their derivations is taught."""

from fractions import Fraction

import pytest

from tiny import PASSAGE, QUESTION, tiny_tokenizer
from workings.data.derivations import Derivation, Pick, Supervision
from workings.data.records import Passage, Question
from workings.training.examples import MAX_PROGRAMS, Example, make_examples

PICKS = (Pick(0, numbers=(Fraction(7),)),)
SURE = Derivation("count(find)", PICKS, narrowed=True)
UNSURE = Derivation("sub(find-num(find), find-num(find))", PICKS, narrowed=False)


def examples(*derivations: Derivation, narrow: bool = True, text: str = QUESTION) -> list[Example]:
    passage = Passage("p", PASSAGE, (Question("q", text, ()), Question("unknown", "Why?", ())))
    known = {"q": Supervision(derivations=derivations)}
    return make_examples(passage, known, tiny_tokenizer(PASSAGE, QUESTION), narrow=narrow)


def test_questions_without_a_derivation_teach_nothing() -> None:
    assert examples() == []
    assert examples(SURE, text=" ") == []
    assert [one.question.id for one in examples(SURE)] == ["q"]


def test_picks_are_taught_where_evidence_fixed_them() -> None:
    (one,) = examples(SURE, UNSURE)
    assert [(str(c.program), c.picks) for c in one.candidates] == [
        ("count(find)", PICKS),
        ("sub(find-num(find), find-num(find))", ()),
    ]


def test_evidence_can_be_left_aside() -> None:
    (one,) = examples(SURE, UNSURE, narrow=False)
    assert [candidate.picks for candidate in one.candidates] == [(), ()]


def test_a_program_is_one_candidate_however_often_it_is_derived() -> None:
    other = Derivation("count(find)", (), narrowed=True)
    (one,) = examples(SURE, other, SURE)
    assert [candidate.picks for candidate in one.candidates] == [PICKS]


@pytest.mark.parametrize("count", [MAX_PROGRAMS, MAX_PROGRAMS + 3])
def test_only_the_most_plausible_programs_are_kept(count: int) -> None:
    program, derivations = "count(find)", []
    for _ in range(count):
        derivations.append(Derivation(program, (), narrowed=False))
        program = program.replace("(find", "(filter(find", 1) + ")"
    (one,) = examples(*derivations)
    assert [str(c.program) for c in one.candidates] == [
        derivation.program for derivation in derivations[:MAX_PROGRAMS]
    ]
