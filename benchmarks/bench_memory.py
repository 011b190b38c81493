"""Peak memory of training, measured in a process of its own."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BenchmarkRow
from texts import DROP_WORDS, example_groups, load_network, passages

from workings.progress import no_progress
from workings.training.processes import Processes
from workings.training.trainer import Trainer
from workings.training.training_data import TrainingData
from workings.training.training_run import TrainingRun

BYTES_PER_GB = 1e9
LIMIT_GB = 6


@dataclass(frozen=True)
class Size:
    """The size of the training.

    Attributes:
        passages: Passages in memory.
        steps: Optimiser steps, each with one long passage.
        words: Words of a passage.
        long_words: Words of a long passage.
    """

    passages: int = 1000
    steps: int = 3
    words: int = DROP_WORDS
    long_words: int = 800


def rows(size: Size) -> Iterator[BenchmarkRow]:
    """Train in another process and report its peak memory."""
    sizes = map(str, (size.passages, size.steps, size.words, size.long_words))
    done = subprocess.run([sys.executable, __file__, *sizes], check=True, capture_output=True)
    peak = int(done.stdout) / BYTES_PER_GB
    yield BenchmarkRow(
        "memory while training, GB", f"{peak:.2f}", f"≤ {LIMIT_GB}", peak <= LIMIT_GB
    )


def train(size: Size) -> None:
    """Train by the recipe of the shipped model, with one evaluation."""
    network = load_network()
    usual = list(example_groups(network.tokenizer, size.passages, size.words))
    long = list(example_groups(network.tokenizer, size.steps, size.long_words))
    groups = [*long, *usual][: size.steps * network.recipe.train.groups_per_step]
    settings = network.recipe.train.model_copy(update={"epochs": 1.0, "cache_gb": 0.0})
    recipe = network.recipe.model_copy(update={"train": settings})
    with TemporaryDirectory() as folder:
        run = TrainingRun(Path(folder), recipe)
        run.open()
        dev = [synthetic.passage for synthetic in passages(1, size.words)]
        network.encoder.set_precision(settings.precision)
        Trainer(network, run, TrainingData(groups, {"dev": dev}), Processes(), no_progress).train()


if __name__ == "__main__":
    train(Size(*map(int, sys.argv[1:])))
    sys.stdout.write(str(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
