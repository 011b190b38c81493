"""A server for a browser to visit, and what opens pages of it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from workings.serve.batching import BatchingLimits

# Other work on the machine must not fail a test for being slow.
PATIENT = BatchingLimits(timeout=3600)

Open = Callable[..., Any]


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """The address of a server at a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield "http://{}:{}/".format(*server.servers[0].sockets[0].getsockname())
    server.should_exit = True
    thread.join()
