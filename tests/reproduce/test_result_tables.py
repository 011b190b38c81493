"""Tables from results written by hand: the cells, the notes, the page."""

from pathlib import Path

import pytest
from results_by_hand import result

from workings.errors import DataError
from workings.reproduce.result_files import keep, read_result, read_results
from workings.reproduce.result_tables import grids, tables_of
from workings.reproduce.results_page import write_page
from workings.reproduce.rows import frozen_settings, quick_settings

OURS = {
    "kinds": result("kinds", [1, 0.5, 1, 1, 1]),
    "numnet": result("numnet", [1, 0.5, 0, 0, 0]),
}


def line(grid_lines: tuple[tuple[str, ...], ...], first: str) -> tuple[str, ...]:
    return next(line for line in grid_lines if line[0] == first)


def test_ours_stand_beside_theirs() -> None:
    table, took, tests = grids(OURS, 1)
    assert line(table.lines, "NumNet")[:3] == ("NumNet", "72.3", "69.4")
    assert line(table.lines, "NumNet")[3].startswith("30.0 (")
    assert line(table.lines, "workings") == (
        "workings", "–", "–", "90.0 (70–100)", "80.0 (40–100)",
    )  # fmt: skip
    assert line(table.lines, "original NMNs")[3:] == ("–", "–")
    assert line(took.lines, "workings") == ("workings", "2", "10", "1,234", "1.5")
    assert [tested[0] for tested in tests.lines] == ["workings − NumNet"]
    assert tests.lines[0][1:3] == ("5", "+60.0 (+20.0 to +100.0)")
    assert tests.lines[0][3:] == ("0.2500", "0.2500")


def test_kinds_have_questions_of_two_and_three_numbers() -> None:
    table, _, tests = grids(OURS, 2)
    assert len({len(line) for line in (table.columns, *table.lines)}) == 1
    assert line(table.lines, "2 numbers")[1] == "2"
    assert line(table.lines, "add-sub")[-1] == "100.0 (100–100)"
    assert line(table.lines, "date-compare")[1:] == (
        "0", "79.2", "–", "–", "72.0", "–", "84.9", "–", "–",
    )  # fmt: skip
    assert [tested[0] for tested in tests.lines] == [
        "count", "add-sub", "2 numbers", "3 numbers", "all",
    ]  # fmt: skip


def test_mixtures_show_the_papers_numbers_before_anything_is_run() -> None:
    (table,) = grids({}, 3)
    assert table.lines[-1] == (
        "add + sub + origin", "66.4", "66.4", "–", "–", "74.3", "71.7", "–", "–",
    )  # fmt: skip
    assert table.notes == ("No row of this table has been run here yet.",)


def test_our_own_table_is_shown_when_something_of_it_was_run() -> None:
    assert tables_of(OURS) == [1, 2, 3]
    changed = {**OURS, "gru": result("gru", [0, 0.5, 1, 1, 1])}
    assert tables_of(changed) == [1, 2, 3, 4]
    table, _, tests = grids(changed, 4)
    assert line(table.lines, "the paper's counter") == (
        "the paper's counter", "modules.count=gru", "70.0 (30–100)", "60.0 (20–100)",
        "–", "–", "–", "–", "25.0", "–", "100.0",
    )  # fmt: skip
    assert tests.lines[0][:2] == ("the paper's counter − workings", "5")
    assert tests.lines[0][2].startswith("-20.0 (")


def test_notes_tell_the_budget() -> None:
    assert "same for all rows: 2 epochs" in " ".join(grids(OURS, 1)[0].notes)
    assert grids(OURS, 2)[0].notes[-1] == "Not run here yet: original NMNs, NAQANet, NMNs±."
    uneven = {**OURS, "paper": result("paper", [0, 0, 0, 0, 0], overrides=["train.epochs=1"])}
    assert "NOT trained alike" in " ".join(grids(uneven, 1)[0].notes)


def test_a_quick_look_says_so_on_the_table() -> None:
    quick = {"kinds": result("kinds", [1, 0, 1, 0, 1], overrides=quick_settings())}
    notes = " ".join(grids(quick, 1)[0].notes)
    assert "QUICK LOOK" in notes and "40 training passages and the lowest 4 layers" in notes
    assert "shipped" not in notes  # whose lowest layers are as they were before


def test_a_frozen_encoder_says_whose_it_is_on_the_table() -> None:
    frozen = {"kinds": result("kinds", [1, 0, 1, 0, 1], overrides=frozen_settings())}
    notes = " ".join(grids(frozen, 1)[0].notes)
    assert "Only 800 training passages." in notes and "favours our own recipe" in notes


def test_results_survive_the_disk(tmp_path: Path) -> None:
    for one in OURS.values():
        keep(tmp_path, one)
    assert read_results(tmp_path, "dev") == OURS
    assert read_results(tmp_path, "test") == {}


def test_a_damaged_result_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "kinds.json"
    path.write_text('{"row": "kinds"}')
    with pytest.raises(DataError, match=r"kinds\.json: not a result(.|\n)*run .*again"):
        read_result(path)


def test_the_page_is_the_same_for_the_same_results(tmp_path: Path) -> None:
    for one in OURS.values():
        keep(tmp_path / "results", one)
    pages = [tmp_path / name / "results.md" for name in ("once", "twice")]
    for page in pages:
        write_page(tmp_path / "results", page)
    assert pages[0].read_text().count("### Table") == 3
    assert "| workings | kinds | abc1234 | 2024-02-29T12:00:00+00:00 |" in pages[0].read_text()
    written = {path.name: path.read_bytes() for path in pages[0].parent.iterdir()}
    assert written == {path.name: path.read_bytes() for path in pages[1].parent.iterdir()}
    assert set(written) == {"results.md", "results-dev-kinds.svg", "results-dev-difference.svg"}


def test_a_page_before_any_run_has_the_papers_numbers(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    write_page(tmp_path / "nothing", page)
    assert "| NMNs± | 75.2 | 72.6 | – | – |" in page.read_text()
