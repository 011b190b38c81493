"""A server of its own on loopback: who is slow is cut off, and what was begun is finished."""

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
HEAD = (
    b"POST /answer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


@pytest.fixture
def server(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    app = create_app(reader, BatchingLimits(linger=0.2))
    served = uvicorn.Server(
        uvicorn.Config(
            app,
            port=0,
            http=HeaderTimeoutProtocol,
            log_level="critical",
            timeout_graceful_shutdown=30,
        )
    )
    thread = threading.Thread(target=served.run)
    thread.start()
    while not served.started:
        time.sleep(0.01)
    yield served
    served.should_exit = True
    thread.join()


def connect(server: uvicorn.Server) -> socket.socket:
    return socket.create_connection(server.servers[0].sockets[0].getsockname(), timeout=60)


def everything(line: socket.socket) -> bytes:
    """All that is sent until the other side hangs up."""
    return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEAD[:40]])
def test_a_head_that_never_ends(server: uvicorn.Server, sent: bytes) -> None:
    with connect(server) as line:
        line.sendall(sent)
        assert everything(line) == b""


def test_a_body_that_never_comes(server: uvicorn.Server) -> None:
    with connect(server) as line:
        line.sendall(HEAD % 100 + b"{")
        assert everything(line).startswith(b"HTTP/1.1 408")


def test_a_giant_body_is_not_read(server: uvicorn.Server) -> None:
    with connect(server) as line:
        line.sendall(HEAD % (limits.BODY + 1) + b"x" * 1000)
        assert everything(line).startswith(b"HTTP/1.1 413")


def test_a_second_request_is_answered(server: uvicorn.Server) -> None:
    with connect(server) as line:
        for _ in range(2):
            line.sendall(HEAD % len(BODY) + BODY)
            told = b""
            while b"\r\n\r\n" not in told or not told.endswith(b"}"):
                told += line.recv(65536)
            assert told.startswith(b"HTTP/1.1 200")


def test_a_stop_finishes_what_was_begun(server: uvicorn.Server) -> None:
    with connect(server) as line:
        line.sendall(HEAD % len(BODY) + BODY)
        while not server.server_state.tasks:
            time.sleep(0.01)
        server.should_exit = True
        assert everything(line).startswith(b"HTTP/1.1 200")
