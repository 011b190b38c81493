"""Settings of a recipe: the TOML file from which a model is trained."""

from workings.settings.base import Settings
from workings.settings.model import (
    SCRATCH,
    SHIPPED,
    EncoderSettings,
    ModuleSettings,
    PeerSettings,
    ProgrammerSettings,
)
from workings.settings.recipe import Recipe
from workings.settings.training import DataSettings, LossSettings, TrainSettings

__all__ = [
    "SCRATCH",
    "SHIPPED",
    "DataSettings",
    "EncoderSettings",
    "LossSettings",
    "ModuleSettings",
    "PeerSettings",
    "ProgrammerSettings",
    "Recipe",
    "Settings",
    "TrainSettings",
]
