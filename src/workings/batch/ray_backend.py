"""The Ray backend: answer chunks of questions on a pool of worker processes."""

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

# Shared memory of a Ray instance on this machine. Texts are small.
_OBJECT_STORE_BYTES = 256 << 20
# Chunks handed to Ray at a time. All are in memory, and the workers restart for each group.
_CHUNKS_PER_GROUP = 1024


@dataclass(frozen=True)
class RayBackend:
    """Answers on the cluster that RAY_ADDRESS names, or with workers on this machine.

    A worker that dies is restarted, and its chunk is answered again.

    Attributes:
        make_answerer: Called once in every worker; it must be picklable.
        workers: Number of workers; by default one per processor of the cluster.
    """

    make_answerer: Callable[[], BatchAnswerer]
    workers: int | None = None

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Yield the result of each chunk, in order.

        Raises:
            InputError: If Ray is not installed or cannot be reached.
        """
        rest = iter(chunks)
        with _connected(self.workers) as ray:
            while group := list(islice(rest, _CHUNKS_PER_GROUP)):
                yield from self._answer_group(ray, group)

    def _answer_group(self, ray: Any, group: list[Chunk]) -> Iterator[ChunkResult]:
        processors = int(ray.cluster_resources().get("CPU", 1))
        pool = ray.data.ActorPoolStrategy(size=min(self.workers or processors, len(group)))
        # Pickled, because lines may hold bytes that are not UTF-8, which Ray's tables refuse.
        rows = [{"chunk": pickle.dumps(chunk)} for chunk in group]
        make_answerer = pickle.dumps(self.make_answerer)
        results = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
            _Worker, fn_constructor_args=(make_answerer,), compute=pool, num_cpus=1
        )
        for row in results.iter_rows():
            yield pickle.loads(row["result"])


class _Worker:
    """A worker process with its own reader."""

    def __init__(self, make_answerer: bytes) -> None:
        self.answerer: BatchAnswerer = pickle.loads(make_answerer)()

    def __call__(self, row: dict[str, bytes]) -> dict[str, bytes]:
        chunk = pickle.loads(row["chunk"])
        return {"result": pickle.dumps(self.answerer.answer_chunk(chunk))}


@contextmanager
def _connected(workers: int | None) -> Iterator[Any]:
    """Connect to Ray, without its log output; a Ray instance that was running is left running."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        hint = "Run: pip install 'workings[ray]'."
        raise InputError("The backend ray needs the package ray.", hint=hint) from error
    started_here = not ray.is_initialized()
    if started_here:
        _start(ray, workers)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        if started_here:
            ray.shutdown()


def _start(ray: Any, workers: int | None) -> None:
    address = os.environ.get("RAY_ADDRESS")
    local = {
        "num_cpus": workers,
        "object_store_memory": _OBJECT_STORE_BYTES,
        "include_dashboard": False,
    }
    target = {"address": address} if address else {"address": "local", **local}
    try:
        ray.init(**target, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray has no exception type for this
        cluster = "Start it with `ray start`, or unset RAY_ADDRESS to use this machine."
        hint = cluster if address else "Run it again when this machine is less busy."
        raise InputError(f"Ray cannot be started or reached: {error}", hint=hint) from error
