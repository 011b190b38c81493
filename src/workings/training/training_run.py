"""A run on disk: killed at any moment, it goes on from its last checkpoint."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from workings.errors import CheckpointError
from workings.files import make_folder, write_atomically
from workings.settings import Recipe
from workings.training.optimiser import Optimiser

# All that can be wrong with a checkpoint's files.
_UNREADABLE = (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError)


@dataclass
class TrainingProgress:
    """How far a run has come."""

    step: int = 0
    group: int = 0  # the next group of questions to read
    questions: int = 0
    seconds: float = 0.0
    best: float = -1.0
    waited: int = 0  # dev scores since the best


@dataclass
class TrainingRun:
    """The folder of a run: checkpoints, metrics, and the best weights so far."""

    folder: Path
    recipe: Recipe
    progress: TrainingProgress = field(default_factory=TrainingProgress)

    @property
    def best(self) -> Path:
        return self.folder / "best"

    @property
    def kept(self) -> Path | None:
        """The last whole checkpoint, if there is one."""
        folders = (self.folder / name for name in ("checkpoint", "checkpoint.old"))
        return next((each for each in folders if (each / "progress.json").exists()), None)

    def open(self) -> None:
        """Make the folder, or check that it belongs to the same recipe."""
        kept = self.folder / "recipe.json"
        make_folder(self.folder)
        if kept.exists():
            # Read, not compared as text: a run may be older than some setting.
            if _recipe(kept) != self.recipe:
                raise CheckpointError(
                    f"{self.folder} holds a run of another recipe.",
                    hint="Name another --out folder, or give the settings it was begun with.",
                )
            return
        with write_atomically(kept) as file:
            file.write(self.recipe.model_dump_json(indent=2).encode())

    def save(self, optimiser: Optimiser) -> None:
        """Write a checkpoint beside the last one, and only then let it take its place."""
        aside, kept = self.folder / "checkpoint.new", self.folder / "checkpoint"
        with self._writing():
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            tensors = {name: t.contiguous() for name, t in optimiser.tensors().items()}
            tensors |= random_state()
            save_file(tensors, aside / "state.safetensors")
            (aside / "progress.json").write_text(json.dumps(asdict(self.progress)))
            shutil.rmtree(self.folder / "checkpoint.old", ignore_errors=True)
            if kept.exists():
                kept.rename(self.folder / "checkpoint.old")
            aside.rename(kept)
            shutil.rmtree(self.folder / "checkpoint.old", ignore_errors=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, SafetensorError) as error:
            raise CheckpointError(
                f"{self.folder} cannot be written to: {error}.",
                hint="Free some space, then run this again: it goes on from the last checkpoint.",
            ) from error

    def resume(self, optimiser: Optimiser) -> bool:
        """Go on from the last whole checkpoint, if there is one."""
        folder = self.kept
        if folder is not None:
            try:
                tensors = load_file(folder / "state.safetensors")
                optimiser.restore(tensors)
                set_random_state(tensors)
                self.progress = TrainingProgress(
                    **json.loads((folder / "progress.json").read_text())
                )
            except _UNREADABLE as error:
                raise CheckpointError(
                    f"{folder} cannot be read: {error}.", hint="Remove it to begin anew."
                ) from error
        self._forget_later()
        return folder is not None

    def log(self, **row: Any) -> None:
        """Add a line to metrics.jsonl."""
        row = {"step": self.progress.step, "seconds": round(self.progress.seconds, 1), **row}
        path = self.folder / "metrics.jsonl"
        with self._writing(), path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def _forget_later(self) -> None:
        """Drop metrics of steps that will be taken again."""
        path = self.folder / "metrics.jsonl"
        if not path.exists():
            return
        # A line that was cut short has no end, and is of a step after the checkpoint.
        lines = [line for line in path.read_text().splitlines(True) if line.endswith("\n")]
        kept = [line for line in lines if json.loads(line)["step"] <= self.progress.step]
        with write_atomically(path) as file:
            file.write("".join(kept).encode())


def random_state() -> dict[str, Tensor]:
    """Where the draws of the CPU and of the first GPU, if there is one, have come to."""
    found = {"random": torch.get_rng_state()}
    if torch.cuda.is_available():
        found["random.cuda"] = torch.cuda.get_rng_state()
    return found


def set_random_state(tensors: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(tensors["random"])
    if torch.cuda.is_available() and "random.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["random.cuda"])


def _recipe(path: Path) -> Recipe:
    """The recipe a run was begun with."""
    try:
        return Recipe.read(json.loads(path.read_text()))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{path} cannot be read: {error}.", hint="Name another --out folder."
        ) from error
