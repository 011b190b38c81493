"""``workings evaluate``: the scores of a model, its card and a page for each question."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tiny import one_layer_network
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.synthetic import make_synthetic, save_synthetic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(one_layer_network(), tmp_path_factory.mktemp("models") / "model")


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    save_synthetic(tmp_path / "made.json", make_synthetic(3, 1))
    return tmp_path / "made.json"


def evaluate(*given: object) -> str:
    done = CliRunner().invoke(app, ["evaluate", *map(str, given)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_card_gets_the_scores_by_the_name_of_the_file(folder: Path, asked: Path) -> None:
    for options in ([], ["--all"], ["--all", "--fast"]):
        evaluate(asked, "--model", folder, "--card", *options)
    kept = json.loads((folder / "scores.json").read_text("utf-8"))
    every = "made, questions of no kind too"
    assert list(kept) == ["made", every, f"{every}, in eight bits"]
    counts = [measured["report"]["overall"]["questions"] for measured in kept.values()]
    assert counts[0] < counts[1] == counts[2]
    card = (folder / "README.md").read_text("utf-8")
    assert all(f"| {name} | questions |" in card for name in kept)


def test_a_card_is_only_written_where_that_is_asked_for(asked: Path, tmp_path: Path) -> None:
    new_parameters = save(one_layer_network(), tmp_path / "model")
    report = json.loads(evaluate(asked, "--model", new_parameters, "--json"))
    assert report["overall"]["questions"] > 0
    assert not (new_parameters / "scores.json").exists()


def test_a_page_for_each_question(folder: Path, asked: Path, tmp_path: Path) -> None:
    pages, said = tmp_path / "pages", tmp_path / "said.json"
    evaluate(asked, "--model", folder, "--explain", pages, "--predictions", said)
    names = {path.stem for path in pages.glob("*.html")}
    assert names == set(json.loads(said.read_text("utf-8"))) and names
