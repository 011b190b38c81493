"""A whole reproduction on the made world: rows are trained, scored, kept, and not run twice."""

import json
from pathlib import Path

import pytest
from results_by_hand import result
from typer.testing import CliRunner

from workings.cli import app
from workings.data.build import write_drop
from workings.errors import DataError, InputError
from workings.reproduce.planning import plan, plan_grid
from workings.reproduce.result_files import keep, read_results
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
        made = make_synthetic(seed, 3, questions=4)
        write_drop(folder / f"{split}.json.gz", [one.passage for one in made])
    return folder


def test_rows_are_run_once_and_tests_need_no_more_training(data: Path, tmp_path: Path) -> None:
    settings = [part for setting in TINY for part in ("--set", setting)]
    chosen = ["--only", "paper", "--only", "numnet"]
    command = ["reproduce", "--data", str(data), "--out", str(tmp_path), *chosen, *settings]
    shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 0, shown.output
    assert "NMNs± − NumNet" in shown.stdout
    assert shown.stderr.splitlines() == ["numnet is done, 1 of 2.", "paper is done, 2 of 2."]
    results = read_results(tmp_path, "dev")
    assert set(results) == {"paper", "numnet"}
    asked = json.loads((tmp_path / "dev" / "paper.json").read_text())
    assert asked["report"]["with_kind"]["questions"] == len(asked["scores"])
    assert asked["budget"]["questions"] > 0 and asked["commit"] and asked["date"]

    again = CliRunner().invoke(app, command)  # only reads what is kept
    assert (again.stdout, again.stderr) == (shown.stdout, "")
    assert read_results(tmp_path, "dev") == results

    steps = (tmp_path / "runs" / "paper" / "metrics.jsonl").read_text()
    tested = Reproduction(data, tmp_path, "test", TINY).run(ROWS["paper"], quiet)
    assert {score.id for score in tested.scores}.isdisjoint(
        score.id for score in results["paper"].scores
    )
    assert (tmp_path / "runs" / "paper" / "metrics.jsonl").read_text() == steps


def test_a_row_stopped_half_way_goes_on(data: Path, tmp_path: Path) -> None:
    class Stopped(Exception):  # noqa: N818 - a turn of events, not an error
        pass

    def stop(what: str, done: int, _of: int) -> None:
        if what == "no-add-sub: training" and done == 1:
            raise Stopped

    settings = (*TINY, "train.groups_per_step=1", "train.checkpoint_minutes=1e-9")
    reproduction = Reproduction(data, tmp_path, "dev", settings)
    with pytest.raises(Stopped):
        reproduction.run(ROWS["no-add-sub"], stop)
    assert reproduction.kept(ROWS["no-add-sub"]) is None
    ended = reproduction.run(ROWS["no-add-sub"], quiet)
    assert reproduction.kept(ROWS["no-add-sub"]) == ended


def test_results_of_other_settings_are_not_mixed_in(tmp_path: Path) -> None:
    kept = result("naqanet", [1, 0, 1, 0, 1])
    keep(tmp_path, kept)
    assert Reproduction(None, tmp_path).kept(ROWS["naqanet"]) == kept
    with pytest.raises(InputError, match="other settings"):
        Reproduction(None, tmp_path, "dev", ("train.seed=2",)).kept(ROWS["naqanet"])


def test_a_plan_tells_what_each_row_will_see(data: Path, tmp_path: Path) -> None:
    reproduction = Reproduction(data, tmp_path, "dev", ("data.limit=2", "train.epochs=2"))
    rows = [ROWS[name] for name in ("no-question", "add", "sub", "no-add-sub", "kinds", "gru")]
    planned = {each.row.name: each for each in plan(reproduction, rows)}
    seen = {name: each.questions for name, each in planned.items()}
    assert seen["no-question"] >= seen["add"] + seen["sub"] + seen["no-add-sub"] > 0
    assert planned["no-question"].seconds > planned["add"].seconds > 0
    # The paper's counter takes its 90 ms a question more, word by word.
    longer = planned["gru"].seconds - planned["kinds"].seconds
    assert longer == pytest.approx(0.09 * seen["kinds"])
    grid = plan_grid(list(planned.values()))
    assert grid.lines[-1][0] == "all" and len(grid.lines) == 7


def test_data_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--data"):
        Reproduction(None, tmp_path).passages()


def test_tables_print_without_results(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["tables", str(tmp_path), "--table", "1"])
    assert shown.exit_code == 0 and "75.2" in shown.output and "Table 2" not in shown.output
    machine = CliRunner().invoke(app, ["tables", str(tmp_path), "--json"])
    assert json.loads(machine.output) == {}
