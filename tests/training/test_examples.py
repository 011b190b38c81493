"""Examples: the questions that can be learned from, and what of their derivations is taught."""

import re
from fractions import Fraction

import pytest

from tiny import PASSAGE, QUESTION, tiny_tokenizer
from workings.data.records import Passage, Question
from workings.encoder.inputs import TokenizedText
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.training.examples import (
    MAX_PROGRAMS,
    TrainingExample,
    make_examples,
    mask_shared_words,
)

PICKS = (StepTarget(0, numbers=(Fraction(7),)),)
SURE = Derivation("count(find)", PICKS, narrowed=True)
UNSURE = Derivation("sub(find-num(find), find-num(find))", PICKS, narrowed=False)


def examples(
    *derivations: Derivation, narrow: bool = True, text: str = QUESTION
) -> list[TrainingExample]:
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
    """Evidence of a year that several dates are of fixes none of them, but what else it says."""
    shared, either, other = (StepTarget(0, numbers=(Fraction(n),)) for n in (7, 1, 2))
    first = Derivation("count(find)", (shared, either), narrowed=True)
    second = Derivation("count(find)", (shared, other), narrowed=True)
    (one,) = examples(first, second, first)
    assert [candidate.picks for candidate in one.candidates] == [(shared,)]


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


def hidden_words(share: float) -> tuple[set[str], set[str]]:
    """The words of the passage and of the question that are hidden."""
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION)
    (one,) = mask_shared_words(examples(SURE), share, tokenizer)
    unknown = tokenizer.token_to_id("[UNK]")

    def gone(pieces: TokenizedText) -> set[str]:
        return {
            word for word, places in pieces.words if {pieces.ids[p] for p in places} == {unknown}
        }

    return gone(one.passage.tokens), gone(one.tokens)


def test_only_words_of_both_texts_are_hidden_and_in_both() -> None:
    shared = {w.casefold() for w in re.findall(r"\w+", PASSAGE)}
    shared &= {w.casefold() for w in re.findall(r"\w+", QUESTION)}
    assert shared
    assert hidden_words(0.999999) == (shared, shared)
    some = hidden_words(0.5)
    assert some[0] == some[1] <= shared


def test_hiding_is_the_same_every_time_and_can_be_left_out() -> None:
    assert hidden_words(0.5) == hidden_words(0.5)
    assert hidden_words(0.0) == (set(), set())
    assert mask_shared_words([], 0.5, tiny_tokenizer(PASSAGE)) == []
