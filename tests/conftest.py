"""What the tests share: the shipped examples, the command line, and DROP's files where given."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Other work on the machine must not fail a property for being slow.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

ROOT = Path(__file__).parents[1]


@pytest.fixture
def examples() -> Path:
    """The folder of examples."""
    return ROOT / "examples"


@pytest.fixture
def drop() -> Path:
    """The folder of DROP's files that WORKINGS_DATA names."""
    folder = os.environ.get("WORKINGS_DATA")
    if not folder:
        pytest.skip("WORKINGS_DATA does not name a folder with DROP's files")
    return Path(folder)
