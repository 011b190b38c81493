"""The web application: page and API, request limits, error handlers, security headers."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from workings.errors import WorkingsError
from workings.reader import Reader
from workings.serve.api import api_routes
from workings.serve.batching import Batcher, BatchingLimits
from workings.serve.error_responses import (
    http_error_response,
    internal_error_response,
    invalid_request_response,
    workings_error_response,
)
from workings.serve.metrics import Metrics
from workings.serve.observing import ObservingMiddleware
from workings.serve.origin_check import OriginMiddleware
from workings.serve.page import PAGE_PATHS, page_routes
from workings.serve.request_body import BodyReader, RequestBodyMiddleware


def create_app(
    reader: Reader,
    batching: BatchingLimits | None = None,
    hosts: Iterable[str] = (),
) -> FastAPI:
    """Create the application: the web page and the API over one reader.

    ``app.state.stop(seconds)`` refuses requests that have not begun, and ends the others after some
    seconds. The server of ``workings serve`` calls it when it stops.

    Args:
        reader: Answers the questions.
        batching: Limits of queue and batches; default ``BatchingLimits()``.
        hosts: Names under which the server is reached, besides ``localhost`` and all addresses.
    """
    metrics = Metrics()
    batcher = Batcher(reader, batching, metrics.count_batch)
    metrics.add_gauge("queue_length", "Questions in the queue.", lambda: batcher.queue_length)
    metrics.add_gauge(
        "worker_restarts", "Times that the worker died and was replaced.", lambda: batcher.restarts
    )
    body_reader = BodyReader()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with batcher:
            yield

    def stop(seconds: float) -> None:
        body_reader.stop()
        batcher.stop(seconds)

    # FastAPI's viewers of the API description are off: they load scripts from other hosts.
    # Redirects to other spellings of a path are off: they are built from the request's host.
    app = FastAPI(
        title="workings",
        summary="Answers questions that need arithmetic over a paragraph, and shows its workings.",
        version=version("workings"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.stop = stop
    app.include_router(api_routes(batcher, metrics))
    app.include_router(page_routes(batcher))
    app.add_exception_handler(WorkingsError, workings_error_response)
    app.add_exception_handler(RequestValidationError, invalid_request_response)
    app.add_exception_handler(HTTPException, http_error_response)
    app.add_exception_handler(Exception, internal_error_response)
    # The last one added handles a request first.
    app.add_middleware(RequestBodyMiddleware, reader=body_reader)
    app.add_middleware(OriginMiddleware, names={"localhost", *(host.lower() for host in hosts)})
    paths = {*app.openapi()["paths"], *PAGE_PATHS, "/openapi.json"}
    app.add_middleware(ObservingMiddleware, paths=paths, count_request=metrics.count_request)
    return app
