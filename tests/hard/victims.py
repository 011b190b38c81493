"""Who is killed: training, answering, building data and downloading, each small and all alike."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, TypeAlias

import torch
from safetensors import safe_open

from loopback import Server, zipped
from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch import answering
from workings.batch.answering import Answering, BatchAnswerer, read_questions
from workings.data.build import build, write_drop
from workings.data.download import download
from workings.reader import Reader
from workings.settings import Recipe
from workings.synthetic import make_synthetic
from workings.training import sources
from workings.training.trainer import train

_LINES = 24
_RECIPE = {
    "encoder": {"source": "scratch", "layers": 1, "width": 16, "heads": 2, "vocabulary": 300},
    "programmer": {"width": 16, "beam": 1},
    "data": {"synthetic": 2},
    "train": {
        "epochs": 1,
        "questions": 4,
        "groups_per_step": 1,
        "evaluate_every": 2,
        "checkpoint_minutes": 1e-9,
    },
}


@dataclass(frozen=True)
class Victim:
    """Work that goes on where it was stopped, and how to tell that all is well."""

    name: str
    work: Callable[[Path], object]
    result: Callable[[Path], object]
    check: Callable[[Path, Path], None]
    seconds: float  # of its own time that it takes, more or less
    room: int  # bytes a file may have where the disk is full


Open: TypeAlias = Callable[[Path], AbstractContextManager[Victim]]


@contextmanager
def training(_folder: Path) -> Iterator[Victim]:
    torch.set_num_threads(1)
    kept, sources._DEV_PASSAGES = sources._DEV_PASSAGES, 1
    recipe = Recipe.read(_RECIPE)
    try:
        yield Victim(
            "train",
            lambda out: train(recipe, out, None, None, lambda *_: None),
            _trained,
            _checkpoints_are_whole,
            seconds=3.0,
            room=8_000,
        )
    finally:
        sources._DEV_PASSAGES = kept


def _trained(out: Path) -> object:
    """Weights to the last bit, and the curve without the time it took."""
    rows = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    curve = [{name: value for name, value in row.items() if name != "seconds"} for row in rows]
    best = (out / "best/model.safetensors").read_bytes()
    return curve, best, _tensors(out / "checkpoint/state.safetensors")


def _tensors(path: Path) -> dict[str, bytes]:
    with safe_open(path, "pt") as file:
        return {name: file.get_tensor(name).numpy().tobytes() for name in file.keys()}  # noqa: SIM118


def _checkpoints_are_whole(out: Path, _whole: Path) -> None:
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
    asked = folder / "asked.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": n, "question": f"{QUESTION} {n}", "passage": PASSAGE} for n in range(_LINES)
    ]
    lines[5] = {"id": 5}
    asked.write_text("".join(json.dumps(line) + "\n" for line in lines))
    clerk = BatchAnswerer(Reader(tiny_network()))
    kept, answering.CHUNK = answering.CHUNK, 4

    def work(out: Path) -> None:
        Answering(clerk).into(out / "answers.jsonl", read_questions(asked))

    try:
        yield Victim("answer", work, _answered, _answers_are_known, seconds=1.5, room=1_000)
    finally:
        answering.CHUNK = kept


def _answered(out: Path) -> object:
    """Answers in order; how sure may differ in the last bits with who shared a batch."""
    rows = [json.loads(line) for line in (out / "answers.jsonl").read_text().splitlines()]
    found = [row | {"confidence": round(row["confidence"], 5)} for row in rows]
    return found, (out / "answers.bad.jsonl").read_bytes()


def _answers_are_known(out: Path, whole: Path) -> None:
    path = out / "answers.jsonl"
    lines = path.read_text().split("\n") if path.exists() else [""]
    known = {row["line"]: row["answer"] for row in _answered(whole)[0]}  # type: ignore[index]
    for row in map(json.loads, lines[:-1]):  # the last one may be cut short
        assert row["answer"] == known[row["line"]]


@contextmanager
def building(folder: Path) -> Iterator[Victim]:
    for seed, name in enumerate(("train", "dev", "test")):
        made = [one.passage for one in make_synthetic(seed, 12)]
        write_drop(folder / "source" / f"{name}.json.gz", made)
    yield Victim(
        "data build", partial(build, folder / "source"), _bytes, _files_are_whole, 0.4, 1_000
    )


@contextmanager
def downloading(_folder: Path) -> Iterator[Victim]:
    drawn = Random(0).randbytes(1_000_000).hex().encode()
    archive = zipped({"drop/dev.json": drawn, "drop/train.json": drawn[::-1]})
    with Server(archive) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Victim(
            "data download",
            lambda out: download(out, url=server.url),
            _bytes,
            _files_are_whole,
            0.15,
            500_000,
        )
        server.shutdown()
        thread.join()


def _bytes(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


def _files_are_whole(out: Path, whole: Path) -> None:
    """What has its name is all there; what is under way has another."""
    known = _bytes(whole)
    for name, content in (_bytes(out) if out.exists() else {}).items():
        if name.endswith(".part"):
            assert known[name.removesuffix(".part")].startswith(content)
        elif not name.startswith("."):
            assert content == known[name], name


VICTIMS: dict[str, Open] = {
    "train": training,
    "answer": answers,
    "build": building,
    "download": downloading,
}
