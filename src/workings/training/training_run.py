"""The folder of a training run: checkpoints, metrics and the best weights.

A run that is stopped at any moment continues from its last complete checkpoint.
"""

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

# The errors that a damaged checkpoint can raise.
_READ_ERRORS = (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError)


@dataclass
class TrainingProgress:
    """The position of a run.

    Attributes:
        step: Optimiser steps taken.
        next_group: Index of the next group of questions.
        questions: Questions trained on, repetitions included.
        seconds: Time spent training.
        best_f1: The best dev F1 so far; -1 before the first evaluation.
        evaluations_since_best: Evaluations since the best one.
    """

    step: int = 0
    next_group: int = 0
    questions: int = 0
    seconds: float = 0.0
    best_f1: float = -1.0
    evaluations_since_best: int = 0


@dataclass
class TrainingRun:
    """The folder of a run.

    Attributes:
        folder: The folder.
        recipe: The recipe of the run.
        progress: The position of the run.
    """

    folder: Path
    recipe: Recipe
    progress: TrainingProgress = field(default_factory=TrainingProgress)

    @property
    def best(self) -> Path:
        """The model folder of the best weights."""
        return self.folder / "best"

    @property
    def metrics(self) -> Path:
        """The log: one JSON object per line, for losses and dev scores."""
        return self.folder / "metrics.jsonl"

    @property
    def last_checkpoint(self) -> Path | None:
        """The last complete checkpoint, if there is one."""
        folders = (self.folder / name for name in ("checkpoint", "checkpoint.old"))
        return next((path for path in folders if (path / "progress.json").exists()), None)

    def open(self) -> None:
        """Create the folder, or check that it belongs to the same recipe.

        Raises:
            CheckpointError: The folder belongs to another recipe, or its recipe cannot be read.
        """
        path = self.folder / "recipe.json"
        make_folder(self.folder)
        if path.exists():
            # Parsed, not compared as text: an older run lacks the settings added since.
            if _read_recipe(path) != self.recipe:
                raise CheckpointError(
                    f"{self.folder} contains a run of another recipe.",
                    hint="Give another --out folder, or the settings the run was started with.",
                )
            return
        with write_atomically(path) as file:
            file.write(self.recipe.model_dump_json(indent=2).encode())

    def save(self, optimiser: Optimiser) -> None:
        """Write a checkpoint, which replaces the last one only when it is complete.

        Raises:
            CheckpointError: The checkpoint cannot be written.
        """
        new, current = self.folder / "checkpoint.new", self.folder / "checkpoint"
        old = self.folder / "checkpoint.old"
        with self._explain_write_errors():
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(parents=True)
            tensors = {name: t.contiguous() for name, t in optimiser.tensors().items()}
            save_file(tensors | random_state(), new / "state.safetensors")
            (new / "progress.json").write_text(json.dumps(asdict(self.progress)))
            shutil.rmtree(old, ignore_errors=True)
            if current.exists():
                current.rename(old)
            new.rename(current)
            shutil.rmtree(old, ignore_errors=True)

    def resume(self, optimiser: Optimiser) -> bool:
        """Continue from the last complete checkpoint, and drop the metrics of later steps.

        Returns:
            Whether there was a checkpoint.

        Raises:
            CheckpointError: The checkpoint cannot be read.
        """
        checkpoint = self.last_checkpoint
        if checkpoint is not None:
            try:
                tensors = load_file(checkpoint / "state.safetensors")
                optimiser.restore(tensors)
                set_random_state(tensors)
                progress = json.loads((checkpoint / "progress.json").read_text())
                self.progress = TrainingProgress(**progress)
            except _READ_ERRORS as error:
                raise CheckpointError(
                    f"{checkpoint} cannot be read: {error}.",
                    hint="Remove it to start the run again.",
                ) from error
        self._drop_later_metrics()
        return checkpoint is not None

    def log(self, **row: Any) -> None:
        """Append a row to the metrics.

        Raises:
            CheckpointError: The file cannot be written.
        """
        row = {"step": self.progress.step, "seconds": round(self.progress.seconds, 1), **row}
        with self._explain_write_errors(), self.metrics.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    @contextmanager
    def _explain_write_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, SafetensorError) as error:
            raise CheckpointError(
                f"{self.folder} cannot be written: {error}.",
                hint="Free some space and run the command again: it continues from the last "
                "checkpoint.",
            ) from error

    def _drop_later_metrics(self) -> None:
        """Drop the metrics of steps after the checkpoint: those steps are taken again."""
        if not self.metrics.exists():
            return
        # An incomplete line has no line end, and belongs to a step after the checkpoint.
        lines = [line for line in self.metrics.read_text().splitlines(True) if line.endswith("\n")]
        earlier = [line for line in lines if json.loads(line)["step"] <= self.progress.step]
        with write_atomically(self.metrics) as file:
            file.write("".join(earlier).encode())


def random_state() -> dict[str, Tensor]:
    """The state of the random generators of the CPU and, if there is one, of the first GPU."""
    state = {"random": torch.get_rng_state()}
    if torch.cuda.is_available():
        state["random.cuda"] = torch.cuda.get_rng_state()
    return state


def set_random_state(tensors: Mapping[str, Tensor]) -> None:
    """Restore what ``random_state`` gave."""
    torch.set_rng_state(tensors["random"])
    if torch.cuda.is_available() and "random.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["random.cuda"])


def _read_recipe(path: Path) -> Recipe:
    try:
        return Recipe.read(json.loads(path.read_text()))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{path} cannot be read: {error}.", hint="Give another --out folder."
        ) from error
