"""Work for the fault tests: training, answering, explaining, building data and downloading."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, TypeAlias

import torch
from safetensors import safe_open

from loopback import Server, zipped
from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch import answering
from workings.batch.answering import BatchAnswerer, FileAnswerer
from workings.batch.questions import read_questions
from workings.cli.output import print_explanation
from workings.data.build import build, write_drop
from workings.data.download import download
from workings.files import write_atomically
from workings.reader import Reader
from workings.settings import Recipe
from workings.synthetic import make_synthetic
from workings.training import training_data
from workings.training.trainer import train

_LINES = 24
_EARLIER_PAGE = b"<p>An earlier page</p>"
_RECIPE = {
    "encoder": {"source": "scratch", "layers": 1, "width": 16, "heads": 2, "vocabulary": 300},
    "programmer": {"width": 16, "beam": 1},
    "data": {"synthetic": 2},
    "train": {
        "epochs": 1,
        "questions_per_group": 4,
        "groups_per_step": 1,
        "evaluate_every": 2,
        "checkpoint_minutes": 1e-9,
    },
}


@dataclass(frozen=True)
class Victim:
    """Work that continues where it was stopped.

    Attributes:
        name: Name in messages.
        work: Does the work in a folder, or continues it.
        result: The result of completed work, for comparison.
        check: Checks the files of stopped work; takes its folder and that of completed work.
        seconds: About the processor time of the work.
        file_limit: The largest file, in bytes, on the simulated full disk.
        locked: Whether a second process is refused while the work is done.
    """

    name: str
    work: Callable[[Path], object]
    result: Callable[[Path], object]
    check: Callable[[Path, Path], None]
    seconds: float
    file_limit: int
    locked: bool = False


OpenVictim: TypeAlias = Callable[[Path], AbstractContextManager[Victim]]


@contextmanager
def training(_folder: Path) -> Iterator[Victim]:
    torch.set_num_threads(1)
    dev_passages, training_data._DEV_PASSAGES = training_data._DEV_PASSAGES, 1
    recipe = Recipe.read(_RECIPE)
    try:
        yield Victim(
            "train",
            lambda out: train(recipe, out),
            _training_result,
            _check_checkpoints,
            seconds=3.0,
            file_limit=8_000,
        )
    finally:
        training_data._DEV_PASSAGES = dev_passages


def _training_result(out: Path) -> object:
    """The exact weights, and the metrics without their times."""
    rows = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    metrics = [{name: value for name, value in row.items() if name != "seconds"} for row in rows]
    best = (out / "best/model.safetensors").read_bytes()
    return metrics, best, _tensors(out / "checkpoint/state.safetensors")


def _tensors(path: Path) -> dict[str, bytes]:
    with safe_open(path, "pt") as file:
        return {name: file.get_tensor(name).numpy().tobytes() for name in file.keys()}  # noqa: SIM118


def _check_checkpoints(out: Path, _completed: Path) -> None:
    """All files can be read, except those that are being written."""
    for path in out.rglob("*"):
        if path.parent.name == "checkpoint.new" or path.name.startswith("."):
            continue
        if path.suffix == ".safetensors":
            assert _tensors(path)
        elif path.suffix == ".json":
            json.loads(path.read_text())


@contextmanager
def answers(folder: Path) -> Iterator[Victim]:
    torch.set_num_threads(1)
    questions = folder / "questions.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": n, "question": f"{QUESTION} {n}", "passage": PASSAGE} for n in range(_LINES)
    ]
    lines[5] = {"id": 5}
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
    answerer = BatchAnswerer(Reader(tiny_network()))
    chunk_lines, answering.CHUNK_LINES = answering.CHUNK_LINES, 4

    def work(out: Path) -> None:
        FileAnswerer(answerer).into(out / "answers.jsonl", read_questions(questions))

    try:
        yield Victim(
            "answer",
            work,
            _answers,
            _check_answers,
            seconds=1.5,
            file_limit=1_000,
            locked=True,
        )
    finally:
        answering.CHUNK_LINES = chunk_lines


def _answers(out: Path) -> object:
    """Answers in order, and the rejected lines; confidence depends slightly on the batch."""
    rows = [json.loads(line) for line in (out / "answers.jsonl").read_text().splitlines()]
    rounded = [row | {"confidence": round(row["confidence"], 5)} for row in rows]
    return rounded, (out / "answers.bad.jsonl").read_bytes()


def _check_answers(out: Path, completed: Path) -> None:
    """All complete lines have the right answer."""
    path = out / "answers.jsonl"
    lines = path.read_text().split("\n") if path.exists() else [""]
    expected = {row["line"]: row["answer"] for row in _answers(completed)[0]}  # type: ignore[index]
    for row in map(json.loads, lines[:-1]):  # the last line may be incomplete
        assert row["answer"] == expected[row["line"]]


@contextmanager
def explaining(_folder: Path) -> Iterator[Victim]:
    """Writing a web page over an earlier one."""
    explanation = Reader(tiny_network()).ask(QUESTION, PASSAGE)

    def work(out: Path) -> None:
        page = out / "page.html"
        with write_atomically(page) as file:
            file.write(_EARLIER_PAGE)
        with redirect_stdout(StringIO()):
            print_explanation(explanation, as_json=True, html=page, steps=False)

    yield Victim("ask", work, _file_contents, _check_page, seconds=0.05, file_limit=1_000)


def _check_page(out: Path, completed: Path) -> None:
    """The page is the earlier one or the new one."""
    page = out / "page.html"
    expected = (_EARLIER_PAGE, (completed / "page.html").read_bytes())
    assert not page.exists() or page.read_bytes() in expected


@contextmanager
def building(folder: Path) -> Iterator[Victim]:
    for seed, name in enumerate(("train", "dev", "test")):
        passages = [synthetic.passage for synthetic in make_synthetic(seed, 12)]
        write_drop(folder / "source" / f"{name}.json.gz", passages)
    yield Victim(
        "data build",
        partial(build, folder / "source"),
        _file_contents,
        _check_files,
        seconds=0.4,
        file_limit=1_000,
    )


@contextmanager
def downloading(_folder: Path) -> Iterator[Victim]:
    content = Random(0).randbytes(1_000_000).hex().encode()
    archive = zipped({"drop/dev.json": content, "drop/train.json": content[::-1]})
    with Server(archive) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Victim(
            "data download",
            lambda out: download(out, url=server.url),
            _file_contents,
            _check_files,
            seconds=0.15,
            file_limit=500_000,
        )
        server.shutdown()
        thread.join()


def _file_contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


def _check_files(out: Path, completed: Path) -> None:
    """Files with their final name are complete; incomplete ones have another name."""
    expected = _file_contents(completed)
    for name, content in (_file_contents(out) if out.exists() else {}).items():
        if name.endswith(".part"):
            assert expected[name.removesuffix(".part")].startswith(content)
        elif not name.startswith("."):
            assert content == expected[name], name


VICTIMS: dict[str, OpenVictim] = {
    "train": training,
    "answer": answers,
    "ask": explaining,
    "build": building,
    "download": downloading,
}
