"""What the tests share: steady properties and the shipped examples."""

from pathlib import Path

import pytest
from hypothesis import settings

# Other work on the machine must not fail a property for being slow.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture
def examples() -> Path:
    """The folder of examples."""
    return Path(__file__).parents[1] / "examples"
