"""The web application: page and API, request limits, error handlers, security headers."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from workings.errors import WorkingsError
from workings.reader import Reader
from workings.serve import limits
from workings.serve.api import api_routes
from workings.serve.batching import Batcher, BatchingLimits
from workings.serve.error_responses import (
    closing_response,
    http_error_response,
    internal_error_response,
    invalid_request_response,
    workings_error_response,
)
from workings.serve.metrics import Metrics
from workings.serve.page import PAGE_PATHS, page_routes

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


def create_app(reader: Reader, batching: BatchingLimits | None = None) -> FastAPI:
    """Create the application: the web page and the API over one reader.

    Args:
        reader: Answers the questions.
        batching: Limits of queue and batches; default ``BatchingLimits()``.
    """
    metrics = Metrics()
    batcher = Batcher(reader, batching, metrics.count_batch)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with batcher:
            yield

    # FastAPI's viewers of the API description are off: they load scripts from other hosts.
    app = FastAPI(
        title="workings",
        summary="Answers questions that need arithmetic over a paragraph, and shows its workings.",
        version=version("workings"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(api_routes(batcher, metrics))
    app.include_router(page_routes(batcher))
    app.add_exception_handler(WorkingsError, workings_error_response)
    app.add_exception_handler(RequestValidationError, invalid_request_response)
    app.add_exception_handler(HTTPException, http_error_response)
    app.add_exception_handler(Exception, internal_error_response)
    _add_middleware(app, metrics)
    return app


def _add_middleware(app: FastAPI, metrics: Metrics) -> None:
    """Check the size of every request, count it, and add security headers to its response."""
    known_paths = set(app.openapi()["paths"]) | set(PAGE_PATHS)

    @app.middleware("http")
    async def process(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        start, status = time.perf_counter(), 500
        try:
            response = await _receive_body(request) or await call_next(request)
            response.headers.update(_SECURITY_HEADERS)
            status = response.status_code
        finally:
            path = request.scope["path"] if request.scope["path"] in known_paths else "other"
            metrics.count_request(path, status, time.perf_counter() - start)
        return response


async def _receive_body(request: Request) -> Response | None:
    """Read the body of a POST request; return an error response if it is too large or too slow."""
    length = request.headers.get("content-length", "")
    if request.method != "POST":
        return None
    max_digits = len(str(limits.BODY_BYTES))
    if not length.isdecimal() or len(length) > max_digits or int(length) > limits.BODY_BYTES:
        hint = f"Send at most {limits.BODY_BYTES:,} bytes, with a Content-Length header."
        return closing_response(413, "The request is too large.", hint)
    try:
        async with asyncio.timeout(limits.REQUEST_SECONDS):
            await request.body()
    except (TimeoutError, ClientDisconnect):
        hint = f"Send the whole request within {limits.REQUEST_SECONDS:g} seconds."
        return closing_response(408, "The request did not arrive in time.", hint)
    return None
