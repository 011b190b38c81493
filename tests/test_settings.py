"""Recipes: loading, overriding, and the errors of wrong settings."""

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from workings.errors import RecipeError
from workings.settings import Recipe
from workings.settings.recipe_files import find_recipe

ROOT = Path(__file__).parents[1]
SHIPPED = sorted((ROOT / "recipes").glob("*.toml"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A recipe file."""
    path = tmp_path / "mine.toml"
    path.write_text('[encoder]\nsplit = 2\n[modules]\ncount = "gru"\n')
    return path


def test_a_file_changes_the_settings_it_names(path: Path) -> None:
    recipe = Recipe.load(path)
    assert (recipe.name, recipe.encoder.split, recipe.modules.count) == ("mine", 2, "gru")
    assert recipe.programmer == Recipe().programmer


def test_overrides_replace_settings_of_the_file(path: Path) -> None:
    overrides = ["encoder.split=3", "train.lr_encoder=1e-4", "encoder.source=elsewhere", "name=x"]
    recipe = Recipe.load(path, overrides)
    assert (recipe.encoder.split, recipe.encoder.source, recipe.name) == (3, "elsewhere", "x")
    assert recipe.train.lr_encoder == 1e-4


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
def test_errors_name_the_wrong_setting(path: Path, override: str, message: str, hint: str) -> None:
    overrides = ["name=mine", override] if override.startswith("name.") else [override]
    with pytest.raises(RecipeError) as caught:
        Recipe.load(path, overrides)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("data", [b"[encoder\n", b"\xff\xfe\x00"])
def test_rejects_files_that_are_not_toml(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(data)
    with pytest.raises(RecipeError, match="not valid TOML"):
        Recipe.load(path)


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "a = \udcff"])
def test_rejects_files_that_break_the_parser(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(RecipeError, match="not valid TOML"):
        Recipe.load(path)


def test_rejects_unknown_recipes() -> None:
    with pytest.raises(RecipeError, match=r"no recipe 'defualt'[\s\S]*Did you mean 'default'"):
        find_recipe("defualt")


def test_rejects_a_name_that_is_too_long_for_a_file() -> None:
    with pytest.raises(RecipeError, match="no recipe"):
        Recipe.load("x" * 5_000)


def test_rejects_a_setting_name_with_half_a_surrogate_pair() -> None:
    with pytest.raises(RecipeError, match="unreadable name"):
        Recipe.load("tiny", ["\ud800=1"])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_finds_shipped_recipes_by_name(path: Path) -> None:
    assert find_recipe(path.stem).samefile(path)
    assert find_recipe(path.name).samefile(path)
    assert Recipe.load(path.stem).name == path.stem


def test_recipes_are_frozen_and_survive_json() -> None:
    recipe = Recipe(name="mine")
    assert Recipe.model_validate_json(recipe.model_dump_json()) == recipe
    with pytest.raises(ValidationError):
        recipe.name = "yours"  # type: ignore[misc]


def test_every_setting_has_a_one_line_description() -> None:
    for name, field in Recipe.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            settings = {f"{name}.{key}": value for key, value in kind.model_fields.items()}
        else:
            settings = {name: field}
        for key, setting in settings.items():
            description = setting.description or ""
            assert description.endswith(".") and "\n" not in description, key


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["encoder.overlap=448"], "overlap must be smaller"),
        (["encoder.layers=2", "encoder.frozen=3"], "must not be larger than layers"),
        (["encoder.layers=2", "encoder.split=3"], "must not be larger than layers"),
        (["encoder.layers=2", "encoder.layer_skip_from=3"], "must not be larger than layers"),
        (["encoder.split=2", "encoder.layer_skip_from=1"], "not be below the frozen or split"),
        (["encoder.source=scratch", "encoder.heads=3"], "multiple of heads"),
        (["encoder.split=1", "encoder.frozen=2"], "frozen must not be larger than split"),
        (["encoder.lexical_match=false", "encoder.frozen=1"], "frozen must be 0"),
        (["train.epochs=inf"], "finite"),
        (["train.weight_decay=nan"], "finite"),
        (["encoder.width=1e30"], "encoder.width"),
        (["train.seed=" + "9" * 5_000], "train.seed"),
    ],
)
def test_rejects_contradictory_and_extreme_settings(overrides: list[str], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        Recipe.load("tiny", overrides)


def test_the_page_of_settings_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "settings_page.py")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == (ROOT / "docs" / "settings.md").read_text("utf-8"), "run `make docs`"


def test_a_file_name_is_a_source() -> None:
    by_name = Recipe.load("kinds", ["data.sources=wide.json.gz", "data.dev=wide_dev.json.gz"])
    assert [(s.file, s.weight, s.passages) for s in by_name.data.sources] == [
        ("wide.json.gz", 1.0, 0)
    ]
    assert [(source.file, source.held_out) for source in by_name.data.dev] == [
        ("wide_dev.json.gz", 0.0)
    ]


def test_train_is_another_name_for_sources() -> None:
    earlier = {"data": {"train": "train.json.gz", "dev": "dev.json.gz", "limit": 3}}
    data = Recipe.read(earlier).data
    assert ([s.file for s in data.sources], [s.file for s in data.dev], data.limit) == (
        ["train.json.gz"],
        ["dev.json.gz"],
        3,
    )
    assert Recipe.read({"data": {"train": "", "dev": ""}}).data.sources == ()


def test_saved_sources_are_read_again() -> None:
    sources = [{"file": "a.json", "weight": 0.5, "hold_out": 0.1}, "b.json"]
    recipe = Recipe.read({"data": {"sources": sources, "dev": ["a.json"]}})
    assert Recipe.model_validate_json(recipe.model_dump_json()) == recipe


def test_misspelt_setting_of_a_source() -> None:
    with pytest.raises(RecipeError, match=r"data.sources.0.wieght[\s\S]*Did you mean 'weight'"):
        Recipe.read({"data": {"sources": [{"file": "a.json", "wieght": 1}]}})
