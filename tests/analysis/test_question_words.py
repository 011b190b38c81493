"""Question words worked out by hand: phrases of steps, shares on them, and stop words."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import encode
from tiny import PASSAGE as TINY_PASSAGE
from tiny import QUESTION as TINY_QUESTION
from tiny import tiny_network
from workings.analysis.question_words import (
    QuestionWords,
    StepWords,
    annotated_questions,
    measure_question_words,
    step_words,
    summarise_question_words,
)
from workings.analysis.step_values import Value
from workings.data.asked_values import asks_for
from workings.data.records import Ask, Passage, Question
from workings.errors import DataError
from workings.inference.decoding import Prediction
from workings.inference.ranking import Candidate
from workings.network.interpreter import Step
from workings.network.network import Execution, Network
from workings.network.programmer import ScoredProgram
from workings.ops.results import Attention, Numbers
from workings.program import Program
from workings.values import Date, Timing

PASSAGE = "Ada ran 12 yards. Ben ran 30 yards."
QUESTION = "How many more yards did Ben run than little Ada in May?"
WORDS = "How many more yards did Ben run than little Ada in May ?".split()
ENCODING = encode([(QUESTION, PASSAGE)], dtype=torch.float32)
ASKS = (
    Ask("value", "Ben run", ("30",)),
    Ask("value", "little Ada", ("12",)),
    Ask("find", "yards"),
    Ask("filter", "in May"),
    Ask("op", "more"),
)


def step(name: str, value: int | None, *inputs: Step, **weights: float) -> Step:
    """A step with weights on words of the question, and a number or an attention as output."""
    attention = torch.zeros(1, len(WORDS))
    for word, weight in weights.items():
        attention[0, WORDS.index(word)] = weight
    support = ENCODING.inputs[0].operands
    output: Attention | Numbers = Attention(torch.zeros(ENCODING.passage.shape[:2]), attention)
    if value is not None:
        numbers = torch.zeros(1, len(support))
        numbers[0, support.positions[Fraction(value)]] = 1
        output = Numbers(numbers, [support])
    program = Program(name, tuple(child.program for child in inputs))
    return Step(program, attention, inputs, output)


def measured(
    root: Step, asks: Sequence[Ask] = ASKS
) -> list[tuple[str, str, float | None, float | None, bool]]:
    scored = ScoredProgram(0, root.program, torch.zeros(()), torch.zeros(1, len(WORDS)))
    execution = Execution(root.program, (0,), (0,), ENCODING, root)
    candidate = Candidate(scored, execution, 0, Prediction(("18",), 1.0))
    return [
        (
            words.module,
            words.role,
            None if words.on_phrase is None else round(words.on_phrase, 4),
            None if words.even is None else round(words.even * len(WORDS)),
            words.stop_word_first,
        )
        for words in step_words(candidate, asks)
    ]


def test_find_attends_to_the_phrase_of_its_value() -> None:
    ben = step("find-num", 30, step("find", None, Ben=0.5, run=0.2, many=0.3))
    ada = step("find-num", 12, step("find", None, than=0.6, Ada=0.4))
    assert measured(step("sub", 1, ben, ada)) == [
        ("find", "value", 0.7, 2, False),
        ("find", "value", 0.4, 2, True),  # "than" has the largest weight
    ]


def test_value_that_no_phrase_asks_for() -> None:
    assert measured(step("find-num", 100, step("find", None, Ben=1.0))) == [
        ("find", "", None, None, False)
    ]


def test_value_zero_has_a_phrase() -> None:
    root = step("find-num", 0, step("find", None, than=1.0))
    (words,) = measured(root, (Ask("value", "than", ("0",)),))
    assert words == ("find", "value", 1.0, 1, True)


def test_filter_attends_to_the_condition_and_its_find_to_the_thing() -> None:
    found = step("find", None, yards=0.75, Ben=0.25)
    root = step("count", 1, step("filter", None, found, May=0.9, many=0.1))
    assert measured(root) == [("find", "find", 0.75, 1, True), ("filter", "filter", 0.9, 2, False)]


def test_relocate_has_no_phrase() -> None:
    root = step("span", None, step("relocate", None, step("find", None, yards=1.0), Ada=1.0))
    assert measured(root)[1] == ("relocate", "", None, None, False)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("2977", Fraction(2977), True),
        ("2,977", Fraction(2977), True),
        ("9.1", Fraction("9.1"), True),
        ("9.1", Fraction(9), False),
        ("nine", Fraction(9), False),
        ("1641", Date(1641, 5), True),
        ("1641.5", Date(1641, 5), True),
        ("0.5", Date(1641, 5), True),
        ("3", Date(1641, 5, 3), True),
        ("1641.6", Date(1641, 5), False),
        ("0.", Date(1641), False),
        ("", Date(None, 5), False),
    ],
)
def test_values_of_phrases(text: str, value: Value, expected: bool) -> None:
    assert asks_for(Ask("value", "then", (text,)), value) == expected


@pytest.mark.parametrize(
    ("text", "timing", "expected"),
    [
        ("8.15", Timing(Fraction(8 * 3600 + 15 * 60)), True),
        ("8.15", Timing(Fraction(20 * 3600 + 15 * 60)), True),  # in either half of the day
        ("8:15", Timing(Fraction(8 * 3600 + 15 * 60)), True),
        ("8.16", Timing(Fraction(8 * 3600 + 15 * 60)), False),
        ("9", Timing(Fraction(9 * 3600)), True),
        ("35", Timing(Fraction(35 * 60), is_duration=True), True),
        ("213.6", Timing(Fraction("213.6"), is_duration=True), True),
        ("8.15", Timing(Fraction(35 * 60), is_duration=True), False),
    ],
)
def test_times_of_phrases(text: str, timing: Timing, expected: bool) -> None:
    assert asks_for(Ask("value", "then", (text,)), timing) == expected


@given(st.fractions())
def test_a_number_denotes_itself(value: Fraction) -> None:
    assert asks_for(Ask("value", "it", (str(value),)), value)
    assert not asks_for(Ask("value", "it", (str(value),)), value + 1)


def test_means_by_module_and_role() -> None:
    steps = [
        StepWords("find", "value", 0.5, 0.1, stop_word_first=False),
        StepWords("find", "value", 1.0, 0.3, stop_word_first=True),
        StepWords("find", "", None, None, stop_word_first=True),
    ]
    assert summarise_question_words(steps) == [
        QuestionWords("find", "", 1, None, None, 1.0),
        QuestionWords("find", "value", 2, 0.75, 0.2, 0.5),
    ]


def test_keeps_annotated_questions_only() -> None:
    plain = Question("a", "Q?", ())
    annotated = Question("b", "Q?", (), asks=(Ask("find", "Q"),))
    passages = [Passage("p", "P.", (plain, annotated)), Passage("q", "P.", (plain,))]
    assert annotated_questions(passages) == [Passage("p", "P.", (annotated,))]
    with pytest.raises(DataError, match="No question has annotated phrases"):
        annotated_questions(passages[1:])


def test_measures_a_network() -> None:
    asks = Ask("find", "field goal"), Ask("filter", "longest")
    passages = [Passage("p", TINY_PASSAGE, (Question("a", TINY_QUESTION, (), asks=asks),))]
    tiny = tiny_network()
    network = Network(tiny.recipe, tiny.encoder, tiny.tokenizer, ("find", "span")).eval()
    (steps,) = measure_question_words(network, passages)
    assert steps
    assert all(words.on_phrase is None or 0 <= words.on_phrase <= 1.0001 for words in steps)
