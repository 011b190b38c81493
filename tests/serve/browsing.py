"""A server for browser tests."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from workings.serve.batching import BatchingLimits

# A busy machine must not fail a test.
NO_TIMEOUT = BatchingLimits(timeout=3600)

OpenPage = Callable[..., Any]


@contextmanager
def running_server(app: FastAPI) -> Iterator[str]:
    """Run a server on a free port; yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield "http://{}:{}/".format(*server.servers[0].sockets[0].getsockname())
    server.should_exit = True
    thread.join()
