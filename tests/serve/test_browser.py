"""The page in a real browser: ask, move the slider, edit a program, follow a link."""

import shutil
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from tiny import PASSAGE, QUESTION
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.batching import Pace

browsing = pytest.importorskip("playwright.sync_api", reason="needs the extra [browser]")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def address(reader: Reader) -> Iterator[str]:
    """A server at a free port."""
    app = create_app(reader, Pace(timeout=3600))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield "http://{}:{}/".format(*server.servers[0].sockets[0].getsockname())
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with browsing.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def test_a_visit(browser, address: str) -> None:  # type: ignore[no-untyped-def]
    page = browser.new_page(viewport={"width": 390, "height": 800})  # a phone's
    page.set_default_timeout(120_000)
    faults: list[str] = []
    page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))

    page.goto(address)
    page.keyboard.type(QUESTION)  # the question has the focus
    page.fill("#passage", PASSAGE)
    page.press("#passage", "Control+Enter")
    page.wait_for_selector(".workings .answer output")
    link = page.url
    assert page.input_value("#passage") == PASSAGE

    slider = page.locator(".least input")
    assert slider.is_visible()
    slider.focus()
    slider.press("End")
    assert page.locator(".least output").text_content() == "1"
    mark = page.locator(".workings mark").first
    shade = mark.evaluate("it => getComputedStyle(it).backgroundColor")
    assert shade.endswith(", 0)"), "a word below the minimum is not shaded"

    page.locator(".workings .program a").first.focus()
    assert page.locator(".steps > li.lit").count() == 1
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing hangs over the edge of a phone"

    page.locator(".edit summary").press("Enter")
    page.fill("#program", "count(fnid)")
    page.press("#program", "Enter")
    page.wait_for_selector("[role=alert]")
    assert "Did you mean 'find'?" in page.inner_text("[role=alert]")
    page.fill("#program", "count(find)")
    page.press("#program", "Enter")
    page.wait_for_selector(".workings .answer output")
    assert page.locator(".workings .program").inner_text().startswith("count")

    page.goto(link)
    assert page.input_value("#question") == QUESTION
    assert not [fault for fault in faults if "422" not in fault]


def test_without_scripts(browser, address: str) -> None:  # type: ignore[no-untyped-def]
    page = browser.new_context(java_script_enabled=False).new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.fill("#question", QUESTION)
    page.fill("#passage", PASSAGE)
    page.press("#question", "Enter")
    page.wait_for_selector(".workings .steps")
    assert page.locator(".least").is_hidden()
    page.locator(".edit summary").click()
    page.fill("#program", "count(find)")
    page.locator(".edit button").click()
    page.wait_for_selector(".workings .program >> text=count")
