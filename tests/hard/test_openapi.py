"""The service matches its OpenAPI description for random requests."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tiny import tiny_network
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.batching import BatchingLimits
from workings.serve.server import make_server

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def description() -> Iterator[Any]:
    app = create_app(Reader(tiny_network()), BatchingLimits(timeout=3600))
    server = make_server(app, "127.0.0.1", 0, log_level="critical")
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    yield schemathesis.openapi.from_url(f"http://{host}:{port}/openapi.json")
    server.should_exit = True
    thread.join()


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
