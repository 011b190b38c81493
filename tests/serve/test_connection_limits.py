"""Tests of a real server: slow clients are cut off, and a stop completes what has begun."""

import json
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
import uvicorn
from browsing import NO_TIMEOUT, serving
from stub_reader import StubReader, work_until_stopped

from tiny import PASSAGE, QUESTION
from workings.reader import Reader
from workings.serve import create_app, limits
from workings.serve.batching import BatchingLimits

BODY = json.dumps({"passage": PASSAGE, "questions": [QUESTION]}).encode()
HEADERS = (
    b"POST /answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


@pytest.fixture
def server(reader: Reader) -> Iterator[uvicorn.Server]:
    with serving(create_app(reader, NO_TIMEOUT)) as server:
        yield server


@pytest.fixture
def impatient_server(server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch) -> uvicorn.Server:
    """A server that gives requests half a second: for tests that wait until it is over."""
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.5)
    return server


def connect(server: uvicorn.Server) -> socket.socket:
    return socket.create_connection(server.servers[0].sockets[0].getsockname(), timeout=60)


def receive_all(connection: socket.socket) -> bytes:
    """Receive until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEADERS[:40]])
def test_incomplete_headers_time_out(impatient_server: uvicorn.Server, sent: bytes) -> None:
    with connect(impatient_server) as connection:
        connection.sendall(sent)
        assert receive_all(connection) == b""


def test_incomplete_body_times_out(impatient_server: uvicorn.Server) -> None:
    with connect(impatient_server) as connection:
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


def test_body_is_counted_as_it_arrives(server: uvicorn.Server) -> None:
    head = HEADERS.replace(b"Content-Length: %d", b"Transfer-Encoding: chunked")
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with connect(server) as connection:
        connection.sendall(head)
        sent = 0
        with suppress(ConnectionError):  # the server closes the connection
            while sent < 1000 and not select.select([connection], [], [], 0)[0]:
                connection.sendall(chunk)
                sent += 1
        # The limit is 16 chunks; more of them fit into the buffers of both sockets.
        assert 16 <= sent < 900


def test_two_lengths_are_refused(server: uvicorn.Server) -> None:
    head = (HEADERS % len(BODY)).replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n")
    with connect(server) as connection:
        connection.sendall(head)
        assert receive_all(connection).startswith(b"HTTP/1.1 400")


def test_chunked_body_is_accepted(server: uvicorn.Server) -> None:
    head = HEADERS.replace(
        b"Content-Length: %d", b"Connection: close\r\nTransfer-Encoding: chunked"
    )
    with connect(server) as connection:
        connection.sendall(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY))
        assert receive_all(connection).startswith(b"HTTP/1.1 200")


def test_slow_readers_are_cut_off(impatient_server: uvicorn.Server) -> None:
    requests, request = 2000, b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(60)
        connection.connect(impatient_server.servers[0].sockets[0].getsockname())
        while not impatient_server.server_state.connections:
            time.sleep(0.01)
        with suppress(ConnectionError):  # the server may close the connection before the end
            connection.sendall(request * requests)
        while impatient_server.server_state.connections:
            time.sleep(0.05)
        received = 0
        with suppress(ConnectionError):
            while data := connection.recv(65536):
                received += data.count(b"HTTP/1.1 200")
        assert received < requests


def test_idle_connections_do_not_shut_out_others(
    server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 3)
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 3600.0)
    with ExitStack() as stack:
        idle = [stack.enter_context(connect(server)) for _ in range(3)]
        while len(server.server_state.connections) < 3:
            time.sleep(0.01)
        with connect(server) as connection:
            request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            connection.sendall(request)
            assert receive_all(connection).startswith(b"HTTP/1.1 200")
        with suppress(ConnectionError):
            assert idle[0].recv(1) == b""  # the oldest one was closed
        idle[2].sendall(request)
        assert receive_all(idle[2]).startswith(b"HTTP/1.1 200")


@contextmanager
def stubbed(stub: StubReader) -> Iterator[uvicorn.Server]:
    """A server over a stub; its reader is released at the end."""
    try:
        with serving(create_app(stub, BatchingLimits())) as server:
            yield server
    finally:
        stub.released.set()


def test_client_that_leaves_cancels_its_work() -> None:
    stopped = threading.Event()

    def work(questions: list[str]) -> None:
        try:
            work_until_stopped(questions)
        finally:
            stopped.set()

    stub = StubReader(work)
    with stubbed(stub) as server:
        with connect(server) as connection:
            connection.sendall(HEADERS % len(BODY) + BODY)
            stub.entered.wait()
            assert not stopped.is_set()
        stopped.wait()


def test_stop_answers_what_has_begun_and_refuses_the_rest() -> None:
    stub = StubReader()
    stub.released.clear()
    with stubbed(stub) as server, ExitStack() as stack:
        begun, waiting, sending, idle = (stack.enter_context(connect(server)) for _ in range(4))
        begun.sendall(HEADERS % len(BODY) + BODY)
        stub.entered.wait()
        waiting.sendall(HEADERS % len(BODY) + BODY)
        sending.sendall(HEADERS % len(BODY) + BODY[:9])
        while len(server.server_state.tasks) < 3:
            time.sleep(0.01)
        server.should_exit = True
        for connection in (waiting, sending):
            head, _, body = receive_all(connection).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503")
            assert json.loads(body)["error"] == "The service is stopping."
        assert receive_all(idle) == b""
        stub.released.set()
        assert receive_all(begun).startswith(b"HTTP/1.1 200")


def test_stop_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STOP_SECONDS", 0.1)
    stub = StubReader(work_until_stopped)
    with stubbed(stub) as server, connect(server) as connection:
        connection.sendall(HEADERS % len(BODY) + BODY)
        stub.entered.wait()
        server.should_exit = True
        assert receive_all(connection).startswith(b"HTTP/1.1 503")
