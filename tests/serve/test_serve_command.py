"""Tests of the command ``workings serve``."""

import sys
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from typer.testing import CliRunner

from workings.cli import app
from workings.reader import Reader


def test_listens_on_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, reader: Reader, tmp_path: Path
) -> None:
    started: dict[str, Any] = {}
    monkeypatch.setattr(
        uvicorn, "run", lambda served, **options: started.update(options, app=served)
    )
    model = reader.save_pretrained(tmp_path / "tiny")
    result = CliRunner().invoke(app, ["serve", "--model", str(model), "--port", "8123"])
    assert result.exit_code == 0, result.stderr
    assert (started["host"], started["port"]) == ("127.0.0.1", 8123)
    assert started["app"].title == "workings"


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 1
    assert "workings[web]" in result.stderr
