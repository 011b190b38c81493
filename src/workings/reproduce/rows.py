"""The rows of the tables: each a recipe with a few settings changed, and what the paper has."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from workings.errors import InputError, did_you_mean
from workings.settings import Recipe
from workings.settings.recipe_files import find_recipe, override, read_recipe

# The recipe whose encoder and training every row has.
_SHARED = "kinds"


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("workings.reproduce").joinpath("rows.toml").read_text("utf-8"))


# The rows of the paper's tables, in their order: all methods, the kinds, the mixtures of data.
_PAPERS: dict[int, tuple[str, ...]] = {
    1: ("original", "naqanet", "numnet", "paper", "no-add-sub", "no-question", "kinds"),
    2: ("original", "naqanet", "numnet", "paper", "kinds"),
    3: ("add", "sub", "add-origin", "sub-origin", "no-question"),
}
PAPER = tuple(_PAPERS)
# And, beyond the paper, our own recipe with one thing changed.
_CHANGES: tuple[str, ...] = tuple(_file()["changes"])
TABLES = _PAPERS | {4: (_SHARED, *_CHANGES)}


@dataclass(frozen=True)
class Row:
    """One model of the tables; ``mixture`` names the data it learns from, in the last table."""

    name: str
    title: str
    base: str
    changes: tuple[str, ...] = ()
    mixture: str = ""
    published: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def recipe(self, overrides: Iterable[str] = ()) -> Recipe:
        """The row's recipe, on the encoder and with the training that all rows share."""
        tree, shared = read_recipe(find_recipe(self.base)), read_recipe(find_recipe(_SHARED))
        tree |= {"name": self.name, "encoder": shared["encoder"], "train": shared["train"]}
        for setting in (*self.changes, *overrides):
            override(tree, setting)
        return Recipe.read(tree)


def quick_settings() -> tuple[str, ...]:
    """What makes every row small enough for a first look."""
    return tuple(_file()["quick"])


def frozen_settings() -> tuple[str, ...]:
    """What leaves of every row the parts above the encoder to be trained."""
    return tuple(_file()["frozen"])


def all_rows() -> dict[str, Row]:
    """Every row by its name."""
    changes = {name: {"recipe": _SHARED, **fields} for name, fields in _file()["changes"].items()}
    return {name: _row(name, fields) for name, fields in (_file()["rows"] | changes).items()}


def chosen_rows(table: int | None = None, only: Sequence[str] = ()) -> list[Row]:
    """The rows of one table or of the paper's three, or those of any that are named."""
    rows = all_rows()
    for name in only:
        if name not in rows:
            raise InputError(f"No row {name!r}.", hint=did_you_mean(name, rows))
    listed = _listed(rows, table, only)
    chosen = [rows[name] for name in listed if not only or name in only]
    if not chosen:
        hint = f"It has {', '.join(listed)}."
        raise InputError(f"Table {table} has no row {' or '.join(only)}.", hint=hint)
    return chosen


def _listed(rows: Iterable[str], table: int | None, only: Sequence[str]) -> tuple[str, ...]:
    if table is not None:
        return TABLES[table]
    asked = {name for each in PAPER for name in TABLES[each]} | set(only)
    return tuple(name for name in rows if name in asked)


def _row(name: str, fields: Mapping[str, Any]) -> Row:
    return Row(
        name=name,
        title=fields["title"],
        base=fields["recipe"],
        changes=tuple(fields.get("set", ())),
        mixture=fields.get("mixture", ""),
        published=fields.get("published", {}),
    )
