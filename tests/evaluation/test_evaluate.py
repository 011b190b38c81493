"""Tests of the evaluation of models, as a function and as a command."""

import json
import re
from math import log
from pathlib import Path

import pytest
from typer.testing import CliRunner

import workings
from tiny import PASSAGE, QUESTION, one_layer_network
from workings.checkpoint.config import set_policy
from workings.checkpoint.model_folder import load_model, save
from workings.cli import app
from workings.data.kinds import load_split
from workings.data.records import Passage, Question
from workings.errors import DataError, InputError
from workings.evaluation import evaluate
from workings.reader import Reader
from workings.synthetic import make_synthetic, save_synthetic


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(one_layer_network(), tmp_path_factory.mktemp("models") / "model")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    save_synthetic(tmp_path / "made.json", make_synthetic(3, 1))
    return tmp_path / "made.json"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_function_and_command_agree(folder: Path, questions: Path, tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    printed = json.loads(run(questions, "--model", folder, "--json", "--predictions", file))
    result = evaluate(folder, questions)
    assert json.loads(json.dumps(result.report.to_json())) | {"left_out": 0} == printed
    assert result.predictions == json.loads(file.read_text("utf-8"))
    assert result.seconds > 0
    assert workings.evaluate is evaluate


def test_models_and_questions_in_all_forms(folder: Path, questions: Path) -> None:
    expected = evaluate(str(folder), str(questions)).predictions
    passages = load_split(questions)
    for model in (folder, Reader.from_pretrained(folder), load_model(folder)):
        assert evaluate(model, passages).predictions == expected
    assert evaluate(folder, [questions]).predictions == expected


def test_fast_needs_a_folder(folder: Path, questions: Path) -> None:
    assert evaluate(folder, questions, fast=True).report.overall.questions > 0
    with pytest.raises(InputError, match="fast applies to a model folder"):
        evaluate(Reader.from_pretrained(folder), questions, fast=True)


def test_reports_progress(folder: Path, questions: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    result = evaluate(folder, questions, progress=lambda *call: calls.append(call))
    total = len(result.predictions)
    assert calls == [("Answering", done, total) for done in range(1, total + 1)]


def test_predictions_are_written_without_gold_answers(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    passage = Passage("p", PASSAGE, (Question("q", QUESTION, ()),))
    with pytest.raises(DataError, match="No question has an answer"):
        evaluate(folder, [passage], all_questions=True, predictions=file)
    assert list(json.loads(file.read_text("utf-8"))) == ["q"]


def test_card_has_the_scores_under_the_name_of_the_file(folder: Path, questions: Path) -> None:
    for options in ([], ["--all"], ["--all", "--fast"]):
        run(questions, "--model", folder, "--card", *options)
    scores = json.loads((folder / "scores.json").read_text("utf-8"))
    assert list(scores) == ["made", "made, all questions", "made, all questions, fast"]
    counts = [measured["report"]["overall"]["questions"] for measured in scores.values()]
    assert counts[0] < counts[1] == counts[2]
    card = (folder / "README.md").read_text("utf-8")
    assert all(f"| {name} | questions |" in card for name in scores)


def test_scores_are_stored_only_with_card(questions: Path, tmp_path: Path) -> None:
    folder = save(one_layer_network(), tmp_path / "model")
    report = json.loads(run(questions, "--model", folder, "--json"))
    assert report["overall"]["questions"] > 0
    assert not (folder / "scores.json").exists()


def test_pages_of_all_questions(folder: Path, questions: Path, tmp_path: Path) -> None:
    pages, predictions = tmp_path / "pages", tmp_path / "predictions.json"
    run(questions, "--model", folder, "--explain", pages, "--predictions", predictions)
    names = {path.stem for path in pages.glob("*.html")}
    assert names == set(json.loads(predictions.read_text("utf-8"))) and names


def test_pages_show_the_same_confidence_as_ask(tmp_path: Path) -> None:
    folder = save(one_layer_network(), tmp_path / "model")
    probability = Reader.from_pretrained(folder).ask(QUESTION, PASSAGE).confidence
    set_policy(folder, temperature=log(probability) / log(0.617), threshold=0)
    assert Reader.from_pretrained(folder).ask(QUESTION, PASSAGE).confidence == pytest.approx(0.617)
    source = tmp_path / "dev.json"
    pairs = [{"query_id": "q", "question": QUESTION, "answer": {"number": "23"}}]
    source.write_text(json.dumps({"p": {"passage": PASSAGE, "qa_pairs": pairs}}))
    run(source, "--all", "--model", folder, "--explain", tmp_path / "pages")
    page = (tmp_path / "pages" / "q.html").read_text("utf-8")
    assert re.findall(r"([\d.]+)\s?% confidence", page) == ["62"]


def test_predictions_are_not_written_over_the_questions(
    folder: Path, questions: Path, tmp_path: Path
) -> None:
    before, link = questions.read_bytes(), tmp_path / "link.json"
    link.symlink_to(questions)
    for file in (questions, link):
        arguments = ["evaluate", questions, "--model", folder, "--predictions", file]
        result = CliRunner().invoke(app, list(map(str, arguments)))
        assert result.exit_code == 1
        assert "is the input file" in result.stderr
        with pytest.raises(DataError, match="is the input file"):
            evaluate(folder, [questions], predictions=file)
    with pytest.raises(DataError, match="not a regular file"):
        evaluate(folder, questions, predictions=tmp_path)
    assert questions.read_bytes() == before
