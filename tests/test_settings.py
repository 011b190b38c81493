"""Recipes: read, overridden, and clear about what is wrong with them."""

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from workings.errors import RecipeError
from workings.settings import Recipe
from workings.settings.recipe_files import find_recipe

SHIPPED = sorted((Path(__file__).parents[1] / "recipes").glob("*.toml"))


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text('[encoder]\nsplit = 2\n[modules]\ncount = "gru"\n')
    return path


def test_a_file_changes_what_it_names(recipe: Path) -> None:
    found = Recipe.load(recipe)
    assert (found.name, found.encoder.split, found.modules.count) == ("mine", 2, "gru")
    assert found.programmer == Recipe().programmer


def test_overrides_come_last(recipe: Path) -> None:
    found = Recipe.load(
        recipe, ["encoder.split=3", "train.lr_encoder=1e-4", "encoder.source=elsewhere", "name=x"]
    )
    assert (found.encoder.split, found.encoder.source, found.name) == (3, "elsewhere", "x")
    assert found.train.rate_encoder == 1e-4


@pytest.mark.parametrize(
    ("override", "message", "hint"),
    [
        ("encoder.splt=3", "encoder.splt", "Did you mean 'split'?"),
        ("encodr.split=3", "encodr", "Did you mean 'encoder'?"),
        ("encoder.split=-1", "encoder.split", "docs/settings.md"),
        ("encoder.split=many", "encoder.split", "docs/settings.md"),
        ("modules.count=abacus", "modules.count", "docs/settings.md"),
        ("encoder.split", "is not a setting", "section.name=value"),
        ("name.first=x", "'name' is not a section", "section.name=value"),
    ],
)
def test_a_wrong_setting_is_named(recipe: Path, override: str, message: str, hint: str) -> None:
    overrides = ["name=mine", override] if override.startswith("name.") else [override]
    with pytest.raises(RecipeError) as caught:
        Recipe.load(recipe, overrides)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("data", [b"[encoder\n", b"\xff\xfe\x00"])
def test_not_toml(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(data)
    with pytest.raises(RecipeError, match="not valid TOML"):
        Recipe.load(path)


def test_unknown_recipes() -> None:
    with pytest.raises(RecipeError, match="No recipe 'defualt'"):
        find_recipe("defualt")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes_are_found_by_name_and_are_sound(path: Path) -> None:
    assert find_recipe(path.stem).samefile(path)
    assert find_recipe(path.name).samefile(path)
    assert Recipe.load(path.stem).name == path.stem


def test_recipes_are_frozen_and_come_back_from_json() -> None:
    made = Recipe(name="mine")
    assert Recipe.model_validate_json(made.model_dump_json()) == made
    with pytest.raises(ValidationError):
        made.name = "yours"  # type: ignore[misc]


def test_every_setting_says_what_it_means() -> None:
    for section in Recipe.model_fields.values():
        kind = section.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            silent = [name for name, one in kind.model_fields.items() if not one.description]
            assert set(silent) <= {"seed", "epochs"}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["encoder.overlap=448"], "overlap must be smaller"),
        (["encoder.layers=2", "encoder.frozen=3"], "must not be larger than layers"),
        (["encoder.layers=2", "encoder.split=3"], "must not be larger than layers"),
        (["encoder.layers=2", "encoder.layer_skip_from=3"], "must not be larger than layers"),
        (["encoder.split=2", "encoder.layer_skip_from=1"], "not be below the frozen or split"),
        (["encoder.source=scratch", "encoder.heads=3"], "multiple of heads"),
        (["train.epochs=inf"], "finite"),
        (["train.weight_decay=nan"], "finite"),
        (["encoder.width=1e30"], "encoder.width"),
        (["train.seed=" + "9" * 5_000], "train.seed"),
    ],
)
def test_settings_that_contradict_each_other_or_reason(overrides: list[str], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        Recipe.load("tiny", overrides)


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "a = \udcff"])
def test_files_that_break_the_parser(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(RecipeError, match="not valid TOML"):
        Recipe.load(path)


def test_a_name_too_long_to_be_a_file() -> None:
    with pytest.raises(RecipeError, match="No recipe"):
        Recipe.load("x" * 5_000)


def test_a_name_that_is_half_a_character() -> None:
    with pytest.raises(RecipeError, match="of no readable name"):
        Recipe.load("tiny", ["\ud800=1"])


def test_the_page_of_settings_is_current() -> None:
    root = Path(__file__).parents[1]
    command = [sys.executable, root / "tools" / "settings_page.py"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    written = (root / "docs" / "settings.md").read_text("utf-8")
    assert done.stdout == written, "run `make docs`"
    assert "| None |" not in written, "say what each setting does"
