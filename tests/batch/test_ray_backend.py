"""Tests of the Ray backend: the same answers as in one process, even if a worker is killed."""

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
    BatchAnswerer,
    Chunk,
    ChunkResult,
    Counts,
    FileAnswerer,
)
from workings.batch.earlier_answers import rejects_path
from workings.batch.questions import read_jsonl
from workings.batch.ray_backend import RayBackend, _start
from workings.checkpoint.model_folder import save
from workings.cli import app
from workings.errors import InputError

# Ray raises warnings of its own.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tiny_network(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Twelve chunks of three lines, of which the last two cannot be answered."""
    monkeypatch.setattr(answering, "CHUNK_LINES", 3)
    records = [{"id": n, "question": QUESTION, "passage": f"{n}. {PASSAGE}"} for n in range(34)]
    return [*(json.dumps(record) + "\n" for record in records), "[1]\n", '{"id": "\udcff"}\n']


@pytest.fixture(scope="module")
def ray() -> Any:
    """A local Ray instance with two workers, which inherit this interpreter's path."""
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    options = {"object_store_memory": 256 << 20, "include_dashboard": False, "log_to_driver": False}
    ray.init(address="local", num_cpus=2, **options)
    yield ray
    ray.shutdown()


def answer(out: Path, backend: Backend, lines: list[str]) -> tuple[str, str, Counts]:
    counts = FileAnswerer(backend).into(out, read_jsonl(lines))
    return out.read_text("utf-8"), rejects_path(out).read_text("utf-8"), counts


def worker_processes() -> list[int]:
    """The processes of the pool: children of a child of this process."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if b"MapWorker" in (entry / "cmdline").read_bytes() and _is_grandchild(entry):
                processes.append(int(entry.name))
        except OSError:  # the process has ended
            continue
    return processes


def _is_grandchild(entry: Path) -> bool:
    return _parent(Path("/proc") / str(_parent(entry))) == os.getpid()


def _parent(entry: Path) -> int:
    return int((entry / "stat").read_text().rpartition(")")[2].split()[1])


class KillingBackend:
    """A backend that kills one of its workers after the first chunk."""

    def __init__(self, backend: Backend) -> None:
        self.backend, self.killed = backend, 0

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        for result in self.backend.answer(chunks):
            if not self.killed:
                self.killed = worker_processes()[0]
                os.kill(self.killed, signal.SIGKILL)
            yield result


@pytest.mark.usefixtures("ray")
def test_answers_as_one_process_though_a_worker_is_killed(
    model: Path, lines: list[str], tmp_path: Path
) -> None:
    make_answerer = partial(BatchAnswerer.from_model, model)
    local = answer(tmp_path / "local.jsonl", make_answerer(), lines)
    killing = KillingBackend(RayBackend(make_answerer, 2))
    out = tmp_path / "ray.jsonl"
    assert answer(out, killing, lines) == local
    assert local[2] == Counts(34, 0, 2) and killing.killed
    complete = out.read_bytes()
    out.write_bytes(complete[: len(complete) // 2])
    resumed = answer(out, RayBackend(make_answerer, 2), lines)
    # The resumed run has other batches, which changes the last digits of confidences.
    assert rounded(resumed[0]) == rounded(local[0])
    assert resumed[1] == local[1]
    assert resumed[2].kept > 10


def rounded(answers: str) -> list[dict[str, Any]]:
    records = [json.loads(line) for line in answers.splitlines()]
    return [record | {"confidence": f"{record['confidence']:.3e}"} for record in records]


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["answer", *map(str, arguments)])


@pytest.mark.usefixtures("ray")
def test_command(model: Path, lines: list[str], tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.write_text("".join(lines[:4]))
    result = run(source, "--model", model, "--backend", "ray:2", "--threshold", "1")
    assert result.exit_code == 0, result.stderr
    assert [json.loads(text)["answer"] for text in result.stdout.splitlines()] == [[]] * 4
    assert result.stderr == "4 answered\n"


def test_rejects_unknown_backend(model: Path, tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.touch()
    for backend in ("cloud", "ray:", "ray:0", "ray:few", "local:2"):
        result = run(source, "--model", model, "--backend", backend)
        assert result.exit_code == 2 and "ray" in result.stderr, backend


def test_rejects_bad_model_folder_before_workers_start(tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.touch()
    result = run(source, "--model", tmp_path, "--backend", "ray")
    assert result.exit_code == 1 and "model folder" in result.stderr


def test_error_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="needs the package ray") as caught:
        next(RayBackend(lambda: pytest.fail("not needed")).answer([[]]))
    assert "workings[ray]" in caught.value.hint


class UnreachableRay:
    """A stand-in for a Ray that cannot be started."""

    def init(self, **options: Any) -> None:
        self.options = options
        raise ConnectionError("connection refused")


@pytest.mark.parametrize(("address", "hint"), [("10.0.0.1:6379", "ray start"), ("", "less busy")])
def test_error_if_ray_cannot_be_started(
    monkeypatch: pytest.MonkeyPatch, address: str, hint: str
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    ray = UnreachableRay()
    with pytest.raises(InputError, match="connection refused") as caught:
        _start(ray, 3)
    assert hint in caught.value.hint
    assert ray.options["address"] == (address or "local")
    assert ray.options.get("num_cpus") == (None if address else 3)
