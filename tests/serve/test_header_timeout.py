"""Tests of a real server: slow clients are disconnected, and a stop completes open requests."""

import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from tiny import PASSAGE, QUESTION
from workings.reader import Reader
from workings.serve import create_app, limits
from workings.serve.batching import BatchingLimits
from workings.serve.header_timeout import HeaderTimeoutProtocol

BODY = json.dumps({"passage": PASSAGE, "questions": [QUESTION]}).encode()
HEADERS = (
    b"POST /answer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


@pytest.fixture
def server(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.5)
    app = create_app(reader, BatchingLimits(max_wait=0.2))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            port=0,
            http=HeaderTimeoutProtocol,
            log_level="critical",
            timeout_graceful_shutdown=30,
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server
    server.should_exit = True
    thread.join()


def connect(server: uvicorn.Server) -> socket.socket:
    return socket.create_connection(server.servers[0].sockets[0].getsockname(), timeout=60)


def receive_all(connection: socket.socket) -> bytes:
    """Receive until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEADERS[:40]])
def test_incomplete_headers_time_out(server: uvicorn.Server, sent: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(sent)
        assert receive_all(connection) == b""


def test_incomplete_body_times_out(server: uvicorn.Server) -> None:
    with connect(server) as connection:
        connection.sendall(HEADERS % 100 + b"{")
        assert receive_all(connection).startswith(b"HTTP/1.1 408")


def test_large_body_is_rejected_unread(server: uvicorn.Server) -> None:
    with connect(server) as connection:
        connection.sendall(HEADERS % (limits.BODY_BYTES + 1) + b"x" * 1000)
        assert receive_all(connection).startswith(b"HTTP/1.1 413")


def test_two_requests_on_one_connection(server: uvicorn.Server) -> None:
    with connect(server) as connection:
        for _ in range(2):
            connection.sendall(HEADERS % len(BODY) + BODY)
            response = b""
            while b"\r\n\r\n" not in response or not response.endswith(b"}"):
                response += connection.recv(65536)
            assert response.startswith(b"HTTP/1.1 200")


def test_stop_completes_open_requests(server: uvicorn.Server) -> None:
    with connect(server) as connection:
        connection.sendall(HEADERS % len(BODY) + BODY)
        while not server.server_state.tasks:
            time.sleep(0.01)
        server.should_exit = True
        assert receive_all(connection).startswith(b"HTTP/1.1 200")
