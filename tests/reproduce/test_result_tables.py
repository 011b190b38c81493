"""Tables of results written by hand: cells, notes and page."""

from pathlib import Path

import pytest
from results_by_hand import result

from workings.errors import DataError
from workings.reproduce.result_files import read_result, read_results, save_result
from workings.reproduce.result_tables import table_numbers, tables_for
from workings.reproduce.results_page import write_page
from workings.reproduce.rows import frozen_settings, quick_settings

RESULTS = {
    "kinds": result("kinds", [1, 0.5, 1, 1, 1]),
    "numnet": result("numnet", [1, 0.5, 0, 0, 0]),
}


def line(lines: tuple[tuple[str, ...], ...], first: str) -> tuple[str, ...]:
    return next(cells for cells in lines if cells[0] == first)


def test_published_and_measured_scores() -> None:
    table, budgets, tests = tables_for(RESULTS, 1)
    assert line(table.lines, "NumNet")[:3] == ("NumNet", "72.3", "69.4")
    assert line(table.lines, "NumNet")[3].startswith("30.0 (")
    assert line(table.lines, "workings") == (
        "workings", "–", "–", "90.0 (70–100)", "80.0 (40–100)",
    )  # fmt: skip
    assert line(table.lines, "original NMNs")[3:] == ("–", "–")
    assert line(budgets.lines, "workings") == ("workings", "2", "10", "1,234", "1.5")
    assert [cells[0] for cells in tests.lines] == ["workings − NumNet"]
    assert tests.lines[0][1:3] == ("5", "+60.0 (+20.0 to +100.0)")
    assert tests.lines[0][3:] == ("0.2500", "0.2500")


def test_kinds_table_has_groups_by_number_of_operands() -> None:
    table, _, tests = tables_for(RESULTS, 2)
    assert len({len(cells) for cells in (table.columns, *table.lines)}) == 1
    assert line(table.lines, "2 numbers")[1] == "2"
    assert line(table.lines, "add-sub")[-1] == "100.0 (100–100)"
    assert line(table.lines, "date-compare")[1:] == (
        "0", "79.2", "–", "–", "72.0", "–", "84.9", "–", "–",
    )  # fmt: skip
    assert [cells[0] for cells in tests.lines] == [
        "count", "add-sub", "2 numbers", "3 numbers", "all",
    ]  # fmt: skip


def test_published_scores_are_shown_without_results() -> None:
    (table,) = tables_for({}, 3)
    assert table.lines[-1] == (
        "add + sub + origin", "66.4", "66.4", "–", "–", "74.3", "71.7", "–", "–",
    )  # fmt: skip
    assert table.notes == ("No row of this table has been run yet.",)


def test_table_4_is_shown_if_one_of_its_rows_has_a_result() -> None:
    assert table_numbers(RESULTS) == [1, 2, 3]
    changed = {**RESULTS, "gru": result("gru", [0, 0.5, 1, 1, 1])}
    assert table_numbers(changed) == [1, 2, 3, 4]
    table, _, tests = tables_for(changed, 4)
    assert line(table.lines, "the paper's count module") == (
        "the paper's count module", "modules.count=gru", "70.0 (30–100)", "60.0 (20–100)",
        "–", "–", "–", "–", "25.0", "–", "100.0",
    )  # fmt: skip
    assert tests.lines[0][:2] == ("the paper's count module − workings", "5")
    assert tests.lines[0][2].startswith("-20.0 (")


def test_notes_state_the_budget() -> None:
    assert "same budget: 2 epochs" in " ".join(tables_for(RESULTS, 1)[0].notes)
    assert tables_for(RESULTS, 2)[0].notes[-1] == "Not run yet: original NMNs, NAQANet, NMNs±."
    uneven = {**RESULTS, "paper": result("paper", [0, 0, 0, 0, 0], overrides=["train.epochs=1"])}
    assert "rows DIFFER" in " ".join(tables_for(uneven, 1)[0].notes)


def test_note_of_a_quick_run() -> None:
    quick = {"kinds": result("kinds", [1, 0, 1, 0, 1], overrides=quick_settings())}
    notes = " ".join(tables_for(quick, 1)[0].notes)
    assert "QUICK RUN" in notes and "40 training passages and the lowest 4 layers" in notes
    assert "shipped" not in notes


def test_note_of_a_frozen_encoder() -> None:
    frozen = {"kinds": result("kinds", [1, 0, 1, 0, 1], overrides=frozen_settings())}
    notes = " ".join(tables_for(frozen, 1)[0].notes)
    assert "Only 800 training passages." in notes and "favours our recipe" in notes


def test_saved_results_load_unchanged(tmp_path: Path) -> None:
    for row_result in RESULTS.values():
        save_result(tmp_path, row_result)
    assert read_results(tmp_path, "dev") == RESULTS
    assert read_results(tmp_path, "test") == {}


def test_rejects_damaged_result(tmp_path: Path) -> None:
    path = tmp_path / "kinds.json"
    path.write_text('{"row": "kinds"}')
    with pytest.raises(DataError, match=r"kinds\.json is not a result(.|\n)*run .*again"):
        read_result(path)


def test_page_is_deterministic(tmp_path: Path) -> None:
    for row_result in RESULTS.values():
        save_result(tmp_path / "results", row_result)
    pages = [tmp_path / name / "results.md" for name in ("first", "second")]
    for page in pages:
        write_page(tmp_path / "results", page)
    assert pages[0].read_text().count("### Table") == 3
    assert "| workings | kinds | abc1234 | 2024-02-29T12:00:00+00:00 |" in pages[0].read_text()
    written = {path.name: path.read_bytes() for path in pages[0].parent.iterdir()}
    assert written == {path.name: path.read_bytes() for path in pages[1].parent.iterdir()}
    assert set(written) == {"results.md", "results-dev-kinds.svg", "results-dev-difference.svg"}


def test_page_without_results_has_the_published_scores(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    write_page(tmp_path / "missing", page)
    assert "| NMNs± | 75.2 | 72.6 | – | – |" in page.read_text()
