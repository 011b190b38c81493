"""Security: escaping in pages and terminals, the container's user, the locked dependencies."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hostile_inputs import PAYLOADS

from tiny import PASSAGE, QUESTION, tiny_network
from workings.explain.terminal import to_text
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.batching import BatchingLimits

ROOT = Path(__file__).parents[2]


def test_templates_escape() -> None:
    for path in (ROOT / "src" / "workings").rglob("*.html"):
        assert "autoescape false" not in path.read_text("utf-8"), path


def test_the_container_runs_as_a_normal_user() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    [entry] = [number for number, line in enumerate(lines) if line.startswith("ENTRYPOINT")]
    users = [line.split()[1] for line in lines[:entry] if line.startswith("USER ")]
    assert users and users[-1] != "root"


@pytest.mark.parametrize("name", ["dev.txt", "serve.txt"])
def test_every_dependency_is_locked_with_its_hashes(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    locked = re.compile(r"[\w.-]+==[\w.]+ (; [^\\]*?)?( *--hash=sha256:[0-9a-f]{64})+ *")
    assert lines
    for line in lines:
        assert locked.fullmatch(line), line[:80]


class PageScripts(HTMLParser):
    """Collects what a browser would run: foreign scripts, event handlers, javascript: addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in ("script", "iframe", "svg", "object", "embed"):
            self.runs += [] if values.get("src", "").startswith("/script.js") else [tag]
        self.runs += [name for name in values if name.startswith("on")]
        addresses = (values.get(name, "") for name in ("href", "src", "action", "formaction"))
        self.runs += [text for text in addresses if text.lower().startswith("javascript:")]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(Reader(tiny_network()), BatchingLimits(timeout=3600))
    with TestClient(app, "http://localhost") as client:
        yield client


def scripts(html: str) -> list[str]:
    page = PageScripts()
    page.feed(html)
    page.close()
    return page.runs


def test_the_page_runs_only_its_own_script(client: TestClient) -> None:
    assert scripts(client.get("/").text) == []
    assert scripts("<a onclick=x href=javascript:y></a><script>z</script>") != []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_stay_text(client: TestClient, payload: str) -> None:
    fields = {"question": f"{QUESTION} {payload}", "passage": f"{PASSAGE} {payload} {payload}"}
    for request in (fields, fields | {"program": payload}, fields | {"program": "count(find)"}):
        response = client.post("/", data=request)
        assert response.status_code in (200, 422)
        assert scripts(response.text) == []
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]


def test_text_cannot_send_control_codes_to_the_terminal() -> None:
    passage = f"{PASSAGE} \x1b[2J\x1b]0;title\x07 Ada"
    assert "\x1b" not in to_text(Reader(tiny_network()).ask(f"{QUESTION} \x1b[2J", passage))
