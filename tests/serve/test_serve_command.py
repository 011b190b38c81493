"""Tests of the command ``workings serve``."""

import sys
from pathlib import Path
from typing import cast

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from workings.cli import app
from workings.reader import Reader


def test_listens_on_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, reader: Reader, tmp_path: Path
) -> None:
    started: list[uvicorn.Server] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server: started.append(server))
    model = reader.save_pretrained(tmp_path / "tiny")
    options = ["--model", str(model), "--port", "8123", "--allow-host", "answers.example"]
    result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == 0, result.stderr
    (server,) = started
    assert (server.config.host, server.config.port) == ("127.0.0.1", 8123)
    assert not server.config.access_log
    served = cast(FastAPI, server.config.app)
    for name, status in (("answers.example", 200), ("127.0.0.1", 200), ("evil.example", 421)):
        with TestClient(served, f"http://{name}:8123") as client:
            assert client.get("/modules").status_code == status


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "workings.serve.server", None)  # as if uvicorn were missing
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 1
    assert "workings[web]" in result.stderr
