"""Explanations of a tiny network's runs."""

import pytest

from tiny import PASSAGE, QUESTION, tiny_network
from workings.explain import Explanation
from workings.reader import Reader

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
    """One explanation for every type of result."""
    return reader.run(request.param, QUESTION, PASSAGE)


@pytest.fixture(scope="session")
def asked(reader: Reader) -> Explanation:
    """An explanation with alternatives."""
    return reader.ask(QUESTION, PASSAGE)
