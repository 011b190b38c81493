"""Prints docs/settings.md from the definitions of the settings: `make docs`."""

import sys
from collections.abc import Collection, Iterator
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from workings.settings import Recipe, Settings

_INTRODUCTION = """\
# Settings

All settings of a recipe, with their defaults. [Training](train.md) explains recipes.
Change a setting in the recipe file, or for one run with \
`workings train RECIPE --set section.name=value`.
A misspelt name is an error that suggests the nearest setting. "(paper)" marks the version of the \
published model."""
_COLUMNS = "| setting | default | values | description |\n| --- | --- | --- | --- |"
_BOUNDS = {Ge: ("≥", "ge"), Gt: (">", "gt"), Le: ("≤", "le"), Lt: ("<", "lt")}
_TYPES = {bool: "`true`, `false`", str: "text", int: "integer"}


def page() -> Iterator[str]:
    """Yield the introduction, a table of the recipe itself, and a table for each section."""
    sections = {
        name: section
        for name, field in Recipe.model_fields.items()
        if (section := _section(field)) is not None
    }
    yield _INTRODUCTION
    yield from _table("The recipe itself", Recipe.model_fields.keys() - sections, Recipe)
    for name, section in sections.items():
        yield from _table(f"`[{name}]`", section.model_fields, section)


def _section(field: FieldInfo) -> type[Settings] | None:
    """The class of a section, or None for a single setting."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Settings) else None


def _table(title: str, names: Collection[str], settings: type[Settings]) -> Iterator[str]:
    yield f"\n## {title}\n\n{_COLUMNS}"
    for name, field in settings.model_fields.items():
        if name in names:
            default = _format_default(field.default)
            yield f"| `{name}` | {default} | {_values(field)} | {field.description} |"


def _format_default(value: Any) -> str:
    """A default as it is written in a recipe; a dash for none."""
    if value in (None, "", (), {}):
        return "–"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _values(field: FieldInfo) -> str:
    """The allowed values of a setting: choices, bounds, or the type."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(kind))
    bounds = [
        f"{sign} {getattr(limit, attribute):,}"
        for limit in field.metadata
        for sign, attribute in [_BOUNDS.get(type(limit), ("", ""))]
        if sign
    ]
    return ", ".join(bounds) or _type_name(kind)


def _type_name(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return "list"
    if get_origin(kind) is dict:
        return "table"
    return _TYPES.get(kind, "number")


sys.stdout.write("\n".join([*page(), ""]))
