"""Servers that run in a thread of a test."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from workings.serve.batching import BatchingLimits
from workings.serve.server import make_server

# A busy machine must not fail a test.
NO_TIMEOUT = BatchingLimits(timeout=3600)

OpenPage = Callable[..., Any]


@contextmanager
def serving(app: FastAPI) -> Iterator[uvicorn.Server]:
    """Run a server on a free port, and stop it at the end."""
    server = make_server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server has failed to start"
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def running_server(app: FastAPI) -> Iterator[str]:
    """Run a server on a free port; yield its address."""
    with serving(app) as server:
        yield "http://{}:{}/".format(*server.servers[0].sockets[0].getsockname())
