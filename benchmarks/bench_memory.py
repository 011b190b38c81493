"""How much memory training takes: a process of its own trains, and its peak is read."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Row
from texts import DROP_WORDS, groups, network, passages

from workings.training.processes import Processes
from workings.training.sources import Sources
from workings.training.trainer import Trainer
from workings.training.training_run import TrainingRun

GIGABYTE = 1e9
LIMIT = 6


@dataclass(frozen=True)
class Size:
    """How much is held in memory and for how long is trained, with a long passage in each step."""

    passages: int = 1000
    steps: int = 3
    words: int = DROP_WORDS
    longest: int = 800


def rows(size: Size) -> Iterator[Row]:
    sizes = map(str, (size.passages, size.steps, size.words, size.longest))
    done = subprocess.run([sys.executable, __file__, *sizes], check=True, capture_output=True)
    peak = int(done.stdout) / GIGABYTE
    yield Row("memory while training, GB", f"{peak:.2f}", f"≤ {LIMIT}", peak <= LIMIT)


def train(size: Size) -> None:
    """Some steps of the recipe of the shipped model, with a dev score and a checkpoint."""
    net = network()
    usual = list(groups(net.tokenizer, size.passages, size.words))
    long = list(groups(net.tokenizer, size.steps, size.longest))
    trained = [*long, *usual][: size.steps * net.recipe.train.accumulate]
    settings = net.recipe.train.model_copy(update={"epochs": 1.0, "cache_gb": 0.0})
    recipe = net.recipe.model_copy(update={"train": settings})
    with TemporaryDirectory() as folder:
        run = TrainingRun(Path(folder), recipe)
        run.open()
        dev = [made.passage for made in passages(1, size.words)]
        net.encoder.bf16 = settings.precision == "bf16"
        Trainer(net, run, Sources(trained, dev), Processes(), lambda *_: None).go()


if __name__ == "__main__":
    train(Size(*map(int, sys.argv[1:])))
    sys.stdout.write(str(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
