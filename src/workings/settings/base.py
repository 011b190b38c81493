"""What all parts of a recipe have in common."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Frozen, and strict about names: a misspelt key is an error, not a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
