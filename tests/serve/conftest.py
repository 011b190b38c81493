"""Fixtures: page and API over a tiny network, an HTTP client and a browser."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import NO_TIMEOUT, OpenPage, running_server
from fastapi.testclient import TestClient

from tiny import tiny_network
from workings.reader import Reader
from workings.serve import create_app

_BROWSER_TIMEOUT_MS = 90_000  # the machine may be busy


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(tiny_network())


@pytest.fixture(scope="module")
def client(reader: Reader) -> Iterator[TestClient]:
    with TestClient(create_app(reader, NO_TIMEOUT), "http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def address(reader: Reader) -> Iterator[str]:
    with running_server(create_app(reader, NO_TIMEOUT)) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Return a function that opens a page; any error in its console fails the test."""
    errors: list[str] = []
    contexts = []

    def open_one(width: int = 1200, height: int = 900, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(_BROWSER_TIMEOUT_MS)
        page.on("console", lambda entry: errors.append(entry.text) if entry.type == "error" else 0)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_one
    for context in contexts:
        context.close()
    # Browsers log status 422, which is the expected response to an invalid program.
    assert not [error for error in errors if "422" not in error]
