"""The command that serves."""

import sys
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from typer.testing import CliRunner

from workings.cli import app
from workings.reader import Reader


def test_it_listens_at_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, reader: Reader, tmp_path: Path
) -> None:
    started: dict[str, Any] = {}
    monkeypatch.setattr(
        uvicorn, "run", lambda served, **options: started.update(options, app=served)
    )
    model = reader.save_pretrained(tmp_path / "tiny")
    done = CliRunner().invoke(app, ["serve", "--model", str(model), "--port", "8123"])
    assert done.exit_code == 0, done.stderr
    assert (started["host"], started["port"]) == ("127.0.0.1", 8123)
    assert started["app"].title == "workings"


def test_without_the_extra_the_hint_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = CliRunner().invoke(app, ["serve"])
    assert done.exit_code == 1
    assert "workings[web]" in done.stderr
