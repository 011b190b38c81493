"""Tests of README and docs: commands and Python blocks run, and the site builds."""

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
from new_modules import PERIMETER, TRIANGLE
from typer.main import get_command
from typer.testing import CliRunner

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.modules import REGISTRY

ROOT = Path(__file__).parents[1]
# `commands.md` is generated from the commands; tests/test_cli.py checks it.
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {ROOT / "docs/commands.md"})]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:[^'\n]|'[^']*')*)", re.MULTILINE)  # quoted text may span lines
INLINE = re.compile(r"`(workings [a-z][^`]*)`")

# Commands whose arguments are checked, but which are not run; and why.
PARSED_ONLY = {
    "serve": "does not end",
    "train": "takes hours",
    "calibrate": "needs a trained model and DROP",
    "evaluate": "needs a trained model and DROP",
    "analyse": "needs DROP",
    "reproduce": "takes days",
    "tables": "needs the results of reproduce",
    "data download": "needs a network connection",
}
# Other programs that are not run; and why.
NOT_RUN = {
    "curl": "tests/serve/test_api.py sends the same requests",
    "docker": "needs Docker",
    "git": "needs a network connection",
}


def blocks(page: Path, language: str) -> list[str]:
    all_blocks = BLOCK.findall(page.read_text("utf-8"))
    return [text for name, text in all_blocks if name == language]


COMMANDS = [
    pytest.param(command, id=f"{page.stem}: {command[:40]}")
    for page in PAGES
    for block in blocks(page, "console")
    for command in COMMAND.findall(block)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with all files that the docs mention."""
    folder = tmp_path_factory.mktemp("docs")
    for name in ("game.txt", "questions.jsonl"):
        shutil.copy(ROOT / "examples" / name, folder)
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "questions.csv").write_text(f'question,passage\n{QUESTION},"{PASSAGE}"\n', "utf-8")
    question = {"query_id": "1", "question": QUESTION, "answer": {"number": "23"}}
    dataset = {"game": {"passage": PASSAGE, "qa_pairs": [question]}}
    for name in ("drop", "data"):
        (folder / name).mkdir()
        packed = gzip.compress(json.dumps(dataset).encode())
        (folder / name / "dev.json.gz").write_bytes(packed)
    (folder / "more").mkdir()
    (folder / "more" / "perimeter.py").write_text(PERIMETER, "utf-8")
    (folder / "more" / "triangle.py").write_text(TRIANGLE, "utf-8")
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, folder: Path, model: Path) -> Iterator[None]:
    """Run in that folder, with a tiny shipped model; restore the modules afterwards."""
    monkeypatch.setattr("workings.checkpoint.model_folder.shipped_model", lambda: model)
    monkeypatch.chdir(folder)
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that the words name, and the words that follow."""
    command: Any = get_command(app)
    names: list[str] = []
    while words and words[0] in getattr(command, "commands", ()):
        names.append(words[0])
        command, words = command.commands[words[0]], words[1:]
    assert names, f"no command {words[0]}"
    command.name = " ".join(names)
    return command, words


def run(words: list[str], stdin: str | None) -> None:
    command, rest = find_command(words)
    command.make_context(command.name, list(rest))  # fails on arguments that do not exist
    uses_ray = any(
        word.startswith("ray") for word in rest
    )  # tests/batch/test_ray_backend.py runs it
    if command.name not in PARSED_ONLY and not uses_ray:
        result = CliRunner().invoke(app, words, input=stdin)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str) -> None:
    pipeline, _, file = command.partition(" < ")
    source, _, last = pipeline.rpartition(" | ")
    words = shlex.split(last, comments=True)
    first = words[0]
    if first == "workings":
        stdin = Path(file).read_text("utf-8") if file else None
        run(words[1:], shlex.split(source)[-1] if source else stdin)
    elif first == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    elif first == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        for extras in re.findall(r"\[(.*?)\]", command):
            assert set(extras.split(",")) <= set(project["optional-dependencies"])
    elif first == "accelerate":
        run(words[words.index("workings") + 1 :], None)
    else:
        assert first in NOT_RUN


MENTIONED = sorted({text for page in PAGES for text in INLINE.findall(page.read_text("utf-8"))})


@pytest.mark.parametrize("mentioned", MENTIONED)
def test_mentioned_command_exists(mentioned: str) -> None:
    """A command in running text may lack arguments, but it and its options must exist."""
    command, words = find_command(shlex.split(mentioned)[1:])
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def run_python(page: Path) -> dict[str, Any]:
    """Run the Python blocks of a page in order; return the names they define."""
    names: dict[str, Any] = {"passage": PASSAGE, "question": QUESTION}
    names["path"] = Path("data/dev.json.gz")
    for text in blocks(page, "python"):
        exec(text, names)
    return names


PYTHON_PAGES = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.stem)
def test_python_blocks_run(page: Path) -> None:
    run_python(page)


def test_add_a_module_page() -> None:
    names = run_python(ROOT / "docs" / "add-a-module.md")
    assert names["field"].steps[-1].sentence == "The length of the four sides of a rectangle."
    assert names["sail"].steps[-1].sentence == "The area of a triangle with a base and a height."
    assert names["expected"] == pytest.approx({16: 0.18, 20: 0.74, 24: 0.08})
    assert names["weights"] == pytest.approx(names["expected"], abs=1e-6)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; any warning fails."""
    for package in ("material", "mkdocstrings", "mkdocstrings_handlers.python"):
        if importlib.util.find_spec(package.partition(".")[0]) is None:
            pytest.skip("needs mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder


def test_site_loads_nothing_from_other_hosts(site: Path) -> None:
    for page in site.glob("*.html"):
        tags = re.findall(r"<(?:script|link|img|iframe|source)[^>]*>", page.read_text("utf-8"))
        assert not [tag for tag in tags if re.search(r'(?:src|href)="?(?:https?:)?//', tag)]


def test_site_has_the_api(site: Path) -> None:
    text = (site / "api.html").read_text("utf-8")
    for name in ("Reader.ask", "PassageReader.run", "Explanation.to_json", "load_folder"):
        assert re.search(rf'id="workings[\w.]*\.{re.escape(name)}"', text), name


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("nav:")[2]
    listed = set(re.findall(r"([\w-]+\.md)$", menu, re.MULTILINE))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert pages == listed, "list every page in the nav of mkdocs.yml"


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert picture.stat().st_size <= 200_000, picture
