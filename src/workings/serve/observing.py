"""Counts and logs every request, adds security headers, and answers HEAD like GET."""

import logging
import time
from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOGGER = logging.getLogger("workings.serve")

# Status in metrics and logs of requests whose client left before the response.
_CLIENT_LEFT = 499

# Scripts and styles are files of this package. Style attributes set weights, which are numbers.
_SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class ObservingMiddleware:
    """Counts and logs requests; the log has neither query strings nor unknown paths.

    Args:
        app: The application behind it.
        paths: The paths of the application.
        count_request: Called with path, status and seconds of each request.
    """

    def __init__(
        self,
        app: ASGIApp,
        paths: Collection[str],
        count_request: Callable[[str, int, float], None],
    ) -> None:
        self.app, self.paths, self.count_request = app, paths, count_request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), _CLIENT_LEFT
        is_head = scope["method"] == "HEAD"

        async def process(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_SECURITY_HEADERS)
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        # The query string is dropped because it would make the page compute an answer.
        inner = {**scope, "method": "GET", "query_string": b""} if is_head else scope
        try:
            await self.app(inner, receive, process)
        except Exception:
            status = 500
            raise
        finally:
            path = scope["path"] if scope["path"] in self.paths else "other"
            seconds = time.perf_counter() - start
            self.count_request(path, status, seconds)
            _LOGGER.info("%s %s %d %.3f s", scope["method"], path, status, seconds)
