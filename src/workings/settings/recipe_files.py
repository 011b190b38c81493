"""Recipe files: found by path or by name, read, and changed setting by setting."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from workings.errors import RecipeError, did_you_mean


def read_recipe(path: Path) -> dict[str, Any]:
    """The settings of a file, unchecked; a recipe without a name has its file's."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        hint = "Give the path of a readable file."
        raise RecipeError(f"{path}: {error.strerror}.", hint=hint) from error
    # Not all that the parser cannot read is a fault of its own kind.
    except (ValueError, RecursionError) as error:
        raise RecipeError(f"{path} is not valid TOML: {error}.", hint="Mend that line.") from error
    return {"name": path.stem, **tree}


def find_recipe(source: str | Path) -> Path:
    """A file as it stands, else a recipe shipped with the package."""
    path = Path(source)
    if _is_file(path):
        return path
    shipped = {item.stem: item for folder in _recipe_folders() for item in folder.glob("*.toml")}
    if path.stem in shipped and path.suffix in ("", ".toml"):
        return shipped[path.stem]
    raise RecipeError(f"No recipe {str(source)!r}.", hint=did_you_mean(path.stem, shipped))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long to be one
        return False


def _recipe_folders() -> list[Path]:
    package = Path(str(files("workings")))
    return [
        folder
        for folder in (package / "recipes", package.parents[1] / "recipes")
        if folder.is_dir()
    ]


def override(tree: dict[str, Any], setting: str) -> None:
    """Change one setting of a tree, written as ``a.b=c``."""
    key, separator, text = setting.partition("=")
    if not separator:
        raise RecipeError(f"{setting!r} is not a setting.", hint="Write it as section.name=value.")
    *sections, name = key.strip().split(".")
    for section in sections:
        tree = tree.setdefault(section, {})
        if not isinstance(tree, dict):
            raise RecipeError(
                f"{section!r} is not a section.", hint="Write it as section.name=value."
            )
    tree[name] = _value(text.strip())


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
