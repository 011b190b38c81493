"""The service matches its OpenAPI description for random requests."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import NO_TIMEOUT, running_server
from hypothesis import HealthCheck, given, settings

from tiny import tiny_network
from workings.reader import Reader
from workings.serve import create_app

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def description() -> Iterator[Any]:
    with running_server(create_app(Reader(tiny_network()), NO_TIMEOUT)) as address:
        yield schemathesis.openapi.from_url(f"{address}openapi.json")


def test_service_matches_its_description(description: Any) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conformance = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    operations = [result.ok() for result in description.get_all_operations()]
    assert {operation.path for operation in operations} == {
        "/answer",
        "/run",
        "/modules",
        "/health",
        "/metrics",
    }
    for operation in operations:

        @settings(max_examples=25, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def send_request(case: Any) -> None:
            case.call_and_validate(checks=conformance, timeout=600)  # the machine may be busy

        send_request()
