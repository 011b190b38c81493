"""Derivation of modules that supervision does not know: half a product and a midpoint."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from workings.arithmetic.operation import Operation
from workings.data.records import GoldAnswer, Passage, Question
from workings.modules import REGISTRY, Arithmetic
from workings.supervision import supervise as supervise_module
from workings.supervision.derivation import Supervision
from workings.supervision.supervise import supervise, supervise_all
from workings.values import read_values

SALE = "The club sold 12 tickets for the first row and 31 for the second, each for 350 crowns."


@pytest.fixture(autouse=True)
def added_modules() -> Iterator[None]:
    before = dict(REGISTRY)

    class HalfProduct(Arithmetic, name="half-product"):
        """Half the product of two numbers."""

        example = "What was paid for all tickets at half price?"
        operation = Operation("{0} * {1} / 2", commutative=True)
        cues = frozenset(("paid", "each"))

    class Midpoint(Arithmetic, name="midpoint"):
        """The midpoint of two numbers."""

        example = "What is the midpoint of both?"
        operation = Operation("({0} + {1}) / 2", commutative=True)
        cues = frozenset(("midpoint", "middle"))

    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def ask(
    question: str, answer: str, evidence: str = "", kind: str | None = None, passage: str = SALE
) -> Supervision:
    record = Question("q", question, (GoldAnswer(number=answer),), kind, evidence)
    return supervise(Passage("p", passage, (record,)), record, read_values(passage))


@pytest.mark.parametrize("kind", [None, "add-sub", "extract-number", "count"])
@pytest.mark.parametrize(
    ("question", "answer", "evidence", "module", "operands"),
    [
        ("What did the first row bring in?", "2100", "12*350/2", "half-product", (12, 350)),
        (
            "What did the first row bring in?",
            "2,100",
            "350 × 12 / 2 = 2100",
            "half-product",
            (350, 12),
        ),
        ("How many were sold per row?", "21.5", "(12+31)/2", "midpoint", (12, 31)),
    ],
)
def test_expression_in_evidence(
    question: str,
    answer: str,
    evidence: str,
    module: str,
    operands: tuple[int, int],
    kind: str | None,
) -> None:
    (derivation,) = ask(question, answer, evidence, kind).derivations
    assert derivation.program == f"{module}(find-num(find), find-num(find))"
    assert derivation.from_evidence
    assert [(target.step, target.numbers) for target in derivation.targets] == [
        (0, (Fraction(answer.replace(",", "")),)),
        (1, (Fraction(operands[0]),)),
        (3, (Fraction(operands[1]),)),
    ]


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("2101", "12*350/2"),  # another value
        ("24", "12*4/2"),  # a number that the passage does not state
        ("14700", "12*350/2*7"),  # another formula
        ("14.33", "(12+31)/3"),
    ],
)
def test_other_expressions_decide_nothing(answer: str, evidence: str) -> None:
    found = ask("What did the first row bring in?", answer, evidence)
    assert not any(derivation.from_evidence for derivation in found.derivations)


def test_extreme_operands() -> None:
    passage = "He ran 12 yards, then 31 yards."
    question = "What is the midpoint of the longest and the shortest run?"
    (derivation,) = ask(question, "21.5", "(31+12)/2", passage=passage).derivations
    assert derivation.program == (
        "midpoint(find-num(find-max-num(find)), find-num(find-min-num(find)))"
    )


def test_search_needs_a_cue() -> None:
    (found,) = ask("What was paid for the first row?", "2100").derivations
    assert found.program == "half-product(find-num(find), find-num(find))"
    assert not found.from_evidence
    assert ask("What did the first row bring in?", "2100").derivations == ()


def test_search_ranks_pairs_by_nearby_words() -> None:
    passage = "Hens cost 60 crowns and geese 40 crowns. " + "Nothing else. " * 20
    passage += "The king bought 80 hats for 30 crowns each."
    found = ask("How much did the king pay for each of the hats?", "1200", passage=passage)
    program = "half-product(find-num(find), find-num(find))"
    pairs = [
        tuple(target.numbers[0] for target in derivation.targets[1:])
        for derivation in found.derivations
        if derivation.program == program  # other modules have the cue "each" too
    ]
    assert pairs == [(Fraction(30), Fraction(80)), (Fraction(40), Fraction(60))]


def test_search_gives_other_derivations_too() -> None:
    found = ask("How many were sold in each row?", "12", passage=SALE + " 2 hats were lost.")
    programs = [derivation.program for derivation in found.derivations]
    half_product = "half-product(find-num(find), find-num(find))"  # 2 * 12 / 2
    assert programs.index(half_product) < programs.index("find-num(find)")


def test_processes_without_the_modules_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question("q", "What was paid?", (GoldAnswer(number="2100"),))
    monkeypatch.setattr(supervise_module, "_MIN_PASSAGES_TO_SHARE", 1)
    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "spawn")
    monkeypatch.setattr("multiprocessing.Pool", None)
    found = supervise_all([Passage("p", SALE, (question,))])
    assert found["q"].derivations[0].program.startswith("half-product")
