"""The HTTP server: uvicorn with limits for connections, and a stop that ends in time."""

import math
import socket

import uvicorn
from fastapi import FastAPI

from workings.serve import limits
from workings.serve.connection_limits import LimitedConnection


class StoppingServer(uvicorn.Server):
    """Tells the application of a stop before it waits for open requests."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: answer what has begun, refuse the rest."""
        self.config.app.state.stop(limits.STOP_SECONDS)  # type: ignore[union-attr]
        await super().shutdown(sockets)


def make_server(app: FastAPI, host: str, port: int, log_level: str = "info") -> uvicorn.Server:
    """Make a server for an application of ``create_app``.

    Args:
        app: The application.
        host: Address to listen on.
        port: Port to listen on; 0 for any free port.
        log_level: Least level of log messages.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=LimitedConnection,
        # The application logs requests itself, without the question and program in their address.
        access_log=False,
        log_level=log_level,
        timeout_graceful_shutdown=math.ceil(limits.STOP_SECONDS) + 1,
    )
    return StoppingServer(config)
