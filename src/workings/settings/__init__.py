"""Recipes: one TOML file makes one model; every setting is declared here, with its meaning."""

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
