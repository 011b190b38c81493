"""Training examples: which questions are used, and which step targets supervise them."""

import re
from fractions import Fraction

import pytest

from tiny import PASSAGE, QUESTION, tiny_tokenizer
from workings.data.records import Passage, Question
from workings.encoder.inputs import TokenizedText
from workings.settings import ModuleSettings
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.training.examples import (
    MAX_PROGRAMS,
    TrainingExample,
    make_examples,
    mask_shared_words,
)
from workings.values import Date

TARGETS = (StepTarget(0, numbers=(Fraction(7),)),)
CERTAIN = Derivation("count(find)", TARGETS, from_evidence=True)
GUESSED = Derivation("sub(find-num(find), find-num(find))", TARGETS, from_evidence=False)


def examples(
    *derivations: Derivation,
    use_evidence: bool = True,
    text: str = QUESTION,
    difference: str = "absolute",
) -> list[TrainingExample]:
    passage = Passage("p", PASSAGE, (Question("q", text, ()), Question("unknown", "Why?", ())))
    return make_examples(
        passage,
        {"q": Supervision(derivations=derivations)},
        tiny_tokenizer(PASSAGE, QUESTION),
        ModuleSettings.model_validate({"difference": difference}),
        use_evidence=use_evidence,
    )


def test_leaves_out_questions_without_derivation_or_words() -> None:
    assert examples() == []
    assert examples(CERTAIN, text=" ") == []
    assert [example.question.id for example in examples(CERTAIN)] == ["q"]


def test_targets_come_from_evidence_only() -> None:
    (example,) = examples(CERTAIN, GUESSED)
    assert [(str(c.program), c.targets) for c in example.candidates] == [
        ("count(find)", TARGETS),
        ("sub(find-num(find), find-num(find))", ()),
    ]


def test_evidence_can_be_ignored() -> None:
    (example,) = examples(CERTAIN, GUESSED, use_evidence=False)
    assert [candidate.targets for candidate in example.candidates] == [(), ()]


def test_derivations_of_one_program_share_a_candidate_with_their_common_targets() -> None:
    """Evidence of a year that fits several dates determines only the other targets."""
    shared, first_date, second_date = (StepTarget(0, numbers=(Fraction(n),)) for n in (7, 1, 2))
    first = Derivation("count(find)", (shared, first_date), from_evidence=True)
    second = Derivation("count(find)", (shared, second_date), from_evidence=True)
    (example,) = examples(first, second, first)
    assert [candidate.targets for candidate in example.candidates] == [(shared,)]


@pytest.mark.parametrize("count", [MAX_PROGRAMS, MAX_PROGRAMS + 3])
def test_keeps_the_most_plausible_programs(count: int) -> None:
    program, derivations = "count(find)", []
    for _ in range(count):
        derivations.append(Derivation(program, (), from_evidence=False))
        program = program.replace("(find", "(filter(find", 1) + ")"
    (example,) = examples(*derivations)
    assert [str(candidate.program) for candidate in example.candidates] == [
        derivation.program for derivation in derivations[:MAX_PROGRAMS]
    ]


EARLY, LATE = Date(1901, 5, 3), Date(1936)


@pytest.mark.parametrize(
    ("difference", "dates", "expected"),
    [
        ("ordered", (EARLY, LATE), (LATE, EARLY)),
        ("ordered", (LATE, EARLY), (LATE, EARLY)),
        ("absolute", (EARLY, LATE), (EARLY, LATE)),
    ],
)
def test_an_ordered_difference_has_the_later_date_first(
    difference: str, dates: tuple[Date, Date], expected: tuple[Date, Date]
) -> None:
    targets = tuple(StepTarget(step, dates=(date,)) for step, date in enumerate(dates, 1))
    derivation = Derivation("time-diff(find, find)", targets, from_evidence=True)
    (example,) = examples(derivation, difference=difference)
    assert [target.dates for target in example.candidates[0].targets] == [
        (date,) for date in expected
    ]


@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        (["add(add(find-num(find), find-num(find)), find-num(find))"], True),
        (["sub(add(find-num(find), find-num(find)), find-num(find))"], True),
        (["add(find-num(find), find-num(find))"], False),
        (["count(find)"], False),
        (
            [
                "add(add(find-num(find), find-num(find)), find-num(find))",
                "add(find-num(find), find-num(find))",
            ],
            False,
        ),
    ],
)
def test_three_operands(programs: list[str], expected: bool) -> None:
    derivations = [Derivation(program, (), from_evidence=True) for program in programs]
    (example,) = examples(*derivations)
    assert example.has_three_operands == expected


def masked_words(rate: float) -> tuple[set[str], set[str]]:
    """The masked words of the passage and of the question."""
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION)
    (example,) = mask_shared_words(examples(CERTAIN), rate, tokenizer)
    unknown = tokenizer.token_to_id("[UNK]")

    def masked(text: TokenizedText) -> set[str]:
        return {
            word
            for word, tokens in text.words
            if {text.ids[token] for token in tokens} == {unknown}
        }

    return masked(example.passage.tokens), masked(example.tokens)


def test_masks_shared_words_in_both_texts() -> None:
    shared = {word.casefold() for word in re.findall(r"\w+", PASSAGE)}
    shared &= {word.casefold() for word in re.findall(r"\w+", QUESTION)}
    assert shared
    assert masked_words(0.999999) == (shared, shared)
    in_passage, in_question = masked_words(0.5)
    assert in_passage == in_question <= shared


def test_masking_is_reproducible_and_optional() -> None:
    assert masked_words(0.5) == masked_words(0.5)
    assert masked_words(0.0) == (set(), set())
    assert mask_shared_words([], 0.5, tiny_tokenizer(PASSAGE)) == []
