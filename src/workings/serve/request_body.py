"""Receives request bodies of limited size and time, and cancels requests whose client leaves."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workings.serve import limits
from workings.serve.error_responses import closing_response


class BodyReader:
    """Reads request bodies; counts the bytes as they arrive."""

    def __init__(self) -> None:
        self._timeouts: set[asyncio.Timeout] = set()
        self._stopped = False

    def stop(self) -> None:
        """Refuse bodies that have not arrived, because the service is stopping."""
        self._stopped = True
        for timeout in self._timeouts:
            timeout.reschedule(asyncio.get_running_loop().time())

    async def read(self, receive: Receive) -> bytes | JSONResponse | None:
        """Read a body.

        Returns:
            The body; an error response if it is too large or too slow; None if the client left.
        """
        timeout = asyncio.timeout(0 if self._stopped else limits.REQUEST_SECONDS)
        try:
            async with timeout:
                self._timeouts.add(timeout)
                return await _read(receive)
        except TimeoutError:
            return self._late()
        finally:
            self._timeouts.discard(timeout)

    def _late(self) -> JSONResponse:
        if self._stopped:
            hint = "Send the request again in a moment."
            return closing_response(503, "The service is stopping.", hint)
        hint = f"Send the whole request within {limits.REQUEST_SECONDS:g} seconds."
        return closing_response(408, "The request did not arrive in time.", hint)


async def _read(receive: Receive) -> bytes | JSONResponse | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > limits.BODY_BYTES:
            return _too_large()
        if not message.get("more_body", False):
            return bytes(body)


def _too_large() -> JSONResponse:
    hint = f"Send at most {limits.BODY_BYTES:,} bytes."
    return closing_response(413, "The request is too large.", hint)


def _check_length(headers: Headers) -> JSONResponse | None:
    """Return an error response if the headers about the body are wrong or announce too much."""
    lengths = headers.getlist("content-length")
    if lengths and "transfer-encoding" in headers:
        # Two readers of such a request may see different bodies (request smuggling).
        hint = "Send either Content-Length or Transfer-Encoding."
        return closing_response(400, "The request has two lengths.", hint)
    for length in lengths:
        if not (length.isascii() and length.isdecimal()):
            hint = "Send the number of bytes as Content-Length."
            return closing_response(400, "Content-Length is not a number.", hint)
        digits = length.lstrip("0") or "0"
        if len(digits) > len(str(limits.BODY_BYTES)) or int(digits) > limits.BODY_BYTES:
            return _too_large()
    return None


class RequestBodyMiddleware:
    """Passes on requests with their complete body, and cancels them if the client leaves.

    Args:
        app: The application behind it.
        reader: Reads the bodies.
    """

    def __init__(self, app: ASGIApp, reader: BodyReader) -> None:
        self.app, self.reader = app, reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _check_length(Headers(scope=scope)) or await self.reader.read(receive)
        if isinstance(body, JSONResponse):
            await body(scope, receive, send)
        elif body is not None:
            await _run_until_disconnect(self.app, scope, body, receive, send)


async def _run_until_disconnect(
    app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Run an application on a complete request; cancel it if the client leaves before the end."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    response_complete = False

    async def replay() -> Message:
        return messages.pop() if messages else await asyncio.shield(leaving)

    async def track(message: Message) -> None:
        nonlocal response_complete
        await send(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            response_complete = True

    leaving = asyncio.create_task(_disconnect(receive))
    running = asyncio.create_task(_as_coroutine(app(scope, replay, track)))
    try:
        await asyncio.wait({leaving, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done() or response_complete:
            await running
    finally:
        for task in (leaving, running):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _disconnect(receive: Receive) -> Message:
    """Wait until the client leaves; servers also report this after a complete response."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return message


async def _as_coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable
