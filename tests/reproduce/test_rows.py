"""Rows: each recipe differs from the others only in the settings of its row."""

from pathlib import Path

import pytest

from workings.data.records import KINDS
from workings.errors import InputError
from workings.reproduce.rows import (
    PAPER,
    TABLES,
    all_rows,
    chosen_rows,
    frozen_settings,
    quick_settings,
)
from workings.settings import Recipe

ROWS = all_rows()
UNPUBLISHED = {"kinds", "naqanet"}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize(
    "overrides", [(), quick_settings(), frozen_settings()], ids=["full", "quick", "frozen"]
)
def test_all_rows_share_encoder_and_training(name: str, overrides: tuple[str, ...]) -> None:
    recipe, shared = ROWS[name].recipe(overrides), ROWS["kinds"].recipe(overrides)
    assert recipe.name == name
    assert (recipe.encoder, recipe.train) == (shared.encoder, shared.train)
    assert (recipe.data.sources, recipe.data.dev) == (shared.data.sources, shared.data.dev)
    assert (recipe.data.limit, recipe.data.augment) == (shared.data.limit, shared.data.augment)


@pytest.mark.parametrize("name", ["kinds", "naqanet", "numnet"])
def test_row_without_changes_is_its_recipe(name: str) -> None:
    assert ROWS[name].recipe() == Recipe.load(name)


def test_ablations() -> None:
    full, original = ROWS["paper"].recipe(), ROWS["original"].recipe()
    no_add_sub, no_question = ROWS["no-add-sub"].recipe(), ROWS["no-question"].recipe()
    assert full.data.kinds == KINDS
    assert no_add_sub.data.kinds == KINDS[:-1] == original.data.kinds
    assert no_add_sub.modules == full.modules
    assert no_question.data == full.data
    assert (full.modules.alpha_date, no_question.modules.alpha_date) == (0.4, 1.0)
    assert no_question.modules == original.modules


@pytest.mark.parametrize("name", [name for name in TABLES[4] if name != "kinds"])
def test_rows_of_table_4_change_only_their_settings(name: str) -> None:
    shared, changed = ROWS["kinds"].recipe().model_dump(), ROWS[name].recipe().model_dump()
    different = {
        f"{section}.{key}"
        for section, settings in shared.items()
        if section != "name" and isinstance(settings, dict)
        for key in settings
        if settings[key] != changed[section][key]
    }
    assert different == {setting.partition("=")[0] for setting in ROWS[name].changes}


def test_mixtures_differ_only_in_their_data() -> None:
    whole = ROWS["no-question"].recipe()
    mixtures = {name: ROWS[name].recipe() for name in TABLES[3]}
    assert all(recipe.modules == whole.modules for recipe in mixtures.values())
    data = {name: (r.data.kinds, r.data.operations) for name, r in mixtures.items()}
    assert data == {
        "add": (("add-sub",), ("add",)),
        "sub": (("add-sub",), ("sub",)),
        "add-origin": (KINDS, ("add",)),
        "sub-origin": (KINDS, ("sub",)),
        "no-question": (KINDS, ()),
    }


def test_published_scores_agree_with_the_papers_differences() -> None:
    published = {name: row.published for name, row in ROWS.items() if row.published}
    assert set(published) == {name for table in PAPER for name in TABLES[table]} - UNPUBLISHED
    paper, original, numnet = (published[name]["all"] for name in ("paper", "original", "numnet"))
    assert [paper[0] - original[0], paper[1] - original[1]] == pytest.approx([17.7, 17.7])
    assert [paper[0] - numnet[0], paper[1] - numnet[1]] == pytest.approx([2.9, 3.2])
    add_sub = [published[name]["add-sub"][0] for name in ("paper", "original")]
    assert add_sub[0] - add_sub[1] == pytest.approx(65.7)


def test_rows_are_chosen_by_table_and_name() -> None:
    paper_rows = {name for table in PAPER for name in TABLES[table]}
    assert {row.name for row in chosen_rows()} == paper_rows
    assert [row.name for row in chosen_rows(None, ["kinds", "gru"])] == ["kinds", "gru"]
    assert set(ROWS) == paper_rows | set(TABLES[4])
    assert [row.name for row in chosen_rows(3)] == list(TABLES[3])
    assert [row.name for row in chosen_rows(1, ["kinds", "add"])] == ["kinds"]
    with pytest.raises(InputError, match="Did you mean 'numnet'"):
        chosen_rows(None, ["nunmet"])
    with pytest.raises(InputError, match="Table 3 has no row kinds"):
        chosen_rows(3, ["kinds"])


def test_docs_have_the_settings_of_the_frozen_rows() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reproduce.md").read_text("utf-8")
    assert " ".join(f"--set {setting}" for setting in frozen_settings()) in page
