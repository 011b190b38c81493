"""The page and the service over a tiny network, for requests and for a real browser."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import PATIENT, Open, listening
from fastapi.testclient import TestClient

from tiny import tiny_network
from workings.reader import Reader
from workings.serve import create_app

_LATEST = 600_000  # milliseconds a browser waits for anything; it may be a busy machine


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture(scope="module")
def client(reader: Reader) -> Iterator[TestClient]:
    with TestClient(create_app(reader, PATIENT)) as client:
        yield client


@pytest.fixture(scope="module")
def address(reader: Reader) -> Iterator[str]:
    with listening(create_app(reader, PATIENT)) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra [browser]")
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens pages, with the options of a browser's context; none may tell of a fault."""
    faults: list[str] = []
    contexts = []

    def open_one(width: int = 1200, height: int = 900, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(_LATEST)
        page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()
    # A refused program is an answer of 422, which browsers log.
    assert not [fault for fault in faults if "422" not in fault]
