"""The base class of all sections of a recipe."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A frozen set of settings; unknown names and infinite numbers are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
