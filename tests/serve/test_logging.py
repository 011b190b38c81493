"""Tests of the log: a server changes no logger, and the command shows the log while it serves."""

import logging
from urllib.request import urlopen

import pytest
from browsing import running_server

from workings.reader import Reader
from workings.serve import create_app
from workings.serve.server import log_to_console


def request_health(reader: Reader) -> None:
    with running_server(create_app(reader)) as address, urlopen(f"{address}health") as response:
        assert response.status == 200


def state() -> list[tuple[object, ...]]:
    """Everything that a server could change of its loggers."""
    names = ["", "uvicorn", "uvicorn.error", "uvicorn.asgi", "workings", "workings.serve"]
    return [
        (name, logger.level, logger.propagate, logger.disabled, *logger.handlers)
        for name, logger in ((name, logging.getLogger(name)) for name in names)
    ]


def test_server_changes_no_logger(reader: Reader) -> None:
    before = state()
    request_health(reader)
    assert state() == before


def test_log_is_written_to_the_console_in_the_block_only(
    reader: Reader, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state()
    with log_to_console():
        request_health(reader)
    log = capsys.readouterr().err
    assert "Uvicorn running on http://127.0.0.1" in log
    assert log.count("GET /health 200") == 1
    assert state() == before
    request_health(reader)
    assert capsys.readouterr().err == ""
