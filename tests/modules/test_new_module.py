"""A new module is one file: the files of docs/add-a-module.md join the language and run."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import torch
from new_modules import (
    FILES,
    PAGE,
    PERIMETER,
    TRIANGLE,
    add_files,
    two_numbers,
    without_new_modules,
)

from number_distributions import fractions, weight_of
from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import load, save
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import InputError, ProgramError
from workings.explain import Explanation
from workings.modules import REGISTRY, Arithmetic, Module, load_folder
from workings.network.catalog import list_modules
from workings.network.grammar import Grammar
from workings.network.interpreter import Step
from workings.network.network import Network
from workings.ops.results import Numbers
from workings.program import Program
from workings.reader import Reader
from workings.settings import Recipe

# Without the numbers 0, 1 and 100 as operands, the two numbers of a passage are the only choice.
NO_CONSTANTS = Recipe.model_validate({"name": "tiny", "modules": {"constants": False}})


registry_before = pytest.fixture(autouse=True)(without_new_modules)


@pytest.fixture
def old_model(tmp_path: Path) -> Path:
    """A model that was saved before the new modules existed."""
    return save(tiny_network(), tmp_path / "old", half=False)


@pytest.fixture
def new_modules(old_model: Path) -> None:
    """Loads the new modules, after the old model was saved."""
    load_folder(add_files(old_model.parent / "more", **FILES))


@torch.no_grad()
def execute(network: Network, program: Program, passage: str) -> Step:
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    encoding = network.encoder([question], [PassageInput.from_text(passage, network.tokenizer)])
    _, attention = network.programmer.score(encoding, [program])
    (execution,) = network.run(encoding, [(0, program)], [torch.stack(attention)[:, 0]])
    return execution.step


def numbers_of(step: Step) -> Numbers:
    assert isinstance(step.output, Numbers)
    return step.output


@pytest.mark.usefixtures("new_modules")
@pytest.mark.parametrize("name", FILES)
def test_joins_the_grammar(name: str) -> None:
    grammar = Grammar.of(REGISTRY)
    assert grammar.signatures[grammar.derive(two_numbers(name))[0]].name == name
    with pytest.raises(ProgramError, match=f"input 2 of {name} must be numbers"):
        grammar.derive(Program.parse(f"{name}(find-num(find), find)"))


@pytest.mark.usefixtures("new_modules")
def test_is_listed() -> None:
    entry = next(entry for entry in list_modules() if entry["name"] == "perimeter")
    assert entry["sentence"] == "The length of the four sides of a rectangle."
    assert entry["example"] == "How long is a fence around the field?"
    assert entry["signatures"] == [{"takes": ["numbers", "numbers"], "gives": "numbers"}]


@pytest.mark.usefixtures("new_modules")
@pytest.mark.parametrize("name", ["perimeter", "triangle"])
def test_runs_on_an_old_model(name: str, old_model: Path) -> None:
    step = execute(load(old_model), two_numbers(name), PASSAGE)
    first, second = map(numbers_of, step.inputs)
    assert first.mention_weights is not None and second.mention_weights is not None
    values = [first.supports[0].values[entry] for entry in first.mention_weights.entry[0]]
    weights = [n.weights[0].tolist() for n in (first.mention_weights, second.mention_weights)]
    expected: dict[Fraction, float] = {}
    for (i, a), (j, b) in permutations(enumerate(values), 2):  # no mention is both operands
        result = 2 * (a + b) if name == "perimeter" else a * b / 2
        expected[result] = expected.get(result, 0.0) + weights[0][i] * weights[1][j]
    total = sum(expected.values())
    results = weight_of(numbers_of(step))
    actual = {value: weight for value, weight in results.items() if weight > 1e-6}
    assert actual == pytest.approx({v: w / total for v, w in expected.items()}, abs=1e-5)


@pytest.mark.usefixtures("new_modules")
@pytest.mark.parametrize(("name", "answer"), [("perimeter", "109"), ("triangle", "367.5")])
def test_is_explained(name: str, answer: str) -> None:
    reader = Reader(tiny_network(NO_CONSTANTS))
    passage = "Ada kicked a 24.5-yard field goal and Ben a 30-yard field goal."
    explanation = reader.run(two_numbers(name), QUESTION, passage)
    assert explanation.answer.texts == (answer,)
    assert explanation.answer.value == answer
    assert explanation.answer.probability == pytest.approx(1)
    assert explanation.program == str(two_numbers(name))
    last = explanation.steps[-1]
    assert last.module == name
    assert last.signature == f"{name}(numbers, numbers) → numbers"
    assert last.sentence == REGISTRY[name].sentence()
    assert [share.text for share in last.output.shares] == [answer]
    assert last.output.nothing == pytest.approx(0, abs=1e-6)
    assert explanation.equation is not None
    operands = [operand.value for operand in explanation.equation.operands]
    assert sorted(operands) == ["24.5", "30"]
    operation = REGISTRY[name].operation
    assert operation is not None
    assert explanation.equation.expression == operation.format(operands[0], operands[1])
    assert explanation.equation.result == answer


def test_page_gives_right_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped model picks the right operands on the page's passages."""
    add_files(tmp_path / "more", perimeter=PERIMETER, triangle=TRIANGLE)
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text("utf-8").partition("## Run it")[2]
    names: dict[str, Explanation] = {}
    exec(section.partition("```python\n")[2].partition("```")[0], names)
    assert names["field"].answer.texts == ("210",)
    assert names["sail"].answer.texts == ("17.5",)


