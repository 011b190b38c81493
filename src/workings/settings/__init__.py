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
from workings.settings.training import (
    DataSettings,
    DevSource,
    LossSettings,
    TrainingSource,
    TrainSettings,
)

__all__ = [
    "SCRATCH",
    "SHIPPED",
    "DataSettings",
    "DevSource",
    "EncoderSettings",
    "LossSettings",
    "ModuleSettings",
    "PeerSettings",
    "ProgrammerSettings",
    "Recipe",
    "Settings",
    "TrainSettings",
    "TrainingSource",
]
