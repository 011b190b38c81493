"""Fixtures: explanations from a tiny network."""

import pytest

from tiny import PASSAGE, QUESTION, tiny_network
from workings.explain import Explanation
from workings.reader import Reader

# Together they have every type of result.
PROGRAMS = (
    "sub(find-num(find-max-num(find)), find-num(find-min-num(filter(find))))",
    "span(relocate(compare-date-lt(find, find)))",
    "spans(find)",
    "count(find)",
    "time-diff(find)",
    "find-date(find)",
    "span(compare-num-gt(find, find))",
)


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture(scope="session", params=PROGRAMS)
def explanation(request: pytest.FixtureRequest, reader: Reader) -> Explanation:
    """The explanation of a given program, for each of ``PROGRAMS``."""
    return reader.run(request.param, QUESTION, PASSAGE)


@pytest.fixture(scope="session")
def predicted(reader: Reader) -> Explanation:
    """The explanation of a predicted program, with alternatives."""
    return reader.ask(QUESTION, PASSAGE)