@pytest.mark.usefixtures("new_modules")
def test_division_by_zero_is_undefined() -> None:
    network = tiny_network(NO_CONSTANTS)
    program, passage = two_numbers("divide"), "Ada kicked 12 yards and Ben 0 yards."
    step = execute(network, program, passage)
    first, second = (weight_of(numbers_of(operand)) for operand in step.inputs)
    # The operands are 0 / 12, or 12 / 0, which is undefined.
    zero, twelve = fractions(0, 12)
    defined, undefined = first[zero] * second[twelve], first[twelve] * second[zero]
    defined, undefined = defined / (defined + undefined), undefined / (defined + undefined)
    quotient = numbers_of(step)
    weights = {value: weight for value, weight in weight_of(quotient).items() if weight > 1e-6}
    assert weights == pytest.approx({zero: defined}, abs=1e-6)
    assert quotient.undefined.item() == pytest.approx(undefined, abs=1e-6)
    explanation = Reader(network).run(program, QUESTION, passage)
    assert explanation.answer.value == "0"
    assert explanation.answer.probability == pytest.approx(defined, abs=1e-5)
    assert explanation.steps[-1].output.nothing == pytest.approx(undefined, abs=1e-5)


@pytest.mark.usefixtures("new_modules")
def test_no_answer_if_every_result_is_undefined() -> None:
    reader = Reader(tiny_network(NO_CONSTANTS))
    explanation = reader.run(two_numbers("divide"), QUESTION, "Ada kicked 0 yards.")
    assert explanation.abstained
    assert explanation.answer.texts == ()
    assert explanation.steps[-1].output.nothing == 1


def rounded(explanation: Explanation) -> Any:
    """The explanation as data; a larger grammar changes the last digits of its probabilities."""
    text = json.dumps(explanation.to_json())
    return json.loads(text, parse_float=lambda number: round(float(number), 6))


def test_old_model_answers_as_before(old_model: Path) -> None:
    answer = rounded(Reader.from_pretrained(old_model).ask(QUESTION, PASSAGE))
    load_folder(add_files(old_model.parent / "more", **FILES))
    network = load(old_model)
    assert not set(FILES) & set(network.modules_trained)
    assert rounded(Reader(network).ask(QUESTION, PASSAGE)) == answer
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder([question], [passage])
    score, _ = network.programmer.score(encoding, [two_numbers("perimeter")])
    assert score.item() == -torch.inf  # never trained, so never written


@pytest.mark.usefixtures("new_modules")
def test_new_model_may_write_it() -> None:
    network = tiny_network()
    assert set(FILES) <= set(network.modules_trained)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder([question], [passage])
    score, _ = network.programmer.score(encoding, [two_numbers("perimeter")])
    assert -torch.inf < score.item() < 0


@pytest.mark.usefixtures("new_modules")
def test_declarations_are_read_from_the_class() -> None:
    settings = Recipe().modules
    for name in ("perimeter", "triangle"):
        module = REGISTRY[name]
        assert issubclass(module, Arithmetic)
        assert module.operation is not None
        assert module.commutes(settings)
        assert module.error_category == "arithmetic"
    assert not REGISTRY["divide"].commutes(settings)
    assert REGISTRY["perimeter"].cues == {"perimeter", "around"}


WITH_FORWARD = '''
from workings.modules import Context, Module
from workings.ops.results import Numbers


class Twice(Module, name="twice"):
    """Twice a number."""

    example = "How many are twice as many?"

    def forward(self, context: Context, number: Numbers) -> Numbers:
        return number
'''
BROKEN = {
    "no Python": "this is not Python",
    "no module": "WORD = 'times'\n",
    "no name": PERIMETER.replace(', name="perimeter"', ""),
    "name with capitals": PERIMETER.replace('name="perimeter"', 'name="Perimeter"'),
    "name in use": PERIMETER.replace('name="perimeter"', 'name="add"'),
    "no docstring": PERIMETER.replace('"""The length of the four sides of a rectangle."""', ""),
    "no example": PERIMETER.replace("example =", "sample ="),
    "no operation": PERIMETER.replace("operation =", "rule ="),
    "unknown operator": PERIMETER.replace("2 * (", "2 ** ("),
    "one operand": PERIMETER.replace("({0} + {1})", "{0}"),
    "no type hint": WITH_FORWARD.replace("number: Numbers", "number"),
    "input without a result type": WITH_FORWARD.replace("number: Numbers", "number: int"),
    "output without a result type": WITH_FORWARD.replace("-> Numbers", "-> float"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_broken_file_leaves_the_registry_as_it_was(
    text: str, tmp_path: Path, registry_before: dict[str, type[Module]]
) -> None:
    assert text not in FILES.values()
    assert text != WITH_FORWARD
    add_files(tmp_path, area=TRIANGLE, perimeter=text)  # area.py is loaded first
    with pytest.raises(InputError, match=r"perimeter\.py is not a module"):
        load_folder(tmp_path)
    assert registry_before == REGISTRY


def test_file_may_be_loaded_again_after_a_change(tmp_path: Path) -> None:
    load_folder(add_files(tmp_path, perimeter=PERIMETER))
    load_folder(add_files(tmp_path, perimeter=PERIMETER.replace("the four sides", "all sides")))
    assert REGISTRY["perimeter"].sentence() == "The length of all sides of a rectangle."


def test_rejects_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="existing folder"):
        load_folder(tmp_path / "missing")
