"""Prints the page of settings, written from the settings themselves: `make docs`."""

import sys
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from workings.settings import Recipe, Settings

_HEAD = """\
# Settings

Every setting of a recipe ([training](train.md)), with its default. `workings train RECIPE --set \
section.name=value` changes one for a run; a misspelt name is an error that tells the nearest."""
_COLUMNS = "| setting | default | values | what it does |\n| --- | --- | --- | --- |"
_SIGNS = {Ge: ("≥", "ge"), Gt: (">", "gt"), Le: ("≤", "le"), Lt: ("<", "lt")}


def page() -> Iterator[str]:
    sections = {n: f for n, f in Recipe.model_fields.items() if _inner(f) is not None}
    yield _HEAD
    yield from _table("The recipe itself", Recipe.model_fields.keys() - sections, Recipe)
    for name, field in sections.items():
        inner = _inner(field)
        assert inner is not None
        yield from _table(f"`[{name}]`", inner.model_fields, inner)


def _inner(field: FieldInfo) -> type[Settings] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Settings) else None


def _table(title: str, names: Any, settings: type[Settings]) -> Iterator[str]:
    yield f"\n## {title}\n\n{_COLUMNS}"
    for name, field in settings.model_fields.items():
        if name in names:
            default = _written(field.default)
            yield f"| `{name}` | {default} | {_values(field)} | {field.description} |"


def _written(value: Any) -> str:
    """A value as a recipe has it."""
    if value in (None, "", ()):
        return "–"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _values(field: FieldInfo) -> str:
    kind = field.annotation
    if get_origin(kind) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(kind))
    bounds = [
        f"{sign} {getattr(limit, attribute):,}"
        for limit in field.metadata
        for sign, attribute in [_SIGNS.get(type(limit), ("", ""))]
        if sign
    ]
    return ", ".join(bounds) or _kind(kind)


def _kind(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return "a list"
    return {bool: "`true`, `false`", str: "text", int: "a whole number"}.get(kind, "a number")


sys.stdout.write("\n".join([*page(), ""]))
