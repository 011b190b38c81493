"""Eight bits beside the full weights, and how many lines a second some workers answer."""

import importlib.util
import sys
import tempfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import partial
from time import perf_counter

from measure import Row, ratio, show
from texts import DROP_WORDS, network, passages

from workings.batch.answering import Asked, Chunk, from_model
from workings.batch.ray_backend import RayEngine
from workings.checkpoint.model_folder import save
from workings.encoder.quantize import quantize
from workings.network.network import Network
from workings.reader import Reader


def fast(net: Network, words: int = DROP_WORDS, rounds: int = 5) -> Iterator[Row]:
    """Answering in both ways, in turn."""
    quick = deepcopy(net)
    quantize(quick.encoder.layers)
    (made,) = passages(1, words)
    asked = [(question.text, made.passage.text) for question in made.passage.questions]
    full, rounded = Reader(net), Reader(quick)
    found = ratio(lambda: rounded.ask_many(asked), lambda: full.ask_many(asked), rounds)
    yield Row("ten questions in eight bits / in full", str(found))


def cluster(net: Network, workers: Sequence[int] = (1, 2), chunks: int = 8) -> Iterator[Row]:
    """Lines a second once every worker is there, by number of workers."""
    if importlib.util.find_spec("ray") is None:
        yield Row("lines a second by workers", "needs the extra ray")
        return
    with tempfile.TemporaryDirectory() as folder:
        clerk = partial(from_model, save(net, folder), whole=False, threshold=0.0, fast=False)
        for count in workers:
            speed = _speed(RayEngine(clerk, count), list(_chunks(chunks * count)), count)
            yield Row(f"lines a second, workers: {count}", f"{speed:.1f}")


def _speed(engine: RayEngine, chunks: Sequence[Chunk], workers: int) -> float:
    times = [perf_counter() for _ in engine.answer(chunks)]
    # The first chunk of each worker waits until the worker has started.
    lines = sum(len(chunk) for chunk in chunks[workers:])
    return lines / (times[-1] - times[workers - 1])


def _chunks(count: int) -> Iterator[Chunk]:
    for made in passages(count):
        text = made.passage.text
        yield [Asked(0, None, question.text, text) for question in made.passage.questions]


def main() -> None:
    net = network()
    sys.exit(not show([*fast(net), *cluster(net)]))


if __name__ == "__main__":
    main()
