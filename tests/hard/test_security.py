"""What the library never does, and how little a page lets through."""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from nasty import PAYLOADS

from tiny import PASSAGE, QUESTION, tiny_network
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.batching import Pace

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "src" / "workings").rglob("*.py"))
# Whatever runs what it reads, or hands it to a shell.
MODULES = {"pickle", "marshal", "shelve", "dill", "joblib", "pty", "code", "codeop"}
CALLS = {"eval", "exec", "compile", "__import__", "breakpoint", "input"}
# Processes of one cluster pass lines to each other so, as Ray itself does; no file is read so.
BETWEEN_OURSELVES = {"cluster.py": {"pickle"}}
METHODS = {"os.system", "os.popen", "torch.load", "yaml.load", "np.fromfile", "tempfile.mktemp"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_nothing_read_is_ever_run(path: Path) -> None:
    barred = MODULES - BETWEEN_OURSELVES.get(path.name, set())
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert not {name.name.split(".")[0] for name in node.names} & barred
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in barred
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in CALLS | METHODS, f"line {node.lineno}"
            for word in node.keywords:
                told = (word.arg, getattr(word.value, "value", None))
                assert told not in {("allow_pickle", True), ("trust_remote_code", True)}
                assert told != ("shell", True)


def test_templates_escape() -> None:
    for path in (ROOT / "src" / "workings").rglob("*.html"):
        assert "autoescape false" not in path.read_text("utf-8"), path


def test_the_container_runs_as_a_normal_user() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    user = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert user and user[-1] != "root"
    assert lines.index(f"USER {user[-1]}") < next(
        place for place, line in enumerate(lines) if line.startswith("ENTRYPOINT")
    )


def test_every_dependency_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pinned)


class Page(HTMLParser):
    """What a browser would run of a page: scripts, handlers, and addresses that are no places."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("script", "iframe", "svg", "object", "embed"):
            self.runs += [] if given.get("src", "").startswith("/script.js") else [tag]
        self.runs += [name for name in given if name.startswith("on")]
        addresses = (given.get(name, "") for name in ("href", "src", "action", "formaction"))
        self.runs += [one for one in addresses if one.lower().startswith("javascript:")]


@pytest.fixture(scope="module")
def client() -> TestClient:
    client = TestClient(create_app(Reader(tiny_network()), Pace(timeout=3600)))
    with client:
        yield client


def scripts(html: str) -> list[str]:
    page = Page()
    page.feed(html)
    page.close()
    return page.runs


def test_the_page_itself_runs_its_script_alone(client: TestClient) -> None:
    assert scripts(client.get("/").text) == []
    assert scripts("<a onclick=x href=javascript:y></a><script>z</script>") != []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_stay_text(client: TestClient, payload: str) -> None:
    asked = {"question": f"{QUESTION} {payload}", "passage": f"{PASSAGE} {payload} {payload}"}
    for given in (asked, asked | {"program": payload}, asked | {"program": "count(find)"}):
        told = client.get("/", params=given)
        assert told.status_code in (200, 422)
        assert scripts(told.text) == []
        assert "script-src 'self'" in told.headers["Content-Security-Policy"]


def test_what_is_shown_in_a_terminal_does_not_steer_it() -> None:
    from workings.explain.terminal import to_text

    passage = f"{PASSAGE} \x1b[2J\x1b]0;title\x07 Ada"
    assert "\x1b" not in to_text(Reader(tiny_network()).ask(f"{QUESTION} \x1b[2J", passage))
