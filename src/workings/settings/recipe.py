"""A recipe: all settings together, read from its file and checked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

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
    """All there is to know to make one model again."""

    name: str = Field("unnamed", description="What the model is called on its card.")
    model: Literal["modules", "naqanet", "numnet"] = Field(
        "modules", description="The network of modules, or one of its peers."
    )
    start: str = Field("", description="A model folder whose weights to start from, or `shipped`.")
    teacher: str = Field("", description="A model folder whose vectors to learn to give.")
    encoder: EncoderSettings = EncoderSettings()
    modules: ModuleSettings = ModuleSettings()
    programmer: ProgrammerSettings = ProgrammerSettings()
    peer: PeerSettings = PeerSettings()
    data: DataSettings = DataSettings()
    loss: LossSettings = LossSettings()
    train: TrainSettings = TrainSettings()

    @staticmethod
    def load(source: str | Path, overrides: Sequence[str] = ()) -> "Recipe":
        """Read a recipe file, or a shipped one by name, and apply ``a.b=c`` overrides."""
        tree = read_recipe(find_recipe(source))
        for setting in overrides:
            override(tree, setting)
        return Recipe.read(tree)

    @staticmethod
    def read(tree: dict[str, Any]) -> "Recipe":
        """Check a tree of settings."""
        try:
            return Recipe.model_validate(tree)
        except ValidationError as error:
            first = error.errors()[0]
            # A name that is half a character has no place that could be told.
            place = ".".join(str(part) for part in first["loc"]) or "of no readable name"
            raise RecipeError(
                f"Setting {place}: {first['msg']}.", hint=_hint(first["loc"])
            ) from error


def _hint(place: tuple[int | str, ...]) -> str:
    settings: Any = Recipe
    for part in place[:-1]:
        field = getattr(settings, "model_fields", {}).get(part)
        settings = field.annotation if field else None
    known = getattr(settings, "model_fields", {})
    return (
        did_you_mean(str(place[-1]), known)
        if place and known and place[-1] not in known
        else "See docs/settings.md for its values."
    )
