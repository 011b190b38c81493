"""Many processes give what one gives, though one is killed, and go on where they stopped."""

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch import answering
from workings.batch.answering import (
    Backend,
    Chunk,
    ChunkResult,
    Counts,
    FileAnswerer,
    from_model,
    read_jsonl,
    rejects_path,
)
from workings.batch.ray_backend import RayBackend, _start
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.errors import InputError

# Ray's own warnings are not this project's to mend.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Twelve chunks of three; among them one line that is no question and one that is no text."""
    monkeypatch.setattr(answering, "CHUNK", 3)
    asked = [{"id": n, "question": QUESTION, "passage": f"{n}. {PASSAGE}"} for n in range(34)]
    return [*(json.dumps(one) + "\n" for one in asked), "[1]\n", '{"id": "\udcff"}\n']


@pytest.fixture(scope="module")
def ray() -> Any:
    """Two workers that may use this interpreter's path."""
    found = pytest.importorskip("ray", reason="the extra ray is not installed")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    alone = {"object_store_memory": 256 << 20, "include_dashboard": False, "log_to_driver": False}
    found.init(address="local", num_cpus=2, **alone)
    yield found
    found.shutdown()


def written(out: Path, engine: Backend, lines: list[str]) -> tuple[str, str, Counts]:
    tally = FileAnswerer(engine).into(out, read_jsonl(lines))
    return out.read_text("utf-8"), rejects_path(out).read_text("utf-8"), tally


def workers_of_ray() -> list[int]:
    """The processes of the pool: children of a child of this process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if b"MapWorker" in (entry / "cmdline").read_bytes() and _grandchild(entry):
                found.append(int(entry.name))
        except OSError:  # it has ended
            continue
    return found


def _grandchild(entry: Path) -> bool:
    return _parent(Path("/proc") / str(_parent(entry))) == os.getpid()


def _parent(entry: Path) -> int:
    return int((entry / "stat").read_text().rpartition(")")[2].split()[1])


class Killing:
    """An engine one of whose workers is killed when the first chunk is done."""

    def __init__(self, engine: Backend) -> None:
        self.engine, self.killed = engine, 0

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        for done in self.engine.answer(chunks):
            if not self.killed:
                self.killed = workers_of_ray()[0]
                os.kill(self.killed, signal.SIGKILL)
            yield done


@pytest.mark.usefixtures("ray")
def test_two_workers_one_killed_answer_as_one_process(
    model: Path, lines: list[str], tmp_path: Path
) -> None:
    clerk = partial(from_model, model, whole=False, threshold=0.0, fast=False)
    alone = written(tmp_path / "alone.jsonl", clerk(), lines)
    killing = Killing(RayBackend(clerk, 2))
    out = tmp_path / "together.jsonl"
    assert written(out, killing, lines) == alone
    assert alone[2] == Counts(34, 0, 2) and killing.killed
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    resumed = written(out, RayBackend(clerk, 2), lines)
    # Resumed, other lines share a batch, which moves the last bits of a confidence.
    assert rounded(resumed[0]) == rounded(alone[0])
    assert resumed[1] == alone[1]
    assert resumed[2].kept > 10


def rounded(answers: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in answers.splitlines()]
    return [one | {"confidence": f"{one['confidence']:.3e}"} for one in found]


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["answer", *map(str, arguments)])


@pytest.mark.usefixtures("ray")
def test_the_command(model: Path, lines: list[str], tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.write_text("".join(lines[:4]))
    done = run(source, "--model", model, "--engine", "ray:2", "--threshold", "1")
    assert done.exit_code == 0, done.stderr
    assert [json.loads(text)["answer"] for text in done.stdout.splitlines()] == [[]] * 4
    assert done.stderr == "4 answered\n"


def test_an_unknown_engine(model: Path, tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.touch()
    for engine in ("cloud", "ray:", "ray:0", "ray:few", "here:2"):
        done = run(source, "--model", model, "--engine", engine)
        assert done.exit_code == 2 and "ray" in done.stderr, engine


def test_no_model_is_told_before_workers_start(tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.touch()
    done = run(source, "--model", tmp_path, "--engine", "ray")
    assert done.exit_code == 1 and "model folder" in done.stderr


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="needs the package ray") as caught:
        next(RayBackend(lambda: pytest.fail("not needed")).answer([[]]))
    assert "workings[ray]" in caught.value.hint


class Deaf:
    """A Ray that does not start."""

    def init(self, **given: Any) -> None:
        self.given = given
        raise ConnectionError("nobody there")


@pytest.mark.parametrize(("address", "hint"), [("10.0.0.1:6379", "ray start"), ("", "less busy")])
def test_a_ray_that_does_not_start(
    monkeypatch: pytest.MonkeyPatch, address: str, hint: str
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    ray = Deaf()
    with pytest.raises(InputError, match="nobody there") as caught:
        _start(ray, 3)
    assert hint in caught.value.hint
    assert ray.given["address"] == (address or "local")
    assert ray.given.get("num_cpus") == (None if address else 3)
