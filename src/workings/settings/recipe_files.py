"""Recipe files: finding them by path or name, parsing them, and overriding single settings."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from workings.errors import RecipeError, did_you_mean


def read_recipe(path: Path) -> dict[str, Any]:
    """Parse a recipe file; without a ``name`` the recipe has the name of the file.

    Returns:
        The nested settings, not yet checked.

    Raises:
        RecipeError: The file cannot be read, or is not valid TOML.
    """
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        hint = "Give the path of a readable file."
        raise RecipeError(f"{path}: {error.strerror}.", hint=hint) from error
    # tomllib also raises these for wrong encodings, huge numbers and deep nesting.
    except (ValueError, RecursionError) as error:
        hint = "Correct that line."
        raise RecipeError(f"{path} is not valid TOML: {error}.", hint=hint) from error
    return {"name": path.stem, **settings}


def find_recipe(source: str | Path) -> Path:
    """The path of a recipe file, or of a shipped recipe given by name.

    Raises:
        RecipeError: There is no such file and no such shipped recipe.
    """
    path = Path(source)
    if _is_file(path):
        return path
    shipped = {file.stem: file for folder in _recipe_folders() for file in folder.glob("*.toml")}
    if path.stem in shipped and path.suffix in ("", ".toml"):
        return shipped[path.stem]
    raise RecipeError(f"There is no recipe {str(source)!r}.", hint=did_you_mean(path.stem, shipped))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False


def _recipe_folders() -> list[Path]:
    """The folders of shipped recipes: in an installed package, and in a checkout."""
    package = Path(str(files("workings")))
    return [
        folder
        for folder in (package / "recipes", package.parents[1] / "recipes")
        if folder.is_dir()
    ]


def override(settings: dict[str, Any], assignment: str) -> None:
    """Change one setting in place.

    Args:
        settings: Nested settings, as ``read_recipe`` gives them.
        assignment: The setting and its value, as ``section.name=value``.

    Raises:
        RecipeError: The assignment has another form.
    """
    key, separator, text = assignment.partition("=")
    if not separator:
        hint = "Write it as section.name=value."
        raise RecipeError(f"{assignment!r} is not a setting.", hint=hint)
    *sections, name = key.strip().split(".")
    for section in sections:
        settings = settings.setdefault(section, {})
        if not isinstance(settings, dict):
            hint = "Write it as section.name=value."
            raise RecipeError(f"{section!r} is not a section.", hint=hint)
    settings[name] = _parse_value(text.strip())


def _parse_value(text: str) -> Any:
    """A TOML value; text that is not valid TOML is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
