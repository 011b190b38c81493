"""The recipe: all settings of a model, read from a file and checked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field, ValidationError

from workings.errors import RecipeError, did_you_mean
from workings.settings.base import Settings
from workings.settings.model import (
    EncoderSettings,
    ModuleSettings,
    PeerSettings,
    ProgrammerSettings,
)
from workings.settings.recipe_files import find_recipe, override, read_recipe
from workings.settings.training import DataSettings, LossSettings, TrainSettings


class Recipe(Settings):
    """All settings of a model and its training."""

    name: str = Field("unnamed", description="Name of the model; by default the file's name.")
    model: Literal["modules", "naqanet", "numnet"] = Field(
        "modules", description="Architecture: the network of modules, or one of its peers."
    )
    start: str = Field(
        "", description="Model folder, or `shipped`, whose weights training starts from."
    )
    teacher: str = Field("", description="Teacher model for distillation: a folder, or `shipped`.")
    encoder: EncoderSettings = EncoderSettings()
    modules: ModuleSettings = ModuleSettings()
    programmer: ProgrammerSettings = ProgrammerSettings()
    peer: PeerSettings = PeerSettings()
    data: DataSettings = DataSettings()
    loss: LossSettings = LossSettings()
    train: TrainSettings = TrainSettings()

    @staticmethod
    def load(source: str | Path, overrides: Sequence[str] = ()) -> "Recipe":
        """Load a recipe file and apply overrides.

        Args:
            source: The path of a recipe file, or the name of a shipped recipe.
            overrides: Settings to change, each as ``section.name=value``.

        Raises:
            RecipeError: The recipe does not exist, is not valid TOML, or has a wrong setting.
        """
        settings = read_recipe(find_recipe(source))
        for assignment in overrides:
            override(settings, assignment)
        return Recipe.read(settings)

    @staticmethod
    def read(settings: dict[str, Any]) -> "Recipe":
        """Check nested settings and make a recipe of them.

        Raises:
            RecipeError: A setting is unknown or has a wrong value.
        """
        try:
            return Recipe.model_validate(settings)
        except ValidationError as error:
            first = error.errors()[0]
            # Pydantic gives no location for a name with half a surrogate pair.
            name = ".".join(str(part) for part in first["loc"]) or "with an unreadable name"
            raise RecipeError(
                f"Setting {name}: {first['msg']}.", hint=_hint(first["loc"])
            ) from error


def _hint(location: tuple[int | str, ...]) -> str:
    section: Any = Recipe
    for part in location[:-1]:
        if isinstance(part, int):  # an entry of a list of tables
            section = next(iter(get_args(section)), None)
            continue
        field = getattr(section, "model_fields", {}).get(part)
        section = field.annotation if field else None
    known = getattr(section, "model_fields", {})
    if location and known and location[-1] not in known:
        return did_you_mean(str(location[-1]), known)
    return "See docs/settings.md for the allowed values."
