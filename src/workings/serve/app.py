"""One application of page and service, with its guards and the faults it tells of."""

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
    http_error_response,
    internal_error_response,
    invalid_request_response,
    refusal,
    workings_error_response,
)
from workings.serve.metrics import Metrics
from workings.serve.page import PATHS, page_routes

# Scripts and styles are files of ours; weights are drawn by style attributes, all of them numbers.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(reader: Reader, pace: BatchingLimits | None = None) -> FastAPI:
    """The page and the service over one reader."""
    metrics = Metrics()
    batcher = Batcher(reader, pace, metrics.count_batch)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with batcher:
            yield

    # FastAPI's own viewers of the description load scripts from elsewhere.
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
    _guard(app, metrics)
    return app


def _guard(app: FastAPI, metrics: Metrics) -> None:
    """Refuse what is too large, count every request, and send the headers with every response."""
    known = set(app.openapi()["paths"]) | set(PATHS)

    @app.middleware("http")
    async def guard(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        started, status = time.perf_counter(), 500
        try:
            response = await _refuse(request) or await call_next(request)
            response.headers.update(_HEADERS)
            status = response.status_code
        finally:
            path = request.scope["path"] if request.scope["path"] in known else "other"
            metrics.count_request(path, status, time.perf_counter() - started)
        return response


async def _refuse(request: Request) -> Response | None:
    """Bodies must say how long they are, and come soon: a server waits and reads no longer."""
    length = request.headers.get("content-length", "")
    if request.method != "POST":
        return None
    if not length.isdecimal() or len(length) > len(str(limits.BODY)) or int(length) > limits.BODY:
        hint = f"Send at most {limits.BODY:,} bytes, with their Content-Length."
        return refusal(413, "The request is too large.", hint)
    try:
        async with asyncio.timeout(limits.SECONDS):
            await request.body()
    except (TimeoutError, ClientDisconnect):
        hint = f"Send all of it within {limits.SECONDS:g} seconds."
        return refusal(408, "The request did not arrive in time.", hint)
    return None
