"""Explanations of hours, minutes and seconds: equation, sentence and operands."""

from fractions import Fraction

import pytest
import torch

from choices_by_hand import attention, batch, step
from workings.arithmetic.support import Support
from workings.encoder.encoding import Encoding
from workings.explain.explanation import Equation
from workings.inference.decoding import Prediction
from workings.inference.equation import to_equation
from workings.inference.operand_choice import choose_operands
from workings.inference.quantity import written_result
from workings.inference.sentence import to_sentence
from workings.inference.source_texts import SourceTexts
from workings.network.interpreter import Step
from workings.ops.distinct import MentionWeights
from workings.ops.results import Numbers, StepDetails, TimingCount, Timings
from workings.values import ClockUnit

TEXT = "The ferry left at 9:20 and came at 16:05; the bus ran from 9 pm to 5 am, 2 h 26 min."


def timings(encoding: Encoding, *weights: float) -> Timings:
    entry = encoding.inputs[0].timing_mentions.entry
    by_mention = torch.tensor([weights])
    return Timings(
        by_mention, MentionWeights(by_mention, entry[None], torch.arange(len(entry))[None])
    )


def run(
    encoding: Encoding, program: str, unit: ClockUnit, answer: Fraction, *operands: Timings
) -> Step:
    find = step("find", attention(encoding))
    details = StepDetails(operands=operands, timing=TimingCount(unit, wraps=len(operands) == 2))
    output = Numbers(torch.ones(1, 1), [Support((answer,))])
    return step(program, output, find, details=details)


FERRY = ([0.1, 0.8, 0.0, 0.1, 0.0], [0.7, 0.1, 0.1, 0.1, 0.0])
BUS = ([0.0, 0.0, 0.1, 0.9, 0.0], [0.0, 0.1, 0.9, 0.0, 0.0])


@pytest.mark.parametrize(
    ("program", "unit", "answer", "weights", "expression", "texts", "sentence"),
    [
        (
            "minutes-diff(find)", "minutes", "405", FERRY, "965 - 560", ["16:05", "9:20"],
            "= 6 h 45 min = 405 minutes",
        ),
        (
            "hours-diff(find)", "hours", "6.75", FERRY, "(193/12) - (28/3)", ["16:05", "9:20"],
            "= 6 h 45 min = 6.75 hours",
        ),
        ("hours-diff(find)", "hours", "8", BUS, "29 - 21", ["5 am", "9 pm"], "= 8 hours"),
    ],
)  # fmt: skip
def test_distance(
    program: str,
    unit: ClockUnit,
    answer: str,
    weights: tuple[list[float], list[float]],
    expression: str,
    texts: list[str],
    sentence: str,
) -> None:
    encoding, value = batch(TEXT, f"How many {unit}?"), Fraction(answer)
    operands = [timings(encoding, *side) for side in weights]
    root = run(encoding, program, unit, value, *operands)
    calculation = choose_operands(root, encoding, 0, value)
    assert calculation is not None and calculation.is_likeliest
    source = SourceTexts.of(encoding, 0)
    equation = to_equation(calculation, value, source)
    assert (equation.expression, equation.result) == (expression, answer)
    assert evaluate(equation) == value
    places = [operand.place for operand in equation.operands]
    assert [TEXT[place.start : place.end] for place in places if place] == texts
    written = to_sentence(prediction(value), calculation, [], source)
    assert written.startswith(f"{texts[0]} ") and f" − {texts[1]} " in written
    assert sentence in written


def evaluate(equation: Equation) -> Fraction:
    terms = equation.expression.replace("(", "").replace(")", "").split(" - ")
    return Fraction(terms[0]) - Fraction(terms[1])


def prediction(value: Fraction) -> Prediction:
    return Prediction((str(value),), 1.0, value=value)


def test_duration_in_minutes() -> None:
    encoding, value = batch(TEXT, "How long did the bus run, in minutes?"), Fraction(146)
    duration = timings(encoding, 0.0, 0.1, 0.0, 0.1, 0.8)
    calculation = choose_operands(
        run(encoding, "in-minutes(find)", "minutes", value, duration), encoding, 0, value
    )
    assert calculation is not None and calculation.is_single
    source = SourceTexts.of(encoding, 0)
    assert written_result(calculation, value, source) == "146 minutes"
    written = to_sentence(prediction(value), calculation, [], source)
    assert written.startswith("2 h 26 min (“") and written.endswith(") = 146 minutes")
