"""The page and the service over a tiny network."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tiny import tiny_network
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.batching import Pace

# Other work on the machine must not fail a test for being slow.
PATIENT = Pace(timeout=3600)


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture(scope="module")
def client(reader: Reader) -> Iterator[TestClient]:
    with TestClient(create_app(reader, PATIENT)) as client:
        yield client
