"""The HTTP server: uvicorn with limits for connections, and a stop that ends in time."""

import logging
import math
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import uvicorn
from fastapi import FastAPI
from uvicorn.logging import DefaultFormatter

from workings.serve import limits
from workings.serve.connection_limits import LimitedConnection

# Loggers of the server and of the application.
_LOGGERS = ("uvicorn", "workings.serve")


class StoppingServer(uvicorn.Server):
    """Signals a stop to the application before it waits for open requests."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: answer what has begun, refuse the rest."""
        self.config.app.state.stop(limits.STOP_SECONDS)  # type: ignore[union-attr]
        await super().shutdown(sockets)


def make_server(app: FastAPI, host: str, port: int) -> uvicorn.Server:
    """Make a server for an application of ``create_app``.

    It logs to the loggers ``uvicorn`` and ``workings.serve``, and does not configure them.

    Args:
        app: The application.
        host: Address to listen on.
        port: Port to listen on; 0 for any free port.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=LimitedConnection,
        # The application logs requests itself, without the question and program in their address.
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=math.ceil(limits.STOP_SECONDS) + 1,
    )
    return StoppingServer(config)


@contextmanager
def log_to_console() -> Iterator[None]:
    """Write the log of the server and of the application to stderr within a ``with`` block."""
    handler = logging.StreamHandler()
    handler.setFormatter(DefaultFormatter("%(levelprefix)s %(message)s"))
    with ExitStack() as at_exit:
        for logger in map(logging.getLogger, _LOGGERS):
            at_exit.callback(logger.setLevel, logger.level)
            at_exit.callback(logger.removeHandler, handler)
            logger.setLevel(logging.INFO)
            logger.addHandler(handler)
        yield
