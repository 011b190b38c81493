"""Runs a few cases of every fuzz target."""

import fuzz
import pytest
from fuzz_targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_rejects_bad_input_with_a_hint(name: str) -> None:
    _, prepare = TARGETS[name]
    result = fuzz.run(prepare, name, range(12), seed=1)
    assert not result.failures, result.failures[0]
    assert result.accepted + result.rejected == 12
