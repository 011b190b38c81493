"""Tests of equations that add up: by hand, on generated passages, and on DROP if it is there."""

import os
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tiny import tiny_network
from workings.analysis.equation_shares import (
    EquationCheck,
    EquationShares,
    check_equation,
    count_equations,
    equation_value,
)
from workings.data.records import Passage, read_passages
from workings.evaluation.prediction import predict
from workings.explain import Explanation
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy
from workings.network.network import Network
from workings.synthetic import make_synthetic


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("{0} + {1} - {2}", "4"),
        ("({0} + {1} + {2}) / 3", "14/3"),
        ("100 * ({0} - {1}) / {1}", "250"),
        ("{0} * {2}", "35"),
        ("0", "0"),
    ],
)
def test_evaluates_exactly(expression: str, expected: str) -> None:
    operands = tuple(ChosenOperand(Fraction(value)) for value in (7, 2, 5))
    assert equation_value(Calculation(expression, operands, 1.0)) == Fraction(expected)


def test_shares() -> None:
    checks = [
        EquationCheck(True, True),
        None,
        EquationCheck(True, False),
        EquationCheck(True, True),
    ]
    shares = count_equations(checks)
    assert shares == EquationShares(3, 3, 2)
    assert shares.to_json() == {
        "answers": 3,
        "evaluate": 1.0,
        "likeliest": pytest.approx(2 / 3),
    }
    assert EquationShares().to_json() == {"answers": 0, "evaluate": None, "likeliest": None}


def python_value(explanation: Explanation) -> Fraction:
    """The value of the published expression by Python's own evaluation, on exact fractions."""
    assert explanation.equation is not None
    spaced = explanation.equation.expression.replace("(", " ( ").replace(")", " ) ")
    terms = [
        term if term in ("+", "-", "*", "/", "(", ")") else f"Fraction('{term}')"
        for term in spaced.replace("/", " / ").split()
    ]
    return Fraction(eval(" ".join(terms), {"Fraction": Fraction}))


def sentence_values(explanation: Explanation) -> list[Fraction]:
    """Both sides of a sentence about a sum or difference; none for other sentences."""
    calculation = re.sub(r" \((“[^”]*”|[a-z ]+)\)", "", explanation.sentence).split(";")[0]
    others = re.search(r"[÷×:≈]|illion|thousand", calculation)
    if others or "diff" in explanation.program or " = " not in calculation:
        return []
    sides = calculation.replace(",", "").replace("−", "-").split(" = ")
    terms = (re.sub(r"[^\d.()+-]", "", side) for side in sides)
    return [Fraction(eval(re.sub(r"([\d.]+)", r"Fraction('\1')", side))) for side in terms]


def check_all(network: Network, passages: Sequence[Passage]) -> int:
    """Check every equation of every candidate; return how many there are."""
    found = 0
    for _, candidates in predict(network, passages):
        for candidate in candidates:
            check = check_equation(candidate)
            assert check is None or check.evaluates, str(candidate.scored.program)
            explanation = explain([candidate], AnswerPolicy())
            if explanation.equation is not None:
                assert python_value(explanation) == Fraction(explanation.equation.result)
                assert explanation.equation.result == explanation.answer.value
                written = set(sentence_values(explanation))
                assert written <= {Fraction(explanation.equation.result)}, explanation.sentence
                found += 1
    return found


def test_every_equation_holds_on_generated_passages() -> None:
    made = make_synthetic(3, 5, questions=3)
    passages = [synthetic.passage for synthetic in made]
    assert check_all(network(), passages) > 10


def network() -> Network:
    """A network that computes numbers only.

    It has no sums of sets: with random weights it nests them, and their search takes minutes.
    """
    tiny = tiny_network()
    names = "find find-num count add sub mul div percent days-diff".split()
    return Network(tiny.recipe, tiny.encoder, tiny.tokenizer, names).eval()


@pytest.mark.skipif("WORKINGS_DATA" not in os.environ, reason="WORKINGS_DATA names no data folder")
def test_every_equation_holds_on_dev() -> None:
    passages = read_passages(Path(os.environ["WORKINGS_DATA"]) / "dev.json.gz").passages
    sample = Random(0).sample(list(passages), 20)
    assert check_all(network(), sample) > 10
