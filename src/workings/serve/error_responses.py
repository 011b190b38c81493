"""HTTP responses for errors: a status, what is wrong, and what to do."""

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from workings.errors import AnswerTimeoutError, WorkingsError
from workings.serve.batching import BusyError, StoppingError
from workings.serve.worker import WorkerDiedError


class CrossSiteError(WorkingsError):
    """A page of another site made the browser send a request that would compute an answer."""


_SEE_API = "See /openapi.json for the requests that the service accepts."
_MAX_FIELD_CHARS = 100
_STATUS: dict[type[WorkingsError], int] = {
    CrossSiteError: 403,
    WorkerDiedError: 500,
    BusyError: 503,
    StoppingError: 503,
    AnswerTimeoutError: 504,
}


def error_status(error: WorkingsError) -> int:
    """Return the HTTP status of an error."""
    return _STATUS.get(type(error), 422)


def error_headers(error: WorkingsError) -> dict[str, str]:
    """Return the HTTP headers of an error: when to retry, or that the connection ends."""
    if isinstance(error, BusyError):
        return {"Retry-After": str(error.retry_after)}
    return {"Connection": "close"} if isinstance(error, StoppingError) else {}


async def workings_error_response(_request: Request, error: Exception) -> JSONResponse:
    """Convert an error of this package to JSON."""
    assert isinstance(error, WorkingsError)
    body = {"error": error.message, "hint": error.hint}
    return JSONResponse(body, error_status(error), error_headers(error))


async def invalid_request_response(_request: Request, error: Exception) -> JSONResponse:
    """Report the first invalid field of a request, without repeating its text."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    # The client chooses the names of fields: they may be long or not printable.
    field = ".".join(map(str, first["loc"])).encode("ascii", "backslashreplace").decode()
    body = {"error": f"{field[:_MAX_FIELD_CHARS]}: {first['msg']}", "hint": _SEE_API}
    return JSONResponse(body, 422)


async def http_error_response(_request: Request, error: Exception) -> JSONResponse:
    """Convert an error of the framework, such as an unknown path or method."""
    assert isinstance(error, HTTPException)
    body = {"error": error.detail, "hint": _SEE_API}
    return JSONResponse(body, error.status_code, error.headers)


async def internal_error_response(_request: Request, _error: Exception) -> JSONResponse:
    """Report a bug without its details, which are in the server's log."""
    hint = "Try another question, and report this error with the server's log."
    return closing_response(500, "Internal error.", hint)


def closing_response(status: int, error: str, hint: str) -> JSONResponse:
    """Build an error response that closes the connection, so that no more of it is read."""
    return JSONResponse({"error": error, "hint": hint}, status, {"Connection": "close"})
