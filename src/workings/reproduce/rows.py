"""Rows of the result tables: a recipe with a few changed settings, and the published scores."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from workings.errors import InputError, did_you_mean
from workings.settings import Recipe
from workings.settings.recipe_files import find_recipe, override, read_recipe

# All rows use the encoder and training settings of this recipe.
_SHARED = "kinds"


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("workings.reproduce").joinpath("rows.toml").read_text("utf-8"))


# The rows of the paper's tables, in order: methods, kinds of questions, mixtures of data.
_PAPERS: dict[int, tuple[str, ...]] = {
    1: ("original", "naqanet", "numnet", "paper", "no-add-sub", "no-question", "kinds"),
    2: ("original", "naqanet", "numnet", "paper", "kinds"),
    3: ("add", "sub", "add-origin", "sub-origin", "no-question"),
}
PAPER = tuple(_PAPERS)
# Table 4 is not in the paper: our recipe with one change in each row.
_CHANGES: tuple[str, ...] = tuple(_file()["changes"])
TABLES = _PAPERS | {4: (_SHARED, *_CHANGES)}


@dataclass(frozen=True)
class Row:
    """One model of the tables.

    Attributes:
        name: Name on the command line and of the result file.
        title: Name in the tables.
        base: Name of the recipe.
        changes: Changed settings, as ``section.name=value``.
        mixture: Training data, as table 3 names them.
        published: The paper's F1 and exact match in percent, or F1 alone, by group of questions.
    """

    name: str
    title: str
    base: str
    changes: tuple[str, ...] = ()
    mixture: str = ""
    published: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def recipe(self, overrides: Iterable[str] = ()) -> Recipe:
        """Make the row's recipe, with the encoder and training settings that all rows share.

        Args:
            overrides: Further settings, as ``section.name=value``.

        Raises:
            RecipeError: If a setting does not exist or its value is not allowed.
        """
        tree, shared = read_recipe(find_recipe(self.base)), read_recipe(find_recipe(_SHARED))
        tree |= {"name": self.name, "encoder": shared["encoder"], "train": shared["train"]}
        for setting in (*self.changes, *overrides):
            override(tree, setting)
        return Recipe.read(tree)


def quick_settings() -> tuple[str, ...]:
    """The settings of a quick run."""
    return tuple(_file()["quick"])


def frozen_settings() -> tuple[str, ...]:
    """The settings of a run on a frozen encoder."""
    return tuple(_file()["frozen"])


def all_rows() -> dict[str, Row]:
    """All rows by name."""
    changes = {name: {"recipe": _SHARED, **fields} for name, fields in _file()["changes"].items()}
    return {name: _row(name, fields) for name, fields in (_file()["rows"] | changes).items()}


def chosen_rows(table: int | None = None, only: Sequence[str] = ()) -> list[Row]:
    """Choose rows.

    Args:
        table: Number of a table; None for the paper's three tables.
        only: Names of rows to choose. Without ``table`` they may be rows of table 4.

    Raises:
        InputError: If a name does not exist or the table does not contain it.
    """
    rows = all_rows()
    for name in only:
        if name not in rows:
            raise InputError(f"There is no row {name!r}.", hint=did_you_mean(name, rows))
    listed = _available(rows, table, only)
    chosen = [rows[name] for name in listed if not only or name in only]
    if not chosen:
        hint = f"Its rows are {', '.join(listed)}."
        raise InputError(f"Table {table} has no row {' or '.join(only)}.", hint=hint)
    return chosen


def _available(rows: Iterable[str], table: int | None, only: Sequence[str]) -> tuple[str, ...]:
    if table is not None:
        return TABLES[table]
    chosen = {name for number in PAPER for name in TABLES[number]} | set(only)
    return tuple(name for name in rows if name in chosen)


def _row(name: str, fields: Mapping[str, Any]) -> Row:
    return Row(
        name=name,
        title=fields["title"],
        base=fields["recipe"],
        changes=tuple(fields.get("set", ())),
        mixture=fields.get("mixture", ""),
        published=fields.get("published", {}),
    )
