"""Tests of explanations built from candidates."""

from dataclasses import replace
from fractions import Fraction

import pytest
import torch

from tiny import PASSAGE, QUESTION
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy, Candidate
from workings.network.programmer import ScoredProgram
from workings.program import Program
from workings.reader import Reader


def candidate(reader: Reader, text: str, probability: float, answer: Prediction) -> Candidate:
    """Run a program, but with a given probability and a given answer."""
    network, program = reader.network, Program.parse(text)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    with torch.inference_mode():
        encoding = network.encoder([question], [passage])
        _, attention = network.programmer.score(encoding, [program])
        question_attention = torch.stack(attention)[:, 0]
        (execution,) = network.run(encoding, [(0, program)], [question_attention])
    scored = ScoredProgram(0, program, torch.tensor(probability).log(), question_attention)
    return Candidate(scored, execution, 0, answer)


def test_confidence_is_the_product_of_program_and_answer(reader: Reader) -> None:
    candidates = [
        candidate(reader, "count(find)", 0.5, Prediction(("2",), 0.8, Fraction(2))),
        candidate(reader, "spans(find)", 0.25, Prediction(("Ada", "Ben"), 0.4)),
    ]
    explanation = explain(candidates, AnswerPolicy())
    assert explanation.confidence == pytest.approx(0.4)
    assert (explanation.answer.texts, explanation.answer.value) == (("2",), "2")
    (other,) = explanation.alternatives
    assert str(other.answer) == "Ada, Ben"
    assert other.confidence == pytest.approx(0.1)
    calibrated = explain(candidates, AnswerPolicy(top_k=1, temperature=2.0))
    assert calibrated.confidence == pytest.approx(0.4**0.5)
    assert calibrated.alternatives == ()


def test_equal_answers_of_several_programs_are_summed(reader: Reader) -> None:
    answer = Prediction(("2",), 0.8, Fraction(2))
    candidates = [candidate(reader, "count(find)", 0.5, answer)]
    candidates += [candidate(reader, "find-num(find)", 0.25, replace(answer, probability=0.4))]
    explanation = explain(candidates, AnswerPolicy())
    assert explanation.confidence == pytest.approx(0.5 * 0.8 + 0.25 * 0.4)
    assert explanation.probability == pytest.approx(0.5)
    assert explain(candidates, AnswerPolicy(top_k=1)).confidence == pytest.approx(0.5)


def test_abstains_below_the_threshold(reader: Reader) -> None:
    candidates = [candidate(reader, "count(find)", 0.5, Prediction(("2",), 0.8, Fraction(2)))]
    explanation = explain(candidates, AnswerPolicy(threshold=0.41))
    assert explanation.abstained
    assert (explanation.answer.texts, str(explanation.answer)) == ((), "I do not know")
    assert str(explanation.alternatives[0].answer) == "2"
    assert not explain(candidates, AnswerPolicy(threshold=0.39)).abstained


def test_abstains_without_an_answer(reader: Reader) -> None:
    explanation = explain(
        [candidate(reader, "count(find)", 0.5, Prediction((), 0.0))], AnswerPolicy()
    )
    assert explanation.abstained
    assert explanation.alternatives == ()


def test_phrase_that_is_a_number_has_its_unit(reader: Reader) -> None:
    start = PASSAGE.index("24")
    for text, end, display in (("24", start + 2, "24 yards"), ("24-yard", start + 7, "")):
        answer = Prediction((text,), 0.8, places=(("passage", start, end),))
        explained = explain([candidate(reader, "span(find)", 0.5, answer)], AnswerPolicy())
        assert explained.answer.display == display
        assert explained.answer.texts == (text,)


def test_declined_question_has_a_reason_and_marks_nothing(reader: Reader) -> None:
    explanation = reader.ask("Was the longest field goal in the first quarter?", PASSAGE)
    assert explanation.abstained
    assert "yes or no" in explanation.sentence
    assert (explanation.equation, explanation.comparisons) == (None, ())
