"""Tests of the likeliest joint choice of operands, against enumeration of all choices."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.arithmetic.support import Support
from workings.budget import Budget
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import AnswerTimeoutError
from workings.inference.calculation import Calculation
from workings.inference.decoding import decode
from workings.inference.operand_choice import choose_operands
from workings.network.interpreter import Step
from workings.network.network import Network
from workings.ops import results
from workings.ops.results import Numbers
from workings.program import Program
from workings.values import CONSTANTS


@pytest.fixture(scope="module")
def network() -> Network:
    return tiny_network().eval()


@torch.inference_mode()
def run(network: Network, program: str, text: str = PASSAGE) -> tuple[Step, Encoding, Fraction]:
    """Run a program on a passage; return its last step, the batch and the answer."""
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    passage = PassageInput.from_text(text, network.tokenizer)
    encoding = network.encoder([question], [passage])
    parsed = Program.parse(program)
    _, attention = network.programmer.score(encoding, [parsed])
    (execution,) = network.run(encoding, [(0, parsed)], [torch.stack(attention)[:, 0]])
    answer = decode(execution.step.output, execution.encoding, 0).value
    assert answer is not None
    return execution.step, execution.encoding, answer


def chosen(network: Network, program: str) -> tuple[Calculation, Step, PassageInput, Fraction]:
    step, encoding, answer = run(network, program)
    calculation = choose_operands(step, encoding, 0, answer)
    assert calculation is not None
    return calculation, step, encoding.inputs[0], answer


def evaluate(calculation: Calculation) -> Fraction:
    operands = [f"Fraction({str(operand.value)!r})" for operand in calculation.operands]
    result: Fraction = eval(calculation.expression.format(*operands), {"Fraction": Fraction})
    return Fraction(result)


def leaves(step: Step) -> list[Step]:
    return [leaf for leaf in step.walk() if leaf.program.name == "find-num"]


@pytest.mark.parametrize(
    "program",
    [
        "find-num(find)",
        "add(find-num(find), find-num(find))",
        "sub(find-num(find), find-num(find))",
        "sub(add(find-num(find), find-num(find)), find-num(find))",
        "add(find-num(find), add(find-num(find), find-num(find)))",
        "sub(find-num(find-max-num(find)), find-num(find-min-num(find)))",
        "time-diff(find, find)",
        "time-diff(find)",
        "count(find)",
        "sub(count(find), count(find))",
        "add(count(find), find-num(find))",
    ],
)
def test_expression_evaluates_to_the_answer(network: Network, program: str) -> None:
    calculation, _, passage, answer = chosen(network, program)
    assert evaluate(calculation) == answer
    for operand in calculation.operands:
        assert operand.constant or operand.span is not None
        if operand.span is not None:
            assert passage.tokens.text[slice(*operand.span)].strip()


@pytest.mark.parametrize(
    ("program", "compute"),
    [
        ("add(find-num(find), find-num(find))", lambda a, b: a + b),
        ("sub(find-num(find), find-num(find))", lambda a, b: abs(a - b)),
        ("add(add(find-num(find), find-num(find)), find-num(find))", lambda a, b, c: a + b + c),
        (
            "sub(add(find-num(find), find-num(find)), find-num(find))",
            lambda a, b, c: abs(a + b - c),
        ),
    ],
)
def test_is_the_likeliest_choice_of_different_mentions(network, program, compute) -> None:  # type: ignore[no-untyped-def]
    calculation, step, passage, answer = chosen(network, program)
    values = [number.value for number in passage.values.numbers] + list(CONSTANTS)
    weights = []
    for leaf in leaves(step):
        assert isinstance(leaf.output, Numbers) and leaf.output.mention_weights is not None
        weights.append(leaf.output.mention_weights.weights[0].tolist())
    best = max(
        (
            torch.tensor([weights[k][m] for k, m in enumerate(mentions)]).double().prod().item()
            for mentions in product(range(len(values)), repeat=len(weights))
            if len(set(mentions)) == len(mentions)
            and compute(*(values[m] for m in mentions)) == answer
        ),
        default=None,
    )
    assert best is not None
    assert calculation.weight == pytest.approx(best, rel=1e-4)


def test_counts_as_many_mentions_as_the_answer(network: Network) -> None:
    calculation, step, _, answer = chosen(network, "count(find)")
    assert len(calculation.operands) == answer
    assert step.details.counted is not None


def test_larger_operand_of_a_difference_comes_first(network: Network) -> None:
    calculation, *_ = chosen(network, "sub(find-num(find), find-num(find))")
    first, second = calculation.operands
    assert first.value >= second.value


def test_unreachable_answer_has_no_calculation(network: Network) -> None:
    step, encoding, _ = run(network, "add(find-num(find), find-num(find))")
    answer = Fraction(987654321)
    assert choose_operands(step, encoding, 0, answer) is None


def test_many_equal_numbers_take_bounded_work(network: Network) -> None:
    step, encoding, answer = run(
        network,
        "add(add(find-num(find), find-num(find)), add(find-num(find), find-num(find)))",
        f"{PASSAGE} " * 10,
    )
    calculation = choose_operands(step, encoding, 0, answer)
    assert calculation is not None
    assert evaluate(calculation) == answer
    spans = [operand.span for operand in calculation.operands if operand.span is not None]
    assert len(spans) == len(set(spans))


CHAIN = "find-num(find)"
for _ in range(8):
    CHAIN = f"add({CHAIN}, find-num(find))"
MANY_NUMBERS = " ".join(f"On day {7 * i} they got {13 * i + 1} coins." for i in range(1, 31))


def test_long_programs_take_bounded_work(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each result of a step is looked for once, although many pairs have it in common."""
    root, encoding, answer = run(network, CHAIN, MANY_NUMBERS)
    searches, search = 0, Support.pairs_with_result

    def count(*arguments: Any) -> Any:
        nonlocal searches
        searches += 1
        return search(*arguments)

    monkeypatch.setattr(Support, "pairs_with_result", count)
    assert choose_operands(root, encoding, 0, answer) is not None
    assert searches < 3000


def test_search_ends_with_the_budget(network: Network) -> None:
    root, encoding, answer = run(network, CHAIN, MANY_NUMBERS)
    with Budget(3600, is_cancelled=lambda: True), pytest.raises(AnswerTimeoutError):
        choose_operands(root, encoding, 0, answer)


def test_expression_uses_numbers_that_were_combined(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MAX_EXACT_PAIRS", 9)
    monkeypatch.setattr(results, "MAX_LIKELY_PAIRS", 9)
    for program in (
        "sub(find-num(find), find-num(find))",
        "sub(add(find-num(find), find-num(find)), find-num(find))",
        "add(sub(find-num(find), find-num(find)), sub(find-num(find), find-num(find)))",
    ):
        calculation, *_, answer = chosen(network, program)
        assert evaluate(calculation) == answer
