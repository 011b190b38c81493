"""Tests of the values that a program compares."""

from fractions import Fraction

from choices_by_hand import (
    attention,
    batch,
    candidates,
    certain,
    date_mentions,
    find_num,
    number_mentions,
    step,
)
from workings.encoder.encoding import Encoding
from workings.inference.comparison import ChosenComparison, find_comparisons
from workings.inference.operand_choice import choose_operands
from workings.network.interpreter import Step
from workings.ops.results import StepDetails

KICKS = "Kicks of 24, 41 and 33 yards, a run of 18 and a kick of 52 yards."


def extreme(encoding: Encoding, name: str, weights: list[float], *inputs: Step) -> Step:
    details = StepDetails(candidates=candidates(encoding, weights))
    return step(f"{name}(find)", attention(encoding), *inputs, details=details)


def only(root: Step, encoding: Encoding) -> ChosenComparison:
    (comparison,) = find_comparisons(root, 0, encoding.inputs[0])
    return comparison


def texts(comparison: ChosenComparison, encoding: Encoding) -> list[str]:
    text = encoding.inputs[0].tokens.text
    return [text[slice(*mention.span)] for mention in comparison.mentions]


def test_candidates_of_a_maximum() -> None:
    encoding = batch(KICKS)
    comparison = only(extreme(encoding, "find-max-num", [0.9, 0.8, 0.7, 0.1, 0.9]), encoding)
    assert (comparison.relation, texts(comparison, encoding)) == (
        "largest",
        ["52", "24", "41", "33"],
    )


def test_minimum_is_the_likeliest_one() -> None:
    encoding = batch(KICKS)
    # 18 is the smallest with 0.4, 24 with 0.6 * 0.9.
    comparison = only(extreme(encoding, "find-min-num", [0.9, 0.8, 0.7, 0.4, 0.9]), encoding)
    assert (comparison.relation, texts(comparison, encoding)) == (
        "smallest",
        ["24", "41", "33", "52"],
    )


def test_second_largest() -> None:
    encoding = batch(KICKS)
    place = step("spans", certain(2))
    comparison = only(extreme(encoding, "find-max-num", [0.9, 0.8, 0.7, 0.1, 0.9], place), encoding)
    assert (comparison.rank, texts(comparison, encoding)[0]) == (2, "41")
    assert set(texts(comparison, encoding)) == {"41", "52", "33", "24"}


def test_extreme_is_the_number_that_the_answer_uses() -> None:
    encoding = batch(KICKS)
    maximum = extreme(encoding, "find-max-num", [0.9, 0.8, 0.7, 0.1, 0.9])
    root = step("find-num", find_num(encoding, [0.1, 0.6, 0.1, 0.1, 0.1]).output, maximum)
    calculation = choose_operands(root, encoding, 0, Fraction(41))
    (comparison,) = find_comparisons(root, 0, encoding.inputs[0], calculation)
    assert texts(comparison, encoding) == ["41", "24", "33"]  # 52 is not among them


def test_no_candidate_at_all() -> None:
    encoding = batch(KICKS)
    root = extreme(encoding, "find-max-num", [0.0] * 5)
    assert find_comparisons(root, 0, encoding.inputs[0]) == []


def test_both_sides_of_a_comparison_of_numbers() -> None:
    encoding = batch("Tools earned 31.2 million, Paper 28.9 million.")
    # Each amount has two mentions: "31.2" and "31.2 million".
    sides = (
        number_mentions(encoding, [0.8, 0.1, 0.1, 0.0]),
        number_mentions(encoding, [0.1, 0.0, 0.2, 0.7]),
    )
    for name, first, relation in (
        ("compare-num-gt", "31.2 million", "more"),
        ("compare-num-lt", "28.9 million", "less"),
    ):
        details = StepDetails(operands=sides)
        comparison = only(
            step(f"{name}(find, find)", attention(encoding), details=details), encoding
        )
        assert (comparison.relation, texts(comparison, encoding)[0]) == (relation, first)
        assert len(comparison.mentions) == 2


def test_both_sides_of_a_comparison_of_dates() -> None:
    encoding = batch("The treaty of 1596 followed the siege of 1595.")
    sides = date_mentions(encoding, [0.9, 0.1]), date_mentions(encoding, [0.2, 0.8])
    details = StepDetails(operands=sides)
    root = step("compare-date-lt(find, find)", attention(encoding), details=details)
    comparison = only(root, encoding)
    assert (comparison.relation, texts(comparison, encoding)) == ("earlier", ["1595", "1596"])


def test_equal_values_have_no_winner() -> None:
    encoding = batch("Ada won 3 cups and Ben won 3 cups.")
    sides = number_mentions(encoding, [1.0, 0.0]), number_mentions(encoding, [0.0, 1.0])
    details = StepDetails(operands=sides)
    root = step("compare-num-gt(find, find)", attention(encoding), details=details)
    assert only(root, encoding).relation == "equal"


def test_time_difference_is_no_comparison() -> None:
    encoding = batch("The treaty of 1596 followed the siege of 1595.")
    sides = date_mentions(encoding, [0.9, 0.1]), date_mentions(encoding, [0.2, 0.8])
    root = step("time-diff(find, find)", certain(1), details=StepDetails(operands=sides))
    assert find_comparisons(root, 0, encoding.inputs[0]) == []
