"""Tests of the example notebooks: every cell runs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tiny import tiny_network
from workings.checkpoint.model_folder import save
from workings.modules import REGISTRY

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def restore_modules() -> Iterator[None]:
    """Remove the modules that a notebook adds."""
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def run(notebook: Path) -> dict[str, Any]:
    """Run all cells of a notebook; return the names they define."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": notebook.stem}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "clear the outputs"
            exec("".join(cell["source"]), names)
    return names


@pytest.fixture
def names(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, model: Path, examples: Path
) -> dict[str, Any]:
    monkeypatch.setattr("workings.checkpoint.model_folder.shipped_model", lambda: model)
    monkeypatch.chdir(examples)
    return run(examples / f"{request.param}.ipynb")


def test_every_notebook_has_a_test() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["add_a_module", "ask", "look_inside"]


@pytest.mark.parametrize("names", ["ask"], indirect=True)
def test_ask(names: dict[str, Any]) -> None:
    assert names["explanation"].passage == names["passage"]
    assert "must be attention" in names["message"]


@pytest.mark.parametrize("names", ["look_inside"], indirect=True)
def test_look_inside(names: dict[str, Any]) -> None:
    assert float(names["field_goals"].passage.sum()) == pytest.approx(1, abs=1e-4)
    assert float(names["yards"].weights.sum()) == pytest.approx(1, abs=1e-4)
    assert min(names["difference"].supports[0].values) == 0


@pytest.mark.parametrize("names", ["add_a_module"], indirect=True)
def test_add_a_module(names: dict[str, Any]) -> None:
    assert names["field"].steps[-1].sentence == "The length of the four sides of a rectangle."
    assert names["field"].steps[-1].signature == "perimeter(numbers, numbers) → numbers"
    assert names["sail"].steps[-1].sentence == "The area of a triangle with a base and a height."
    assert names["larger"].program.startswith("sub(perimeter(")
    assert "perimeter(numbers, numbers)" in names["message"]
