"""A few cases of every target, so that the long run is known to work."""

import fuzz
import pytest
from targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_bad_input_is_refused_with_a_hint(name: str) -> None:
    _, open_ = TARGETS[name]
    tally = fuzz.run(open_, name, range(12), seed=1)
    assert not tally.faults, tally.faults[0]
    assert tally.taken + tally.refused == 12
