"""One new file is one new module: typed, written, run and explained; old models still load."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import load, save
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import InputError, ProgramError
from workings.modules import REGISTRY, load_folder
from workings.network.grammar import Grammar
from workings.network.network import Network
from workings.ops.results import Numbers
from workings.program import Program
from workings.reader import Reader

MULTIPLY = '''
import numpy as np

from workings.modules import Context, Module
from workings.ops.results import Numbers
from workings.arithmetic.support import Operation

PRODUCT = Operation("multiply", np.multiply, degree=2)


class Multiply(Module, name="multiply"):
    """The product of two numbers."""

    example = "How many eggs are in four boxes of six?"

    def forward(self, context: Context, first: Numbers, second: Numbers) -> Numbers:
        return first.combine(second, PRODUCT)
'''
PROGRAM = Program.parse("multiply(find-num(find), find-num(find))")


@pytest.fixture
def language() -> Iterator[dict[str, object]]:
    """The modules, put back as they were."""
    before = dict(REGISTRY)
    yield dict(before)
    REGISTRY.clear()
    REGISTRY.update(before)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A model from before there was multiplication."""
    return save(tiny_network(), tmp_path / "old", half=False)


@pytest.fixture
def multiply(old: Path, language: dict[str, object]) -> None:
    """The new file, written after the old model."""
    assert "multiply" not in language
    folder = old.parent / "more"
    folder.mkdir()
    (folder / "multiply.py").write_text(MULTIPLY)
    load_folder(folder)


@torch.no_grad()
def run(network: Network) -> tuple[Numbers, Numbers, Numbers]:
    question = TokenizedText.cut(QUESTION, network.tokenizer)
    encoding = network.encoder([question], [PassageInput.read(PASSAGE, network.tokenizer)])
    _, asked = network.programmer.score(encoding, [PROGRAM])
    (execution,) = network.run(encoding, [(0, PROGRAM)], [torch.stack(asked)[:, 0]])
    return execution.step.output, *(step.output for step in execution.step.inputs)


@pytest.mark.usefixtures("multiply")
def test_it_joins_the_grammar() -> None:
    grammar = Grammar.of(REGISTRY)
    assert grammar.signatures[grammar.derive(PROGRAM)[0]].name == "multiply"
    with pytest.raises(ProgramError, match="input 2 of multiply must be numbers"):
        grammar.derive(Program.parse("multiply(find-num(find), find)"))


@pytest.mark.usefixtures("multiply")
def test_it_runs_on_an_old_model(old: Path) -> None:
    found, first, second = run(load(old))
    expected: dict[Fraction, float] = {}
    pairs = product(
        *(zip(n.supports[0].values, n.weights[0].tolist(), strict=True) for n in (first, second))
    )
    for (a, p), (b, q) in pairs:
        expected[a * b] = expected.get(a * b, 0.0) + p * q
    assert dict(zip(found.supports[0].values, found.weights[0].tolist(), strict=True)) == (
        pytest.approx(expected, abs=1e-6)
    )


@pytest.mark.usefixtures("multiply")
def test_it_is_explained(old: Path) -> None:
    explanation = Reader.from_pretrained(old).run(PROGRAM, QUESTION, PASSAGE)
    assert explanation.steps[-1].sentence == "The product of two numbers."
    assert explanation.program == str(PROGRAM)


@pytest.mark.usefixtures("language")
def test_an_old_model_answers_as_before(old: Path, tmp_path: Path) -> None:
    before = Reader.from_pretrained(old).ask(QUESTION, PASSAGE)
    (tmp_path / "multiply.py").write_text(MULTIPLY)
    load_folder(tmp_path)
    network = load(old)
    assert "multiply" not in network.modules_trained
    after = Reader(network).ask(QUESTION, PASSAGE)
    assert after == before
    score, _ = network.programmer.score(
        network.encoder(
            [TokenizedText.cut(QUESTION, network.tokenizer)],
            [PassageInput.read(PASSAGE, network.tokenizer)],
        ),
        [PROGRAM],
    )
    assert score.item() == -torch.inf  # never trained, never written


@pytest.mark.usefixtures("multiply")
def test_a_new_model_may_write_it() -> None:
    assert "multiply" in tiny_network().modules_trained


@pytest.mark.parametrize(
    "text",
    [
        "this is not Python",
        MULTIPLY.replace("second: Numbers", "second"),
        MULTIPLY.replace("second: Numbers", "second: int"),
        MULTIPLY.replace("-> Numbers", "-> float"),
    ],
    ids=["no Python", "no hint", "no result", "gives no result"],
)
def test_a_broken_file_is_named_and_left_out(
    text: str, tmp_path: Path, language: dict[str, object]
) -> None:
    (tmp_path / "multiply.py").write_text(text)
    with pytest.raises(InputError, match=r"multiply\.py"):
        load_folder(tmp_path)
    assert language == REGISTRY


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="existing folder"):
        load_folder(tmp_path / "none")
