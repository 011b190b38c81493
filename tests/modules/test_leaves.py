"""Modules without inputs: constants, the numbers of the question, and unknown."""

from fractions import Fraction

import pytest
import torch

from handmade import context, encode
from number_distributions import fractions
from workings.modules import REGISTRY
from workings.modules.question_num import QuestionNum
from workings.modules.unknown import Unknown
from workings.ops.results import Nothing, Numbers
from workings.settings import ModuleSettings

SETTINGS = ModuleSettings()
ROWS = [("How many kicks over 40 or 50 yards?", "Ada won."), ("How many?", "It had 7 men.")]


@pytest.mark.parametrize(("name", "value"), [("hundred", 100), ("one", 1)])
def test_constant(name: str, value: int) -> None:
    found = REGISTRY[name](4, SETTINGS)(context(encode(ROWS)))
    assert [support.values for support in found.supports] == [fractions(value)] * 2
    assert found.weights.tolist() == [[1], [1]]
    # No mention stands behind a constant, so it never excludes a mention.
    assert found.mention_weights is None


def question_numbers(weights: list[list[float]]) -> Numbers:
    encoding = encode(ROWS)
    attention = torch.tensor(weights, dtype=torch.float64)
    assert attention.shape == encoding.question_mask.shape
    result: Numbers = QuestionNum(4, SETTINGS)(context(encoding, attention))
    return result


def test_number_of_the_question_by_hand() -> None:
    """The tokens of 40 and 50 have a fifth and two fifths of the attention."""
    found = question_numbers([[0.1, 0.1, 0.1, 0.1, 0.2, 0, 0.4, 0, 0], [1 / 3] * 3 + [0.0] * 6])
    assert found.supports[0].values == fractions(40, 50)
    assert found.weights[0].tolist() == pytest.approx([1 / 3, 2 / 3])
    # The second question states no number.
    assert found.supports[1].values == ()
    assert found.undefined.tolist() == pytest.approx([0, 1])


def test_number_without_attention_stays_possible() -> None:
    found = question_numbers([[1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]])
    assert found.weights[0].tolist() == pytest.approx([0.5, 0.5])


def test_number_stated_twice_is_one_entry() -> None:
    encoding = encode([("Of 12 men, who led 12 or 3?", "Ada did.")])
    attention = torch.zeros(encoding.question_mask.shape, dtype=torch.float64)
    attention[0, 1] = attention[0, 6] = 0.3  # "12", twice
    attention[0, 8] = 0.4
    found = QuestionNum(4, SETTINGS)(context(encoding, attention))
    assert found.supports[0].values == fractions(3, 12)
    assert found.weights[0].tolist() == pytest.approx([0.4, 0.6])


def test_unknown_is_certain_given_its_program() -> None:
    found = Unknown(4, SETTINGS)(context(encode(ROWS)))
    assert isinstance(found, Nothing)
    assert found.weights.tolist() == [1, 1]
    assert found.weights.dtype is torch.float64


def test_constants_are_whole_fractions() -> None:
    assert {REGISTRY[name].value for name in ("hundred", "one")} == {Fraction(1), Fraction(100)}  # type: ignore[attr-defined]
