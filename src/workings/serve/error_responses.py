"""Faults as HTTP tells of them: a status, and a message that ends with what to do."""

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from workings.errors import WorkingsError
from workings.serve.batching import AnswerTimeoutError, BusyError

_DESCRIBED = "See /openapi.json."
_LONGEST = 100
_STATUS: dict[type[WorkingsError], int] = {BusyError: 503, AnswerTimeoutError: 504}


def status_of(error: WorkingsError) -> int:
    """The status a fault is told with."""
    return _STATUS.get(type(error), 422)


def headers_of(error: WorkingsError) -> dict[str, str]:
    """When to come back, if that helps."""
    return {"Retry-After": "1"} if isinstance(error, BusyError) else {}


async def workings_error_response(_request: Request, error: Exception) -> JSONResponse:
    """A fault as JSON."""
    assert isinstance(error, WorkingsError)
    told = {"error": error.message, "hint": error.hint}
    return JSONResponse(told, status_of(error), headers_of(error))


async def invalid_request_response(_request: Request, error: Exception) -> JSONResponse:
    """The first thing wrong with a request, without sending its texts back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    # The name of a field may be anything that was sent.
    place = ".".join(map(str, first["loc"])).encode("ascii", "backslashreplace").decode()
    told = {"error": f"{place[:_LONGEST]}: {first['msg']}", "hint": _DESCRIBED}
    return JSONResponse(told, 422)


async def http_error_response(_request: Request, error: Exception) -> JSONResponse:
    """What the framework refuses: an unknown address, a wrong method, a body that is no text."""
    assert isinstance(error, HTTPException)
    told = {"error": error.detail, "hint": _DESCRIBED}
    return JSONResponse(told, error.status_code, error.headers)


async def internal_error_response(_request: Request, _error: Exception) -> JSONResponse:
    """A fault of ours, of which the log tells more."""
    hint = "Ask something else, and report this with the server's log."
    return refusal(500, "Something went wrong in here.", hint)


def refusal(status: int, error: str, hint: str) -> JSONResponse:
    """An answer after which the connection is closed: the rest of the request is not wanted."""
    return JSONResponse({"error": error, "hint": hint}, status, {"Connection": "close"})
