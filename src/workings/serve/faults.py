"""Faults as HTTP tells of them: a status, and a message that ends with what to do."""

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from workings.errors import WorkingsError
from workings.serve.batching import BusyError, LateError

_STATUS: dict[type[WorkingsError], int] = {BusyError: 503, LateError: 504}


def status_of(error: WorkingsError) -> int:
    """The status a fault is told with."""
    return _STATUS.get(type(error), 422)


def headers_of(error: WorkingsError) -> dict[str, str]:
    """When to come back, if that helps."""
    return {"Retry-After": "1"} if isinstance(error, BusyError) else {}


async def tell_fault(_request: Request, error: Exception) -> JSONResponse:
    """A fault as JSON."""
    assert isinstance(error, WorkingsError)
    told = {"error": error.message, "hint": error.hint}
    return JSONResponse(told, status_of(error), headers_of(error))


async def tell_invalid(_request: Request, error: Exception) -> JSONResponse:
    """The first thing wrong with a request, without sending its texts back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    told = {"error": f"{place}: {first['msg']}", "hint": "See /openapi.json."}
    return JSONResponse(told, 422)
