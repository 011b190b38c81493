"""A reproduction on synthetic data: rows are trained, scored, saved and not run twice."""

import json
from pathlib import Path

import pytest
from results_by_hand import result
from typer.testing import CliRunner

from workings.cli import app
from workings.data.build import write_drop
from workings.errors import DataError, InputError
from workings.reproduce.planning import estimate_seconds, plan_rows, plan_table
from workings.reproduce.result_files import read_results, save_result
from workings.reproduce.rows import all_rows
from workings.reproduce.runner import Reproduction
from workings.synthetic import make_synthetic

ROWS = all_rows()
TINY = (
    "encoder.source=scratch",
    "encoder.layers=4",
    "encoder.frozen=0",
    "encoder.width=16",
    "encoder.heads=2",
    "encoder.vocabulary=400",
    "programmer.width=16",
    "data.synthetic=1",
    "train.epochs=1",
    "train.groups_per_step=2",
    "train.evaluate_every=1000",
    "train.cache_gb=0",
)


def quiet(_what: str, _done: int, _of: int) -> None:
    pass


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for seed, split in enumerate(("train", "dev", "test")):
        examples = make_synthetic(seed, 3, questions=4)
        write_drop(folder / f"{split}.json.gz", [example.passage for example in examples])
    return folder


def test_rows_run_once_and_are_scored_on_test_without_training(data: Path, tmp_path: Path) -> None:
    settings = [part for setting in TINY for part in ("--set", setting)]
    chosen = ["--only", "paper", "--only", "numnet"]
    command = ["reproduce", "--data", str(data), "--out", str(tmp_path), *chosen, *settings]
    shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 0, shown.output
    assert "NMNs± − NumNet" in shown.stdout
    assert shown.stderr.splitlines() == ["numnet is done, 1 of 2.", "paper is done, 2 of 2."]
    results = read_results(tmp_path, "dev")
    assert set(results) == {"paper", "numnet"}
    saved = json.loads((tmp_path / "dev" / "paper.json").read_text())
    assert saved["report"]["with_kind"]["questions"] == len(saved["scores"])
    assert saved["budget"]["questions"] > 0 and saved["commit"] and saved["date"]

    again = CliRunner().invoke(app, command)  # only reads the results
    assert (again.stdout, again.stderr) == (shown.stdout, "")
    assert read_results(tmp_path, "dev") == results

    steps = (tmp_path / "runs" / "paper" / "metrics.jsonl").read_text()
    tested = Reproduction(data, tmp_path, "test", TINY).run(ROWS["paper"], quiet)
    assert {score.id for score in tested.scores}.isdisjoint(
        score.id for score in results["paper"].scores
    )
    assert (tmp_path / "runs" / "paper" / "metrics.jsonl").read_text() == steps


def test_interrupted_row_resumes(data: Path, tmp_path: Path) -> None:
    class Stopped(Exception):  # noqa: N818 - an interruption, not an error
        pass

    def stop(what: str, done: int, _of: int) -> None:
        if what == "no-add-sub: training" and done == 1:
            raise Stopped

    settings = (*TINY, "train.groups_per_step=1", "train.checkpoint_minutes=1e-9")
    reproduction = Reproduction(data, tmp_path, "dev", settings)
    with pytest.raises(Stopped):
        reproduction.run(ROWS["no-add-sub"], stop)
    assert reproduction.load(ROWS["no-add-sub"]) is None
    finished = reproduction.run(ROWS["no-add-sub"], quiet)
    assert reproduction.load(ROWS["no-add-sub"]) == finished


def test_rejects_results_of_other_settings(tmp_path: Path) -> None:
    saved = result("naqanet", [1, 0, 1, 0, 1])
    save_result(tmp_path, saved)
    assert Reproduction(None, tmp_path).load(ROWS["naqanet"]) == saved
    with pytest.raises(InputError, match="other settings"):
        Reproduction(None, tmp_path, "dev", ("train.seed=2",)).load(ROWS["naqanet"])


def test_plan_estimates_questions_and_time(data: Path, tmp_path: Path) -> None:
    reproduction = Reproduction(data, tmp_path, "dev", ("data.limit=2", "train.epochs=2"))
    rows = [ROWS[name] for name in ("no-question", "add", "sub", "no-add-sub", "kinds", "gru")]
    planned = {each.row.name: each for each in plan_rows(reproduction, rows)}
    seen = {name: each.questions for name, each in planned.items()}
    assert seen["no-question"] >= seen["add"] + seen["sub"] + seen["no-add-sub"] > 0
    assert planned["no-question"].seconds > planned["add"].seconds > 0
    # The paper's count module takes 90 ms a question more.
    longer = planned["gru"].seconds - planned["kinds"].seconds
    assert longer == pytest.approx(0.09 * seen["kinds"])
    table = plan_table(list(planned.values()))
    assert table.lines[-1][0] == "all" and len(table.lines) == 7


@pytest.mark.parametrize(
    ("row", "settings", "seconds"),
    [
        # 12 layers, 2 frozen: 0.01 * (2 + 3 * 10) + 0.04 = 0.36 s a training question,
        # 0.01 * 12 + 0.025 = 0.145 s an answer, and 15 s to start.
        ("kinds", (), 15 + 1000 * 0.36 + 100 * 0.145),
        # Training in bfloat16 takes 0.37 of the time; answers stay in full precision.
        ("kinds", ("train.precision=bf16",), 15 + 1000 * 0.1332 + 100 * 0.145),
        # The recurrent count module stays in full precision.
        ("gru", ("train.precision=bf16",), 15 + 1000 * (0.1332 + 0.09) + 100 * 0.145),
        # 4 layers, 2 frozen: 0.01 * (2 + 3 * 2) + 0.04 = 0.12 s, and 0.065 s an answer.
        ("kinds", ("encoder.layers=4",), 15 + 1000 * 0.12 + 100 * 0.065),
    ],
)
def test_estimate_by_hand(row: str, settings: tuple[str, ...], seconds: float) -> None:
    recipe = ROWS[row].recipe(("encoder.frozen=2", *settings))
    assert estimate_seconds(recipe, questions=1000, answered=100) == pytest.approx(seconds)


def test_rejects_missing_data_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--data"):
        Reproduction(None, tmp_path).passages()


def test_tables_print_without_results(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["tables", str(tmp_path), "--table", "1"])
    assert shown.exit_code == 0 and "75.2" in shown.output and "Table 2" not in shown.output
    as_json = CliRunner().invoke(app, ["tables", str(tmp_path), "--json"])
    assert json.loads(as_json.output) == {}
