"""Every command and every piece of Python in README and docs works; the site builds."""

import gzip
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_new_module import MULTIPLY
from typer.main import get_command
from typer.testing import CliRunner

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.modules import REGISTRY

ROOT = Path(__file__).parents[1]
# `commands.md` is written from the commands themselves, and held to them by another test.
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {ROOT / "docs/commands.md"})]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:[^'\n]|'[^']*')*)", re.MULTILINE)  # quotes may hold several lines
INLINE = re.compile(r"`(workings [a-z][^`]*)`")

# Why a command is only held to what it takes, and not run.
PARSED = {
    "serve": "never ends",
    "train": "takes hours",
    "calibrate": "wants a trained model and DROP",
    "evaluate": "wants a trained model and DROP",
    "analyse": "wants DROP",
    "reproduce": "takes days",
    "tables": "wants what reproduce makes",
    "data download": "wants a network",
}
# Why a command of others is not run, where it is not looked into below.
OTHERS = {"curl": "tests/serve/test_api.py sends it", "docker": "wants Docker"}


def blocks(page: Path, language: str) -> list[str]:
    found = BLOCK.findall(page.read_text("utf-8"))
    return [text for written, text in found if written == language]


COMMANDS = [
    pytest.param(command, id=f"{page.stem}: {command[:40]}")
    for page in PAGES
    for block in blocks(page, "console")
    for command in COMMAND.findall(block)
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which there is all that the docs speak of."""
    home = tmp_path_factory.mktemp("docs")
    for name in ("game.txt", "questions.jsonl"):
        shutil.copy(ROOT / "examples" / name, home)
    shutil.copytree(ROOT / "examples", home / "examples")
    (home / "questions.csv").write_text(f'question,passage\n{QUESTION},"{PASSAGE}"\n', "utf-8")
    asked = {"query_id": "1", "question": QUESTION, "answer": {"number": "23"}}
    dataset = {"game": {"passage": PASSAGE, "qa_pairs": [asked]}}
    for folder in ("drop", "data"):
        (home / folder).mkdir()
        packed = gzip.compress(json.dumps(dataset).encode())
        (home / folder / "dev.json.gz").write_bytes(packed)
    (home / "more").mkdir()
    (home / "more" / "multiply.py").write_text(MULTIPLY, "utf-8")
    return home


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, home: Path, model: Path) -> Iterator[None]:
    """There, with a tiny network for the shipped one, and the modules put back afterwards."""
    monkeypatch.setattr("workings.reader.shipped_model", lambda: model)
    monkeypatch.chdir(home)
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def find(words: list[str]) -> tuple[Any, list[str]]:
    """The command that is meant, and the words left for it."""
    command, names = get_command(app), []
    while words and words[0] in getattr(command, "commands", ()):
        names.append(words[0])
        command, words = command.commands[words[0]], words[1:]
    assert names, f"no command {words[0]}"
    command.name = " ".join(names)
    return command, words


def run(words: list[str], typed: str | None) -> None:
    command, rest = find(words)
    command.make_context(command.name, list(rest))  # fails on what the command does not take
    if any(word.startswith("ray") for word in rest):
        pytest.importorskip("ray", reason="the extra ray is not installed")
    if command.name not in PARSED:
        done = CliRunner().invoke(app, words, input=typed)
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str) -> None:
    typed, _, file = command.partition(" < ")
    source, _, piped = typed.rpartition(" | ")
    words = shlex.split(piped, comments=True)
    first = words[0]
    if first == "workings":
        given = Path(file).read_text("utf-8") if file else None
        run(words[1:], shlex.split(source)[-1] if source else given)
    elif first == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    elif first == "pip":
        known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        extras = re.search(r"\[(.*)\]", command)
        assert extras and set(extras[1].split(",")) <= set(known["optional-dependencies"])
    elif first == "accelerate":
        run(words[words.index("workings") + 1 :], None)
    else:
        assert first in OTHERS


SPOKEN = sorted({text for page in PAGES for text in INLINE.findall(page.read_text("utf-8"))})


@pytest.mark.parametrize("spoken", SPOKEN)
def test_a_command_in_passing(spoken: str) -> None:
    """Its words may be left out, but it and its options must be there."""
    command, words = find(shlex.split(spoken)[1:])
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def folded(page: Path) -> dict[str, Any]:
    """The names that the page's Python leaves behind."""
    names: dict[str, Any] = {"passage": PASSAGE, "question": QUESTION}
    names["path"] = Path("data/dev.json.gz")
    for text in blocks(page, "python"):
        exec(text, names)
    return names


PYTHON = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.stem)
def test_python(page: Path) -> None:
    folded(page)


def test_adding_a_module_is_told_as_it_is() -> None:
    page = ROOT / "docs" / "add-a-module.md"
    assert blocks(page, "python")[0].strip() == MULTIPLY.strip()
    names = folded(page)
    assert names["found"].steps[-1].sentence == "The product of two numbers."
    assert names["expected"] == pytest.approx({16: 0.18, 24: 0.74, 36: 0.08})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built so that any warning is a fault."""
    for package in ("material", "mkdocstrings", "mkdocstrings_handlers.python"):
        if importlib.util.find_spec(package.partition(".")[0]) is None:
            pytest.skip("needs the extra [docs]")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        tags = re.findall(r"<(?:script|link|img|iframe|source)[^>]*>", page.read_text("utf-8"))
        assert not [tag for tag in tags if re.search(r'(?:src|href)="?(?:https?:)?//', tag)]


def test_the_site_has_the_api(site: Path) -> None:
    text = (site / "api.html").read_text("utf-8")
    for name in ("Reader.ask", "PassageReader.run", "Explanation.to_json", "load_folder"):
        assert re.search(rf'id="workings[\w.]*\.{re.escape(name)}"', text), name


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("nav:")[2]
    listed = set(re.findall(r"([\w-]+\.md)$", menu, re.MULTILINE))
    there = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert there == listed, "list it in the nav of mkdocs.yml"


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert picture.stat().st_size <= 200_000, picture
