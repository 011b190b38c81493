"""The same reader on many machines: chunks of lines go to a pool of Ray's workers and come back."""

import logging
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from workings.batch.answering import BatchAnswerer, Chunk, ChunkResult
from workings.errors import InputError

# A Ray of this machine alone needs little shared memory: texts are small.
_STORE_BYTES = 256 << 20
# Chunks handed to Ray at once: all are held in memory, and for each lot the workers start anew.
_LOT = 1024


@dataclass(frozen=True)
class RayBackend:
    """Answers on the cluster that RAY_ADDRESS names, else with workers on this machine.

    ``clerk`` is called once in every worker. One that dies is started again, with its chunk.
    """

    clerk: Callable[[], BatchAnswerer]
    workers: int | None = None  # as many as the cluster has processors

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        rest = iter(chunks)
        with _connected(self.workers) as ray:
            while lot := list(islice(rest, _LOT)):
                yield from self._work(ray, lot)

    def _work(self, ray: Any, lot: list[Chunk]) -> Iterator[ChunkResult]:
        processors = int(ray.cluster_resources().get("CPU", 1))
        pool = ray.data.ActorPoolStrategy(size=min(self.workers or processors, len(lot)))
        # As bytes: lines may hold what is no text, which Ray's tables would refuse.
        rows = [{"chunk": pickle.dumps(chunk)} for chunk in lot]
        work = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
            _Worker, fn_constructor_args=(self.clerk,), compute=pool, num_cpus=1
        )
        for row in work.iter_rows():
            yield pickle.loads(row["done"])


class _Worker:
    """A process of the pool, with a reader of its own."""

    def __init__(self, clerk: Callable[[], BatchAnswerer]) -> None:
        self.clerk = clerk()

    def __call__(self, row: dict[str, bytes]) -> dict[str, bytes]:
        return {"done": pickle.dumps(self.clerk.work(pickle.loads(row["chunk"])))}


@contextmanager
def _connected(workers: int | None) -> Iterator[Any]:
    """Ray, quiet and in order; what was running before goes on running."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        hint = "Run: pip install 'workings[ray]'."
        raise InputError("The engine ray needs the package ray.", hint=hint) from error
    ours = not ray.is_initialized()
    if ours:
        _start(ray, workers)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _start(ray: Any, workers: int | None) -> None:
    address = os.environ.get("RAY_ADDRESS")
    alone = {"num_cpus": workers, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
    where = {"address": address} if address else {"address": "local", **alone}
    try:
        ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray has no type of its own for this
        cluster = "Start it with `ray start`, or unset RAY_ADDRESS to use this machine."
        hint = cluster if address else "Run it again when this machine is less busy."
        raise InputError(f"Ray does not answer: {error}", hint=hint) from error
