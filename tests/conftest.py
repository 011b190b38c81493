"""What the tests share: steady properties, one thread each, and the shipped examples."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Other work on the machine must not fail a property for being slow.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


# Small tensors gain nothing from threads, and tests run side by side lose much by them.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture
def examples() -> Path:
    """The folder of examples."""
    return Path(__file__).parents[1] / "examples"
